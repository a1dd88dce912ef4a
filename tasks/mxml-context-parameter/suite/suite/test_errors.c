#include "check.h"

static void *loads_badly(void *text)
{
    mxmlLoadString(NULL, text, MXML_NO_CALLBACK);
    return NULL;
}

static void on_other_error(const char *message)
{
    tell("{");
    tell(message);
    tell("}");
}

static void *loads_badly_and_tells(void *text)
{
    mxmlSetErrorCallback(on_other_error);
    return loads_badly(text);
}

void test_errors_go_to_the_last_callback(void)
{
    mxmlSetErrorCallback(on_error);
    loads_badly("<a><b></a>");
    mxmlSetErrorCallback(on_other_error);
    loads_badly("no xml");
    CHECK_STR(told, "[Mismatched close tag </a> under parent <b> on line 1.]{XML does not start with '<' (saw 'n').}");
}

void test_threads_have_error_callbacks_of_their_own(void)
{
    pthread_t thread;
    mxmlSetErrorCallback(on_error);
    pthread_create(&thread, NULL, loads_badly_and_tells, "<x y='1' y='2'/>");
    pthread_join(thread, NULL);
    loads_badly("<c><d =3/></c>");
    CHECK_STR(told, "{Duplicate attribute 'y' in element x on line 1.}[Missing value for attribute '=3' in element d on line 1.]");
}

void test_a_thread_without_a_callback_tells_nobody(void)
{
    pthread_t thread;
    mxmlSetErrorCallback(on_error);
    pthread_create(&thread, NULL, loads_badly, "<a></b>");
    pthread_join(thread, NULL);
    loads_badly("<e><![CDATA[ends");
    CHECK_STR(told, "[Early EOF in CDATA node on line 1.]");
}

void test_a_control_character_is_reported(void)
{
    mxmlSetErrorCallback(on_error);
    loads_badly("<a>x&#7;</a>");
    loads_badly("<a>\x02</a>");
    CHECK_STR(told, "[Bad control character 0x07 under parent <a> on line 1 not allowed by XML standard.][Bad control character 0x02 not allowed by XML standard.]");
}
