#include "check.h"

static const char *spaced(mxml_node_t *node, int where)
{
    (void)node;
    return where == MXML_WS_BEFORE_OPEN ? "\n\t" : where == MXML_WS_AFTER_CLOSE ? "\n" : NULL;
}

void test_words_wrap_at_72(void)
{
    CHECK_STR(mxmlSaveAllocString(words(24), MXML_NO_CALLBACK), "<words>w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19\nw20 w21 w22 w23 w24</words>\n");
}

void test_attributes_wrap_at_72(void)
{
    mxml_node_t *tree = mxmlNewElement(NULL, "element");
    mxmlElementSetAttr(tree, "first", "a value of some length");
    mxmlElementSetAttr(tree, "second", "a value");
    mxmlElementSetAttr(tree, "third", "more values");
    mxmlElementSetAttr(tree, "fourth", "yes");
    CHECK_STR(mxmlSaveAllocString(tree, MXML_NO_CALLBACK), "<element first=\"a value of some length\" second=\"a value\"\nthird=\"more values\" fourth=\"yes\" />\n");
}

void test_numbers_wrap_at_72(void)
{
    mxml_node_t *tree = mxmlNewElement(NULL, "n");
    for (int number = 0; number < 14; number++)
        mxmlNewInteger(tree, 100000 + number * 1111);
    mxmlNewReal(tree, 0.125);
    CHECK_STR(mxmlSaveAllocString(tree, MXML_NO_CALLBACK), "<n>100000 101111 102222 103333 104444 105555 106666 107777 108888 109999 111110\n112221 113332 114443 0.125000</n>\n");
}

void test_white_space_is_asked_for(void)
{
    mxml_node_t *tree = mxmlLoadString(NULL, "<a><b>one</b><c><d/></c></a>", MXML_TEXT_CALLBACK);
    CHECK_STR(mxmlSaveAllocString(tree, spaced), "\n\t<a>\n\t<b>one</b>\n\n\t<c>\n\t<d /></c>\n</a>\n");
}

void test_what_is_special_is_written_as_entities(void)
{
    mxml_node_t *tree = mxmlNewElement(NULL, "a");
    mxmlElementSetAttr(tree, "q", "\"5 < 6\"");
    mxmlNewOpaque(tree, "Tom & Jerry > all");
    mxmlNewCDATA(tree, "x && y");
    CHECK_STR(mxmlSaveAllocString(tree, MXML_NO_CALLBACK), "<a q=\"&quot;5 &lt; 6&quot;\">Tom &amp; Jerry &gt; all<![CDATA[x && y]]></a>\n");
}

void test_a_buffer_that_is_too_small_gets_what_fits(void)
{
    char buffer[16];
    mxmlSaveString(words(9), buffer, sizeof(buffer), MXML_NO_CALLBACK);
    CHECK_STR(buffer, "<words>w1 w2 w3");
}

void test_the_size_that_a_tree_needs(void)
{
    char buffer[16];
    CHECK_INT(mxmlSaveString(words(321), buffer, sizeof(buffer), MXML_NO_CALLBACK), 1512);
}

void test_a_long_tree_is_saved_whole(void)
{
    CHECK_INT(strlen(mxmlSaveAllocString(words(4567), MXML_NO_CALLBACK)), 26310);
}

void test_saving_to_a_descriptor(void)
{
    int ends[2];
    CHECK_INT(pipe(ends) + mxmlSaveFd(words(5), ends[1], MXML_NO_CALLBACK), 0);
    close(ends[1]);
    CHECK_STR(read_back(ends[0]), "<words>w1 w2 w3 w4 w5</words>\n");
}

void test_saving_to_a_file(void)
{
    FILE *stream = fmemopen(told, sizeof(told), "w");
    mxmlSaveFile(words(6), stream, spaced);
    fclose(stream);
    CHECK_STR(told, "\n\t<words>w1 w2 w3 w4 w5 w6</words>\n");
}

void test_custom_nodes_cannot_be_saved_without_a_handler(void)
{
    mxml_node_t *tree = mxmlNewElement(NULL, "a");
    char buffer[64] = "";
    mxmlNewCustom(tree, strdup("data"), free);
    CHECK_INT(mxmlSaveString(tree, buffer, sizeof(buffer), MXML_NO_CALLBACK), -1);
}
