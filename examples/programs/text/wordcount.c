/* Counts the words of a text and writes them, the most frequent first.   wordcount TEXT OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A balanced tree (Andersson, 1993). */
struct word {
    struct word *left, *right;
    int level, count;
    char text[];
};

static struct word *skew(struct word *tree) {
    struct word *left = tree->left;
    if (left == NULL || left->level != tree->level)
        return tree;
    tree->left = left->right;
    left->right = tree;
    return left;
}

static struct word *split(struct word *tree) {
    struct word *right = tree->right;
    if (right == NULL || right->right == NULL || right->right->level != tree->level)
        return tree;
    tree->right = right->left;
    right->left = tree;
    right->level++;
    return right;
}

static int words;

static struct word *count(struct word *tree, const char *text) {
    if (tree == NULL) {
        tree = malloc(sizeof *tree + strlen(text) + 1);
        if (tree == NULL)
            exit(1);
        tree->left = tree->right = NULL;
        tree->level = tree->count = 1;
        strcpy(tree->text, text);
        words++;
        return tree;
    }
    int order = strcmp(text, tree->text);
    if (order == 0)
        tree->count++;
    else if (order < 0)
        tree->left = count(tree->left, text);
    else
        tree->right = count(tree->right, text);
    return split(skew(tree));
}

static struct word **collect(struct word *tree, struct word **to) {
    if (tree == NULL)
        return to;
    to = collect(tree->left, to);
    *to++ = tree;
    return collect(tree->right, to);
}

static int more_frequent(const void *one, const void *other) {
    const struct word *a = *(struct word *const *)one, *b = *(struct word *const *)other;
    return a->count != b->count ? b->count - a->count : strcmp(a->text, b->text);
}

static void release(struct word *tree) {
    if (tree) {
        release(tree->left);
        release(tree->right);
        free(tree);
    }
}

int main(int argc, char **argv) {
    static char line[256];
    struct word *tree = NULL;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    FILE *output = fopen(argv[2], "w");
    if (input == NULL || output == NULL)
        return 1;
    while (fgets(line, sizeof line, input)) {
        for (char *c = line; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        for (char *word = strtok(line, " \n.,;!?"); word; word = strtok(NULL, " \n.,;!?"))
            tree = count(tree, word);
    }
    struct word **all = malloc((size_t)words * sizeof *all);
    if (all == NULL)
        return 1;
    collect(tree, all);
    qsort(all, (size_t)words, sizeof *all, more_frequent);
    for (int i = 0; i < words; i++)
        fprintf(output, "%6d %s\n", all[i]->count, all[i]->text);
    free(all);
    release(tree);
    fclose(input);
    return fclose(output) != 0;
}
