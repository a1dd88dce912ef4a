#include "check.h"

static mxml_context_t *inner;

static char *save_marked(mxml_node_t *node)
{
    char text[64];

    snprintf(text, sizeof(text), "<%s>", (const char *)mxmlGetCustom(node));
    return strdup(text);
}

static char *save_two_lines(mxml_node_t *node)
{
    (void)node;
    return strdup("a first line that is long enough\nand a second");
}

static char *save_none(mxml_node_t *node)
{
    (void)node;
    return NULL;
}

/* Saves a tree of its own, with another context, for the data. */
static char *save_nested(mxml_node_t *node)
{
    (void)node;
    return mxmlContextSaveAllocString(inner, words(4), MXML_NO_CALLBACK);
}

static const char *spaced(mxml_node_t *node, int where)
{
    (void)node;
    return where == MXML_WS_AFTER_OPEN ? "\n  " : NULL;
}

static mxml_context_t *wrapping(int column)
{
    mxml_context_t *context = mxmlContextNew();

    mxmlContextSetWrapMargin(context, column);
    return context;
}

static mxml_node_t *custom(void)
{
    mxml_node_t *tree = mxmlNewElement(NULL, "a");

    mxmlNewCustom(mxmlNewElement(tree, "b"), strdup("data"), free);
    return tree;
}

static void *saves(void *context)
{
    return mxmlContextSaveAllocString(context, words(7), MXML_NO_CALLBACK);
}

void test_a_new_context_wraps_at_72(void)
{
    CHECK_STR(mxmlContextSaveAllocString(mxmlContextNew(), words(23), MXML_NO_CALLBACK), "<words>w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19\nw20 w21 w22 w23</words>\n");
}

void test_words_wrap_at_the_contexts_margin(void)
{
    CHECK_STR(mxmlContextSaveAllocString(wrapping(20), words(11), MXML_NO_CALLBACK), "<words>w1 w2 w3 w4 w5\nw6 w7 w8 w9 w10 w11</words>\n");
}

void test_a_margin_of_0_never_wraps(void)
{
    CHECK_INT(strcspn(mxmlContextSaveAllocString(wrapping(0), words(345), MXML_NO_CALLBACK), "\n"), 1631);
}

void test_attributes_wrap_at_the_contexts_margin(void)
{
    mxml_node_t *tree = mxmlNewElement(NULL, "ab");
    mxmlElementSetAttr(tree, "one", "1");
    mxmlElementSetAttr(tree, "two", "22");
    mxmlElementSetAttr(tree, "three", "333");
    CHECK_STR(mxmlContextSaveAllocString(wrapping(16), tree, MXML_NO_CALLBACK), "<ab one=\"1\"\ntwo=\"22\"\nthree=\"333\" />\n");
}

void test_numbers_wrap_at_the_contexts_margin(void)
{
    mxml_node_t *tree = mxmlNewElement(NULL, "n");
    for (int number = 1; number < 6; number++)
        mxmlNewInteger(tree, number * 1234);
    mxmlNewReal(tree, 2.5);
    mxmlNewReal(tree, 0.25);
    CHECK_STR(mxmlContextSaveAllocString(wrapping(12), tree, MXML_NO_CALLBACK), "<n>1234 2468 3702\n4936 6170 2.500000\n0.250000</n>\n");
}

void test_contexts_have_margins_of_their_own(void)
{
    mxml_context_t *narrow = wrapping(10), *wide = wrapping(30);
    tell(mxmlContextSaveAllocString(narrow, words(8), MXML_NO_CALLBACK));
    tell(mxmlContextSaveAllocString(wide, words(10), MXML_NO_CALLBACK));
    CHECK_STR(told, "<words>w1 w2\nw3 w4 w5 w6\nw7 w8</words>\n<words>w1 w2 w3 w4 w5 w6 w7 w8 w9\nw10</words>\n");
}

void test_old_functions_save_with_the_defaults(void)
{
    mxmlContextSetCustomHandlers(wrapping(15), NULL, save_marked);
    tell(mxmlSaveAllocString(words(22), MXML_NO_CALLBACK));
    tell(mxmlSaveAllocString(custom(), MXML_NO_CALLBACK) ? "saved" : "refused");
    CHECK_STR(told, "<words>w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19\nw20 w21 w22</words>\nrefused");
}

