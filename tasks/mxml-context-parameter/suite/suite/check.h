/* What the tests compare with, and how they look at a tree. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mxml.h"

#ifndef SHOW
#define CHECK_INT(actual, expected) check_int(__FILE__, __LINE__, (actual), (expected))
#define CHECK_STR(actual, expected) check_str(__FILE__, __LINE__, (actual), (expected))
#else
#define CHECK_INT(actual, expected) printf("%s:%d:%ld\n", __FILE__, __LINE__, (long)(actual))
#define CHECK_STR(actual, expected) show(__FILE__, __LINE__, (actual))
#endif

static char told[8192];

static inline void show(const char *file, int line, const char *text)
{
    printf("%s:%d:\"", file, line);
    for (; *text; text++) {
        if (*text == '\n')
            printf("\\n");
        else if (*text == '\t')
            printf("\\t");
        else if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else
            putchar(*text);
    }
    printf("\"\n");
}

static inline void check_int(const char *file, int line, long actual, long expected)
{
    if (actual == expected)
        return;
    fprintf(stderr, "%s:%d: %ld, expected %ld\n", file, line, actual, expected);
    abort();
}

static inline void check_str(const char *file, int line, const char *actual, const char *expected)
{
    if (actual && strcmp(actual, expected) == 0)
        return;
    fprintf(stderr, "%s:%d: \"%s\", expected \"%s\"\n", file, line, actual ? actual : "(null)", expected);
    abort();
}

static inline void tell(const char *text)
{
    strncat(told, text, sizeof(told) - strlen(told) - 1);
}

static inline void on_error(const char *message)
{
    tell("[");
    tell(message);
    tell("]");
}

/* A tree in one line: (name@attr=value child child), texts in quotes with a dot for leading space. */
static inline void describe(mxml_node_t *node)
{
    char number[64];
    const char *name, *value;
    mxml_node_t *child;
    int index, whitespace;

    switch (mxmlGetType(node)) {
    case MXML_ELEMENT:
        tell("(");
        tell(mxmlGetElement(node));
        for (index = 0; index < mxmlElementGetAttrCount(node); index++) {
            value = mxmlElementGetAttrByIndex(node, index, &name);
            tell(" @");
            tell(name);
            tell("=");
            tell(value ? value : "-");
        }
        for (child = mxmlGetFirstChild(node); child; child = mxmlGetNextSibling(child)) {
            tell(" ");
            describe(child);
        }
        tell(")");
        break;
    case MXML_INTEGER:
        snprintf(number, sizeof(number), "i%d", mxmlGetInteger(node));
        tell(number);
        break;
    case MXML_REAL:
        snprintf(number, sizeof(number), "r%g", mxmlGetReal(node));
        tell(number);
        break;
    case MXML_OPAQUE:
        tell("<");
        tell(mxmlGetOpaque(node));
        tell(">");
        break;
    case MXML_TEXT:
        value = mxmlGetText(node, &whitespace);
        tell(whitespace ? "." : "");
        tell(value);
        break;
    case MXML_CUSTOM:
        tell("{");
        tell(mxmlGetCustom(node) ? (const char *)mxmlGetCustom(node) : "-");
        tell("}");
        break;
    default:
        tell("?");
    }
}

static inline const char *described(mxml_node_t *node)
{
    if (node)
        describe(node);
    else
        tell("nothing");
    return told;
}

static inline void on_sax(mxml_node_t *node, mxml_sax_event_t event, void *data)
{
    static const char *const names[] = {"cdata", "comment", "data", "directive", "close", "open"};
    const char *text = mxmlGetType(node) == MXML_ELEMENT ? mxmlGetElement(node)
                       : mxmlGetType(node) == MXML_OPAQUE ? mxmlGetOpaque(node) : mxmlGetText(node, NULL);

    tell((const char *)data);
    tell(names[event]);
    tell(":");
    tell(text ? text : "-");
}

static inline mxml_type_t of_custom(mxml_node_t *node)
{
    (void)node;
    return MXML_CUSTOM;
}

/* Something to read from that ends after the text. */
static inline int fd_of(const char *text)
{
    int ends[2];

    if (pipe(ends) || write(ends[1], text, strlen(text)) != (ssize_t)strlen(text))
        abort();
    close(ends[1]);
    return ends[0];
}

/* What was written to a pipe's end, once that has been closed. */
static inline const char *read_back(int fd)
{
    ssize_t size = read(fd, told, sizeof(told) - 1);

    told[size > 0 ? size : 0] = '\0';
    return told;
}

/* An element with this many words in it, which are w1, w2 and so on. */
static inline mxml_node_t *words(int count)
{
    mxml_node_t *node = mxmlNewElement(MXML_NO_PARENT, "words");
    int number;

    for (number = 1; number <= count; number++)
        mxmlNewTextf(node, number > 1, "w%d", number);
    return node;
}
