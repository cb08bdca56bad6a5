/* Compresses a file by Huffman's code: the lengths of all 256 codes, the number of bytes, the
 * codes. huffman INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOLS = 256 };

struct node {
    uint32_t weight;
    int symbol;
    struct node *left, *right;
};

static uint8_t lengths[SYMBOLS];
static uint32_t codes[SYMBOLS];

static int lighter(const void *one, const void *other) {
    const struct node *a = *(struct node *const *)one, *b = *(struct node *const *)other;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

static struct node *make_node(uint32_t weight, int symbol, struct node *left, struct node *right) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    *node = (struct node){weight, symbol, left, right};
    return node;
}

static struct node *make_tree(const uint32_t *weights) {
    struct node *nodes[SYMBOLS];
    int count = 0, inner = SYMBOLS;
    for (int symbol = 0; symbol < SYMBOLS; symbol++)
        if (weights[symbol])
            nodes[count++] = make_node(weights[symbol], symbol, NULL, NULL);
    qsort(nodes, (size_t)count, sizeof *nodes, lighter);
    while (count > 1) {
        struct node *sum =
            make_node(nodes[0]->weight + nodes[1]->weight, inner++, nodes[0], nodes[1]);
        int at = 2;
        for (; at < count && lighter(&nodes[at], &sum) < 0; at++)
            nodes[at - 2] = nodes[at];
        nodes[at - 2] = sum;
        memmove(&nodes[at - 1], &nodes[at], (size_t)(count - at) * sizeof *nodes);
        count--;
    }
    return nodes[0];
}

static void measure(struct node *node, uint8_t depth) {
    if (node->left == NULL) {
        lengths[node->symbol] = depth ? depth : 1;
    } else {
        measure(node->left, (uint8_t)(depth + 1));
        measure(node->right, (uint8_t)(depth + 1));
    }
    free(node);
}

/* Of one length, ascending with the symbol. */
static void assign_codes(void) {
    uint32_t code = 0;
    for (int length = 1; length <= 32; length++, code <<= 1)
        for (int symbol = 0; symbol < SYMBOLS; symbol++)
            if (lengths[symbol] == length)
                codes[symbol] = code++;
}

int main(int argc, char **argv) {
    uint32_t weights[SYMBOLS] = {0}, bytes = 0;
    uint64_t pending = 0;
    int bits = 0, c;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    while ((c = getc(input)) != EOF) {
        weights[c]++;
        bytes++;
    }
    measure(make_tree(weights), 0);
    assign_codes();
    fwrite(lengths, 1, sizeof lengths, output);
    fwrite(&bytes, 1, 4, output);
    rewind(input);
    while ((c = getc(input)) != EOF) {
        pending = pending << lengths[c] | codes[c];
        for (bits += lengths[c]; bits >= 8; bits -= 8)
            putc((int)(pending >> (bits - 8)) & 255, output);
    }
    if (bits)
        putc((int)(pending << (8 - bits)) & 255, output);
    fclose(input);
    return fclose(output) != 0;
}
