/* Parses a document by Tree-sitter, says what it is made of, changes a number in it and parses it
 * again, which takes what did not change over.   outline FILE.json EDITS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/api.h"

#define KINDS 32

const TSLanguage *tree_sitter_json(void);

typedef struct {
    unsigned count[KINDS];
    unsigned nodes, deepest, errors;
    uint32_t number_at[64];
    unsigned numbers;
} outline_t;

static void visit(TSTreeCursor *cursor, unsigned depth, outline_t *outline) {
    do {
        TSNode node = ts_tree_cursor_current_node(cursor);
        outline->nodes++;
        outline->errors += ts_node_is_error(node);
        if (depth > outline->deepest)
            outline->deepest = depth;
        if (ts_node_is_named(node)) {
            TSSymbol kind = ts_node_symbol(node);
            if (kind < KINDS)
                outline->count[kind]++;
            if (strcmp(ts_node_type(node), "number") == 0 && outline->numbers < 64)
                outline->number_at[outline->numbers++] = ts_node_start_byte(node);
        }
        if (ts_tree_cursor_goto_first_child(cursor)) {
            visit(cursor, depth + 1, outline);
            ts_tree_cursor_goto_parent(cursor);
        }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
}

static void show(const TSTree *tree, const TSLanguage *language, outline_t *outline) {
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    memset(outline, 0, sizeof *outline);
    visit(&cursor, 0, outline);
    ts_tree_cursor_delete(&cursor);
    printf("%u nodes, depth %u, %u errors:", outline->nodes, outline->deepest, outline->errors);
    for (unsigned i = 0; i < KINDS; i++)
        if (outline->count[i])
            printf(" %s %u", ts_language_symbol_name(language, (TSSymbol)i), outline->count[i]);
    putchar('\n');
}

int main(int argc, char **argv) {
    static outline_t outline;
    if (argc != 3)
        return 2;
    FILE *file = fopen(argv[1], "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return 1;
    long size = ftell(file);
    char *text = malloc((size_t)size);
    rewind(file);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
        return 1;
    fclose(file);
    TSParser *parser = ts_parser_new();
    const TSLanguage *language = tree_sitter_json();
    if (!ts_parser_set_language(parser, language))
        return 1;
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
    show(tree, language, &outline);
    for (int i = 0; i < atoi(argv[2]) && outline.numbers; i++) {
        uint32_t at = outline.number_at[(unsigned)i * 7 % outline.numbers];
        /* The number's first digit becomes a text of one letter, which has two bytes more. */
        text = realloc(text, (size_t)size + 2);
        if (!text)
            return 1;
        uint32_t end = at + 1;
        while (end < (uint32_t)size && strchr("0123456789.eE+-", text[end]))
            end++;
        TSInputEdit edit = {.start_byte = at, .old_end_byte = end, .new_end_byte = at + 3};
        edit.start_point.column = at;
        edit.old_end_point.column = end;
        edit.new_end_point.column = at + 3;
        memmove(text + at + 3, text + end, (size_t)size - end);
        memcpy(text + at, "\"x\"", 3);
        size += 3 - (long)(end - at);
        ts_tree_edit(tree, &edit);
        TSTree *next = ts_parser_parse_string(parser, tree, text, (uint32_t)size);
        ts_tree_delete(tree);
        tree = next;
        show(tree, language, &outline);
    }
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    free(text);
    return 0;
}
