#include "check.h"

static mxml_context_t *inner;

static int moons(const char *name)
{
    return !strcmp(name, "moon") ? 'M' : -1;
}

static int suns(const char *name)
{
    return !strcmp(name, "moon") ? 'm' : !strcmp(name, "sun") ? 'S' : -1;
}

/* Answers with what loading a document of its own, with another context, gives. */
static int asking(const char *name)
{
    mxml_node_t *tree;

    if (strcmp(name, "asked"))
        return -1;
    tree = mxmlContextLoadString(inner, NULL, "<q>&moon;&sun;</q>", MXML_OPAQUE_CALLBACK, NULL, NULL);
    return tree ? mxmlGetOpaque(mxmlGetFirstChild(tree))[0] : -1;
}

static int load_reversed(mxml_node_t *node, const char *text)
{
    size_t size = strlen(text);
    char *data = calloc(1, size + 1);

    for (size_t place = 0; place < size; place++)
        data[place] = text[size - 1 - place];
    return mxmlSetCustom(node, data, free);
}

static int load_short_ones(mxml_node_t *node, const char *text)
{
    return strlen(text) > 4 ? 1 : mxmlSetCustom(node, strdup(text), free);
}

static mxml_context_t *with(mxml_entity_cb_t entities)
{
    mxml_context_t *context = mxmlContextNew();

    if (entities)
        mxmlContextAddEntity(context, entities);
    return context;
}

static void *loads(void *context)
{
    return mxmlContextLoadString(context, NULL, "<a b='&sun;'>x&moon;</a>", MXML_TEXT_CALLBACK, NULL, NULL);
}

void test_entities_of_a_context_in_text(void)
{
    mxml_node_t *tree =
        mxmlContextLoadString(with(moons), NULL, "<a>&moon;1 &lt;&moon;2</a>", MXML_TEXT_CALLBACK, NULL, NULL);
    CHECK_STR(described(tree), "(a M1 .<M2)");
}

void test_entities_of_a_context_in_attributes(void)
{
    mxml_node_t *tree = mxmlContextLoadString(with(suns), NULL, "<a b='1&sun;2' c=&moon;3 &sun;4='5'/>",
                                              MXML_NO_CALLBACK, NULL, NULL);
    CHECK_STR(described(tree), "(a @b=1S2 @c=&moon;3 @&sun;4=5)");
}

void test_entities_of_a_context_in_declarations(void)
{
    mxml_node_t *tree = mxmlContextLoadString(with(suns), NULL, "<!DOCTYPE &sun;&moon;><a>b</a>",
                                              MXML_NO_CALLBACK, NULL, NULL);
    CHECK_STR(described(tree), "(!DOCTYPE Sm (a b))");
}

void test_entities_of_another_context_are_unknown(void)
{
    mxml_context_t *moon = with(moons), *sun = with(suns);
    mxmlSetErrorCallback(on_error);
    described(mxmlContextLoadString(sun, NULL, "<a>&sun;&moon;</a>", MXML_OPAQUE_CALLBACK, NULL, NULL));
    mxmlContextLoadString(moon, NULL, "<a>\n<bb>&moon;&sun;</bb></a>", MXML_OPAQUE_CALLBACK, NULL, NULL);
    CHECK_STR(told, "(a <Sm>)[Entity name 'sun;' not supported under parent <bb> on line 2.][Bad control character 0xffffffff under parent <bb> on line 2 not allowed by XML standard.]");
}

void test_old_functions_load_with_the_defaults(void)
{
    mxmlContextSetCustomHandlers(with(moons), load_reversed, NULL);
    mxmlSetErrorCallback(on_error);
    mxmlLoadString(NULL, "<a>\n<c>&moon;</c></a>", MXML_OPAQUE_CALLBACK);
    CHECK_STR(described(mxmlLoadString(NULL, "<a>b<c>d</c></a>", of_custom)), "[Entity name 'moon;' not supported under parent <c> on line 2.][Bad control character 0xffffffff under parent <c> on line 2 not allowed by XML standard.][Unable to add value node of type MXML_CUSTOM to parent <a> on line 1.]nothing");
}

void test_no_context_loads_with_the_defaults(void)
{
    mxml_node_t *tree =
        mxmlContextLoadString(NULL, NULL, "<a>&agrave; 7<b c='&reg;'/></a>", MXML_TEXT_CALLBACK, NULL, NULL);
    CHECK_STR(described(tree), "(a à .7 (b @c=®))");
}

