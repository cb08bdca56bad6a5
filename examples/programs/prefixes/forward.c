/* A router's table of prefixes in a trie whose branches skip bits: routes come and go, and packets
 * ask for the longest that fits.   forward EVENTS OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node node_t;

struct node {
    uint32_t key;
    uint8_t bits, used, metric;
    uint16_t hop;
    node_t *parent, *child[2];
};

typedef struct {
    unsigned long packets, bytes;
} counter_t;

static node_t *root;
static unsigned nodes, most_nodes, routes;
static counter_t counters[64];

#define MASK(bits) ((bits) ? 0xFFFFFFFFu << (32 - (bits)) : 0u)
#define BIT(key, at) ((key) >> (31 - (at)) & 1u)

static node_t *create(uint32_t key, unsigned bits, node_t *parent) {
    node_t *node = calloc(1, sizeof *node);
    if (!node)
        exit(3);
    node->key = key & MASK(bits);
    node->bits = (uint8_t)bits;
    node->parent = parent;
    if (++nodes > most_nodes)
        most_nodes = nodes;
    return node;
}

static unsigned common(uint32_t a, uint32_t b, unsigned most) {
    uint32_t differ = a ^ b;
    unsigned same = 0;
    while (same < most && !(differ & 0x80000000u)) {
        differ <<= 1;
        same++;
    }
    return same;
}

static node_t *insert(uint32_t key, unsigned bits) {
    node_t **place = &root, *parent = NULL;
    key &= MASK(bits);
    while (*place) {
        node_t *node = *place;
        unsigned least = node->bits < bits ? node->bits : bits;
        unsigned same = common(key, node->key, least);
        if (same == node->bits && same == bits)
            return node;
        if (same == node->bits) {
            parent = node;
            place = &node->child[BIT(key, node->bits)];
            continue;
        }
        node_t *between = create(key, same, parent);
        *place = between;
        between->child[BIT(node->key, same)] = node;
        node->parent = between;
        if (same == bits)
            return between;
        parent = between;
        place = &between->child[BIT(key, same)];
    }
    return *place = create(key, bits, parent);
}

static node_t *exact(uint32_t key, unsigned bits) {
    node_t *node = root;
    while (node && node->bits < bits) {
        if ((key ^ node->key) & MASK(node->bits))
            return NULL;
        node = node->child[BIT(key, node->bits)];
    }
    return node && node->bits == bits && node->key == (key & MASK(bits)) && node->used ? node
                                                                                       : NULL;
}

static const node_t *longest(uint32_t address) {
    const node_t *node = root, *found = NULL;
    while (node && !((address ^ node->key) & MASK(node->bits))) {
        if (node->used)
            found = node;
        if (node->bits == 32)
            break;
        node = node->child[BIT(address, node->bits)];
    }
    return found;
}

/* Nodes that hold no route and part nothing go. */
static void prune(node_t *node) {
    while (node && !node->used && !(node->child[0] && node->child[1])) {
        node_t *child = node->child[0] ? node->child[0] : node->child[1], *parent = node->parent;
        node_t **place = !parent ? &root : &parent->child[parent->child[1] == node];
        *place = child;
        if (child)
            child->parent = parent;
        free(node);
        nodes--;
        node = parent;
    }
}

static void dotted(uint32_t address, char *text) {
    sprintf(text, "%u.%u.%u.%u", (unsigned)(address >> 24), (unsigned)(address >> 16 & 255),
            (unsigned)(address >> 8 & 255), (unsigned)(address & 255));
}

static void dump(FILE *output, const node_t *node) {
    char text[16];
    if (!node)
        return;
    if (node->used) {
        dotted(node->key, text);
        fprintf(output, "%s/%u via %u metric %u\n", text, node->bits, node->hop, node->metric);
    }
    dump(output, node->child[0]);
    dump(output, node->child[1]);
}

int main(int argc, char **argv) {
    char line[80], text[16];
    unsigned lines = 0, bad = 0, lost = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fgets(line, sizeof line, input)) {
        unsigned a, b, c, d, bits, hop, metric;
        char action = 0;
        int fields =
            sscanf(line, "%c %u.%u.%u.%u/%u %u %u", &action, &a, &b, &c, &d, &bits, &hop, &metric);
        lines++;
        if (fields < 5 || a > 255 || b > 255 || c > 255 || d > 255 || (fields > 5 && bits > 32)) {
            bad++;
            continue;
        }
        uint32_t address = (uint32_t)a << 24 | b << 16 | c << 8 | d;
        if (action == '+' && fields == 8) {
            node_t *node = insert(address, bits);
            if (node->used && node->metric < metric)
                continue;
            routes += !node->used;
            node->used = 1;
            node->hop = (uint16_t)hop;
            node->metric = (uint8_t)metric;
        } else if (action == '-' && fields >= 6) {
            node_t *node = exact(address, bits);
            if (!node) {
                bad++;
                continue;
            }
            node->used = 0;
            routes--;
            prune(node);
        } else if (action == '?') {
            unsigned size = strlen(line) * 8 % 1500 + 40;
            const node_t *found = longest(address);
            if (!found) {
                lost++;
                continue;
            }
            counters[found->hop % 64].packets++;
            counters[found->hop % 64].bytes += size;
        } else
            bad++;
    }
    dump(output, root);
    for (unsigned i = 0; i < 64; i++)
        if (counters[i].packets)
            fprintf(output, "hop %u: %lu packets, %lu bytes\n", i, counters[i].packets,
                    counters[i].bytes);
    dotted(root ? root->key : 0, text);
    printf("%u lines, %u bad, %u routes, %u lost, root %s\n", lines, bad, routes, lost, text);
    fclose(input);
    return fclose(output) != 0;
}
