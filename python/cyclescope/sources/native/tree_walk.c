/* Walks a syntax tree of libclang and writes its nodes into an array: Python would call libclang
 * ten times for each. The functions of libclang are given as pointers, so nothing is linked.
 */
#include <stdlib.h>

/* Types of libclang's interface (clang-c/Index.h). */
typedef struct {
    int kind;
    int extra;
    const void *data[3];
} Cursor;

typedef struct {
    const void *data[2];
    unsigned begin, end;
} Range;

typedef struct {
    const void *data[2];
    unsigned at;
} Location;

enum visit { CONTINUE = 1 };
enum { UNARY = 112, BINARY = 114, COMPOUND_ASSIGNMENT = 115, WITH_ATTRIBUTES = 200 };

struct libclang {
    unsigned (*visit)(Cursor, enum visit (*)(Cursor, Cursor, void *), void *);
    Range (*extent)(Cursor);
    Location (*begin)(Range);
    Location (*end)(Range);
    Location (*name)(Cursor);
    void (*spelling)(Location, void **, unsigned *, unsigned *, unsigned *);
    void (*expansion)(Location, void **, unsigned *, unsigned *, unsigned *);
    int (*binary)(Cursor);
    int (*unary)(Cursor);
    unsigned (*is_definition)(Cursor);
};

/* `parent` counts from 0, the root; `end` is the number behind the last node below this one. */
struct node {
    Cursor cursor;
    int parent, last;
    /* Bytes of the text; or lines and columns, of macros where they are used. */
    unsigned begin, end, begin_column, end_column;
    unsigned name;
    int operator, is_definition;
};

struct tree {
    struct node *nodes;
    size_t used, room;
};

struct walk {
    const struct libclang *clang;
    struct tree *tree;
    int parent;
    int deep, lines;
};

static void describe(const struct walk *walk, struct node *node) {
    const struct libclang *clang = walk->clang;
    Range extent = clang->extent(node->cursor);
    if (walk->lines) {
        clang->expansion(clang->begin(extent), NULL, &node->begin, &node->begin_column, NULL);
        clang->expansion(clang->end(extent), NULL, &node->end, &node->end_column, NULL);
        return;
    }
    clang->spelling(clang->begin(extent), NULL, NULL, NULL, &node->begin);
    clang->spelling(clang->end(extent), NULL, NULL, NULL, &node->end);
    clang->spelling(clang->name(node->cursor), NULL, NULL, NULL, &node->name);
    if (node->cursor.kind == UNARY)
        node->operator= clang->unary(node->cursor);
    if (node->cursor.kind == BINARY || node->cursor.kind == COMPOUND_ASSIGNMENT)
        node->operator= clang->binary(node->cursor);
}

static enum visit one(Cursor cursor, Cursor parent, void *given) {
    struct walk *walk = given;
    struct tree *tree = walk->tree;
    (void)parent;
    if (cursor.kind == WITH_ATTRIBUTES) {
        /* The statement itself, from its attributes on. */
        size_t first = tree->used;
        walk->clang->visit(cursor, one, walk);
        if (first < tree->used && !walk->lines) {
            Range extent = walk->clang->extent(cursor);
            unsigned *begin = &tree->nodes[first].begin;
            walk->clang->spelling(walk->clang->begin(extent), NULL, NULL, NULL, begin);
        }
        return CONTINUE;
    }
    if (tree->used == tree->room) {
        tree->room = tree->room ? 2 * tree->room : 1024;
        tree->nodes = realloc(tree->nodes, tree->room * sizeof *tree->nodes);
    }
    int number = (int)tree->used++;
    tree->nodes[number] = (struct node){.cursor = cursor, .parent = walk->parent};
    describe(walk, &tree->nodes[number]);
    if (walk->deep) {
        struct walk below = *walk;
        below.parent = number;
        walk->clang->visit(cursor, one, &below);
    } else {
        tree->nodes[number].is_definition = (int)walk->clang->is_definition(cursor);
    }
    tree->nodes[number].last = (int)tree->used;
    return CONTINUE;
}

/* The nodes of a cursor and of all below it, parents first; or, not `deep`, of its children. */
void cyclescope_walk(const struct libclang *clang, Cursor root, int deep, int lines,
                     struct tree *tree) {
    struct walk walk = {.clang = clang, .tree = tree, .parent = -1, .deep = deep, .lines = lines};
    *tree = (struct tree){NULL, 0, 0};
    if (deep)
        one(root, root, &walk);
    else
        clang->visit(root, one, &walk);
}

void cyclescope_walked(struct tree *tree) {
    free(tree->nodes);
}
