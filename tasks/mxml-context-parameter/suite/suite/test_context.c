#include "check.h"

static int moons(const char *name)
{
    return !strcmp(name, "moon") ? 0x263e : !strcmp(name, "amp") ? 1000 : -1;
}

static int suns(const char *name)
{
    return !strcmp(name, "sun") ? 0x2609 : !strcmp(name, "moon") ? 7777 : -1;
}

static int stars(const char *name)
{
    return !strcmp(name, "star") ? 0x2605 : !strcmp(name, "sun") ? 8888 : -1;
}

void test_a_new_context_knows_the_standard_entities(void)
{
    mxml_context_t *context = mxmlContextNew();
    CHECK_INT(mxmlContextGetEntity(context, "eacute"), 233);
    CHECK_INT(mxmlContextGetEntity(context, "thetasym"), 977);
}

void test_no_context_knows_the_standard_entities(void)
{
    CHECK_INT(mxmlContextGetEntity(NULL, "euro"), 8364);
}

void test_an_entity_that_nobody_knows(void)
{
    mxml_context_t *context = mxmlContextNew();
    mxmlContextAddEntity(context, moons);
    CHECK_INT(mxmlContextGetEntity(context, "sun"), -1);
}

void test_a_callback_that_was_added_is_asked(void)
{
    mxml_context_t *context = mxmlContextNew();
    CHECK_INT(mxmlContextAddEntity(context, moons), 0);
    CHECK_INT(mxmlContextGetEntity(context, "moon"), 9790);
}

void test_the_standard_entities_come_first(void)
{
    mxml_context_t *context = mxmlContextNew();
    mxmlContextAddEntity(context, moons);
    CHECK_INT(mxmlContextGetEntity(context, "amp"), 38);
}

void test_callbacks_are_asked_in_the_order_in_which_they_were_added(void)
{
    mxml_context_t *context = mxmlContextNew();
    mxmlContextAddEntity(context, suns);
    mxmlContextAddEntity(context, stars);
    mxmlContextAddEntity(context, moons);
    CHECK_INT(mxmlContextGetEntity(context, "moon"), 7777);
    CHECK_INT(mxmlContextGetEntity(context, "star"), 9733);
}

void test_the_order_survives_a_removal(void)
{
    mxml_context_t *context = mxmlContextNew();
    mxmlContextAddEntity(context, moons);
    mxmlContextAddEntity(context, stars);
    mxmlContextAddEntity(context, suns);
    mxmlContextRemoveEntity(context, moons);
    CHECK_INT(mxmlContextGetEntity(context, "sun"), 8888);
    CHECK_INT(mxmlContextGetEntity(context, "moon"), 7777);
}

void test_a_removed_callback_is_not_asked(void)
{
    mxml_context_t *context = mxmlContextNew();
    mxmlContextAddEntity(context, moons);
    mxmlContextAddEntity(context, suns);
    mxmlContextRemoveEntity(context, suns);
    mxmlContextRemoveEntity(context, stars);
    CHECK_INT(mxmlContextGetEntity(context, "sun"), -1);
    CHECK_INT(mxmlContextGetEntity(context, "moon"), 9790);
}

void test_contexts_do_not_share_their_callbacks(void)
{
    mxml_context_t *one = mxmlContextNew(), *other = mxmlContextNew();
    mxmlContextAddEntity(one, moons);
    mxmlContextAddEntity(other, suns);
    CHECK_INT(mxmlContextGetEntity(one, "moon"), 9790);
    CHECK_INT(mxmlContextGetEntity(other, "moon"), 7777);
    CHECK_INT(mxmlContextGetEntity(NULL, "moon"), -1);
}

void test_there_is_room_for_99_more(void)
{
    mxml_context_t *context = mxmlContextNew();
    int added = 0;
    mxmlSetErrorCallback(on_error);
    while (added < 500 && mxmlContextAddEntity(context, stars) == 0)
        added++;
    CHECK_INT(added, 99);
}

void test_one_too_many_is_reported(void)
{
    mxml_context_t *context = mxmlContextNew();
    int added = 0;
    mxmlSetErrorCallback(on_error);
    while (added < 500 && mxmlContextAddEntity(context, moons) == 0)
        added++;
    CHECK_STR(told, "[Unable to add entity callback!]");
}

void test_a_deleted_context_leaves_others_alone(void)
{
    mxml_context_t *gone = mxmlContextNew(), *kept = mxmlContextNew();
    mxmlContextAddEntity(kept, stars);
    mxmlContextDelete(gone);
    mxmlContextDelete(NULL);
    CHECK_INT(mxmlContextGetEntity(kept, "star"), 9733);
}
