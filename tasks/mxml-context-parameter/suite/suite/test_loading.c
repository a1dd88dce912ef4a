#include "check.h"

void test_words_and_spaces(void)
{
    mxml_node_t *tree = mxmlLoadString(NULL, "<a>one two<b> three</b>\n four </a>", MXML_TEXT_CALLBACK);
    CHECK_STR(described(tree), "(a one .two (b .three) .four .)");
}

void test_opaque_text_is_one_piece(void)
{
    mxml_node_t *tree = mxmlLoadString(NULL, "<a> one  two <b>three\n</b></a>", MXML_OPAQUE_CALLBACK);
    CHECK_STR(described(tree), "(a < one  two > (b <three\n>))");
}

void test_numbers_are_read(void)
{
    mxml_node_t *tree = mxmlLoadString(NULL, "<a>12 0x1f<b>-7</b> 040</a>", MXML_INTEGER_CALLBACK);
    CHECK_STR(described(tree), "(a i12 i31 (b i-7) i32)");
}

void test_reals_are_read(void)
{
    mxml_node_t *tree = mxmlLoadString(NULL, "<a>2.75<b>-1e3 .5</b></a>", MXML_REAL_CALLBACK);
    CHECK_STR(described(tree), "(a r2.75 (b r-1000 r0.5))");
}

void test_a_bad_number_is_reported(void)
{
    mxmlSetErrorCallback(on_error);
    mxmlLoadString(NULL, "<a>\n<b>12 13x</b></a>", MXML_INTEGER_CALLBACK);
    CHECK_STR(told, "[Bad integer value '13x' in parent <b> on line 2.][Missing close tag </b> under parent <a> on line 2.]");
}

void test_standard_entities_in_text(void)
{
    mxml_node_t *tree = mxmlLoadString(NULL, "<a>&eacute;&lt;&#x41;&#66;&euro;</a>", MXML_OPAQUE_CALLBACK);
    CHECK_STR(described(tree), "(a <é<AB€>)");
}

void test_standard_entities_in_attributes(void)
{
    mxml_node_t *tree = mxmlLoadString(NULL, "<a b='x&amp;y' c=\"&Omega;\" d=q&gt;r />", MXML_NO_CALLBACK);
    CHECK_STR(described(tree), "(a @b=x&y @c=Ω @d=q>r)");
}

void test_an_unknown_entity_is_reported_with_its_line(void)
{
    mxmlSetErrorCallback(on_error);
    mxmlLoadString(NULL, "<a>\n<b>\n&nosuch;</b></a>", MXML_OPAQUE_CALLBACK);
    CHECK_STR(told, "[Entity name 'nosuch;' not supported under parent <b> on line 3.][Bad control character 0xffffffff under parent <b> on line 3 not allowed by XML standard.]");
}

void test_an_unknown_entity_in_an_attribute_is_reported(void)
{
    mxmlSetErrorCallback(on_error);
    mxmlLoadString(NULL, "<a>\n<bee see='&nix;'/></a>", MXML_OPAQUE_CALLBACK);
    CHECK_STR(told, "[Entity name 'nix;' not supported under parent <bee> on line 2.][Bad control character 0xffffffff under parent <bee> on line 2 not allowed by XML standard.]");
}

void test_a_mismatched_close_tag_is_reported(void)
{
    mxmlSetErrorCallback(on_error);
    mxmlLoadString(NULL, "<a>\n\n<b></c></a>", MXML_NO_CALLBACK);
    CHECK_STR(told, "[Mismatched close tag </c> under parent <b> on line 3.]");
}

void test_sax_events_in_order(void)
{
    mxmlSAXLoadString(NULL, "<?xml version='1.0'?><a><!--rem--><b>hi</b><![CDATA[x<y]]></a>",
                      MXML_OPAQUE_CALLBACK, on_sax, ",");
    CHECK_STR(told, ",directive:?xml version='1.0'?,open:a,comment:!--rem--,open:b,data:hi,close:b,cdata:![CDATA[x<y,close:a");
}

void test_sax_from_a_descriptor(void)
{
    mxmlSAXLoadFd(NULL, fd_of("<a><b>to be</b><c/></a>"), MXML_TEXT_CALLBACK, on_sax, ";");
    CHECK_STR(told, ";open:a;open:b;data:to;data:be;close:b;open:c;close:c;close:a");
}

void test_loading_from_a_descriptor(void)
{
    mxml_node_t *tree = mxmlLoadFd(NULL, fd_of("<a x='1'><b>\xc3\xa9t\xc3\xa9</b></a>"), MXML_TEXT_CALLBACK);
    CHECK_STR(described(tree), "(a @x=1 (b été))");
}

void test_loading_from_a_file(void)
{
    mxml_node_t *tree = mxmlLoadFile(NULL, fdopen(fd_of("<a><b>4 5</b><b>6</b></a>"), "r"), MXML_INTEGER_CALLBACK);
    CHECK_STR(described(tree), "(a (b i4 i5) (b i6))");
}

void test_custom_nodes_cannot_be_loaded_without_a_handler(void)
{
    mxmlSetErrorCallback(on_error);
    mxml_node_t *tree = mxmlLoadString(NULL, "<a>one<b>two</b></a>", of_custom);
    CHECK_STR(described(tree), "[Unable to add value node of type MXML_CUSTOM to parent <a> on line 1.]nothing");
}