void test_no_context_saves_with_the_defaults(void)
{
    CHECK_STR(mxmlContextSaveAllocString(NULL, words(25), MXML_NO_CALLBACK), "<words>w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19\nw20 w21 w22 w23 w24 w25</words>\n");
}

void test_custom_data_is_saved_by_the_contexts_handler(void)
{
    mxml_context_t *context = mxmlContextNew();
    mxmlContextSetCustomHandlers(context, NULL, save_marked);
    CHECK_STR(mxmlContextSaveAllocString(context, custom(), MXML_NO_CALLBACK), "<a><b>&lt;data&gt;</b></a>\n");
}

void test_lines_of_custom_data_count_for_wrapping(void)
{
    mxml_context_t *context = wrapping(24);
    mxml_node_t *tree = mxmlNewElement(NULL, "a");
    mxmlContextSetCustomHandlers(context, NULL, save_two_lines);
    mxmlNewCustom(tree, NULL, NULL);
    for (int number = 0; number < 6; number++)
        mxmlNewTextf(tree, 1, "word%d", number);
    CHECK_STR(mxmlContextSaveAllocString(context, tree, MXML_NO_CALLBACK), "<a>a first line that is long enough\nand a second word0 word1\nword2 word3 word4 word5</a>\n");
}

void test_custom_data_that_cannot_be_saved(void)
{
    mxml_context_t *context = mxmlContextNew();
    char buffer[64];
    mxmlContextSetCustomHandlers(context, NULL, save_none);
    CHECK_INT(mxmlContextSaveString(context, custom(), buffer, sizeof(buffer), MXML_NO_CALLBACK), -1);
}

void test_a_context_saves_to_a_buffer(void)
{
    char buffer[24];
    CHECK_INT(mxmlContextSaveString(wrapping(12), words(13), buffer, sizeof(buffer), MXML_NO_CALLBACK), 58);
    CHECK_STR(buffer, "<words>w1 w2 w3\nw4 w5 w");
}

void test_a_context_saves_to_a_descriptor(void)
{
    int ends[2];
    CHECK_INT(pipe(ends) + mxmlContextSaveFd(wrapping(14), words(9), ends[1], MXML_NO_CALLBACK), 0);
    close(ends[1]);
    CHECK_STR(read_back(ends[0]), "<words>w1 w2 w3\nw4 w5 w6 w7 w8 w9</words>\n");
}

void test_a_context_saves_to_a_file(void)
{
    FILE *stream = fmemopen(told, sizeof(told), "w");
    mxmlContextSaveFile(wrapping(18), words(10), stream, spaced);
    fclose(stream);
    CHECK_STR(told, "<words>\n  w1 w2 w3 w4 w5 w6\nw7 w8 w9 w10</words>\n");
}

void test_a_long_tree_is_saved_whole_with_its_margin(void)
{
    const char *saved = mxmlContextSaveAllocString(wrapping(33), words(4321), MXML_NO_CALLBACK);
    int lines = 0;
    for (; *saved; saved++)
        lines += *saved == '\n';
    CHECK_INT(lines, 693);
}

void test_a_save_within_a_save_has_a_context_of_its_own(void)
{
    mxml_context_t *outer = wrapping(40);
    mxml_node_t *tree = words(3);
    mxmlContextSetCustomHandlers(outer, NULL, save_nested);
    inner = wrapping(6);
    mxmlNewCustom(tree, NULL, NULL);
    mxmlNewText(tree, 1, "after");
    mxmlNewText(tree, 1, "that");
    CHECK_STR(mxmlContextSaveAllocString(outer, tree, MXML_NO_CALLBACK), "<words>w1 w2 w3&lt;words&gt;w1\nw2 w3 w4&lt;/words&gt;\n after that</words>\n");
}

void test_a_margin_holds_in_another_thread(void)
{
    pthread_t thread;
    void *saved = NULL;
    pthread_create(&thread, NULL, saves, wrapping(11));
    pthread_join(thread, &saved);
    CHECK_STR(saved, "<words>w1 w2\nw3 w4 w5 w6 w7</words>\n");
}