void test_custom_data_is_loaded_by_the_contexts_handler(void)
{
    mxml_context_t *context = with(moons);
    mxmlContextSetCustomHandlers(context, load_reversed, NULL);
    CHECK_STR(described(mxmlContextLoadString(context, NULL, "<a>12 3&moon;<b>abc</b></a>", of_custom, NULL, NULL)),
              "(a {M3 21} (b {cba}))");
}

void test_contexts_have_handlers_of_their_own(void)
{
    mxml_context_t *one = with(NULL), *other = with(NULL);
    mxmlContextSetCustomHandlers(one, load_reversed, NULL);
    mxmlContextSetCustomHandlers(other, load_short_ones, NULL);
    described(mxmlContextLoadString(one, NULL, "<a>abc</a>", of_custom, NULL, NULL));
    CHECK_STR(described(mxmlContextLoadString(other, NULL, "<b>xyz</b>", of_custom, NULL, NULL)), "(a {cba})(b {xyz})");
}

void test_custom_data_that_is_refused_is_reported(void)
{
    mxml_context_t *context = with(NULL);
    mxmlContextSetCustomHandlers(context, load_short_ones, NULL);
    mxmlSetErrorCallback(on_error);
    mxmlContextLoadString(context, NULL, "<a>\n<b>1234</b>\n<d>12345</d></a>", of_custom, NULL, NULL);
    CHECK_STR(told, "[Bad custom value '12345' in parent <d> on line 3.][Unable to add value node of type MXML_CUSTOM to parent <d> on line 3.]");
}

void test_a_context_loads_from_a_descriptor(void)
{
    mxml_node_t *tree = mxmlContextLoadFd(with(moons), NULL, fd_of("<a><b>&moon;</b> 8</a>"),
                                          MXML_TEXT_CALLBACK, NULL, NULL);
    CHECK_STR(described(tree), "(a (b M) .8)");
}

void test_a_context_loads_from_a_file(void)
{
    mxml_node_t *tree = mxmlContextLoadFile(with(suns), NULL, fdopen(fd_of("<a> &sun;<b>&moon;&moon;</b></a>"), "r"),
                                            MXML_OPAQUE_CALLBACK, NULL, NULL);
    CHECK_STR(described(tree), "(a < S> (b <mm>))");
}

void test_a_context_loads_under_a_node(void)
{
    mxml_node_t *top = mxmlNewElement(NULL, "top");
    mxmlContextLoadString(with(moons), top, "<a>&moon;</a>", MXML_TEXT_CALLBACK, NULL, NULL);
    mxmlContextLoadString(with(suns), top, "<a>&moon;</a>", MXML_TEXT_CALLBACK, NULL, NULL);
    CHECK_STR(described(top), "(top (a M) (a m))");
}

void test_a_context_tells_of_events(void)
{
    mxmlContextLoadString(with(suns), NULL, "<a>&sun;s<b c='d'/>end</a>", MXML_OPAQUE_CALLBACK, on_sax, " ");
    CHECK_STR(told, " open:a data:Ss open:b close:b data:end close:a");
}

void test_events_from_a_descriptor_and_a_file(void)
{
    mxmlContextLoadFd(with(suns), NULL, fd_of("<a>&sun;1</a>"), MXML_TEXT_CALLBACK, on_sax, "-");
    mxmlContextLoadFile(with(moons), NULL, fdopen(fd_of("<b>&moon;2</b>"), "r"), MXML_TEXT_CALLBACK, on_sax, "+");
    CHECK_STR(told, "-open:a-data:S1-close:a+open:b+data:M2+close:b");
}

void test_a_load_within_a_load_has_a_context_of_its_own(void)
{
    mxml_context_t *outer = with(asking);
    mxmlContextAddEntity(outer, moons);
    inner = with(suns);
    CHECK_STR(described(mxmlContextLoadString(outer, NULL, "<a b='&asked;&moon;'>&moon;&asked;&moon;</a>",
                                              MXML_OPAQUE_CALLBACK, NULL, NULL)),
              "(a @b=mM <MmM>)");
}

void test_a_context_is_the_same_in_another_thread(void)
{
    pthread_t thread;
    void *tree = NULL;
    pthread_create(&thread, NULL, loads, with(suns));
    pthread_join(thread, &tree);
    CHECK_STR(described(tree), "(a @b=S xm)");
}
