/* The alarms of a scheduler in a red-black tree: they are set, moved, cancelled and taken in order.
 * alarms COUNT SEED */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RED, BLACK };

typedef struct alarm {
    struct alarm *child[2], *parent;
    uint32_t due;
    uint16_t owner;
    unsigned colour : 1, repeats : 1, priority : 3;
} alarm_t;

static alarm_t *root;
static uint32_t state;

static uint32_t draw(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

static int before(const alarm_t *a, const alarm_t *b) {
    if (a->due != b->due)
        return a->due < b->due;
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->owner < b->owner;
}

static int is_red(const alarm_t *n) {
    return n && n->colour == RED;
}

static void replace(alarm_t *old, alarm_t *new) {
    if (!old->parent)
        root = new;
    else
        old->parent->child[old == old->parent->child[1]] = new;
    if (new)
        new->parent = old->parent;
}

static void rotate(alarm_t *n, int side) {
    alarm_t *up = n->child[!side];
    n->child[!side] = up->child[side];
    if (up->child[side])
        up->child[side]->parent = n;
    replace(n, up);
    up->child[side] = n;
    n->parent = up;
}

static void insert(alarm_t *n) {
    alarm_t **at = &root, *parent = NULL;
    while (*at) {
        parent = *at;
        at = &parent->child[!before(n, parent)];
    }
    *at = n;
    n->parent = parent;
    n->child[0] = n->child[1] = NULL;
    n->colour = RED;
    while (is_red(parent = n->parent)) {
        alarm_t *grand = parent->parent;
        int side = parent == grand->child[1];
        alarm_t *uncle = grand->child[!side];
        if (is_red(uncle)) {
            parent->colour = uncle->colour = BLACK;
            grand->colour = RED;
            n = grand;
            continue;
        }
        if (n == parent->child[!side]) {
            n = parent;
            rotate(n, side);
            parent = n->parent;
        }
        parent->colour = BLACK;
        grand->colour = RED;
        rotate(grand, !side);
    }
    root->colour = BLACK;
}

static alarm_t *first(alarm_t *n) {
    while (n && n->child[0])
        n = n->child[0];
    return n;
}

static void mend(alarm_t *n, alarm_t *parent) {
    while (n != root && !is_red(n)) {
        int side = n == parent->child[1];
        alarm_t *other = parent->child[!side];
        if (is_red(other)) {
            other->colour = BLACK;
            parent->colour = RED;
            rotate(parent, side);
            other = parent->child[!side];
        }
        if (!is_red(other->child[0]) && !is_red(other->child[1])) {
            other->colour = RED;
            n = parent;
            parent = n->parent;
            continue;
        }
        if (!is_red(other->child[!side])) {
            other->child[side]->colour = BLACK;
            other->colour = RED;
            rotate(other, !side);
            other = parent->child[!side];
        }
        other->colour = parent->colour;
        parent->colour = BLACK;
        other->child[!side]->colour = BLACK;
        rotate(parent, side);
        n = root;
    }
    if (n)
        n->colour = BLACK;
}

static void take_out(alarm_t *n) {
    alarm_t *below, *parent;
    unsigned colour = n->colour;
    if (n->child[0] && n->child[1]) {
        alarm_t *next = first(n->child[1]);
        colour = next->colour;
        below = next->child[1];
        parent = next->parent;
        if (parent == n) {
            parent = next;
        } else {
            replace(next, below);
            next->child[1] = n->child[1];
            next->child[1]->parent = next;
        }
        replace(n, next);
        next->child[0] = n->child[0];
        next->child[0]->parent = next;
        next->colour = n->colour;
    } else {
        below = n->child[0] ? n->child[0] : n->child[1];
        parent = n->parent;
        replace(n, below);
    }
    if (colour == BLACK)
        mend(below, parent);
}

static int height(const alarm_t *n) {
    if (!n)
        return 1;
    int left = height(n->child[0]), right = height(n->child[1]);
    if (left < 0 || left != right || (is_red(n) && (is_red(n->child[0]) || is_red(n->child[1]))))
        return -1;
    return left + (n->colour == BLACK);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    int count = atoi(argv[1]);
    alarm_t **all = calloc((size_t)count, sizeof *all), *n;
    uint32_t now = 0, sum = 0, rung = 0, moved = 0;
    state = (uint32_t)strtoul(argv[2], NULL, 10);
    if (!all)
        return 1;
    for (int i = 0; i < count; i++) {
        all[i] = malloc(sizeof **all);
        if (!all[i])
            return 1;
        all[i]->due = draw(50000);
        all[i]->owner = (uint16_t)i;
        all[i]->priority = draw(8) & 7;
        all[i]->repeats = draw(3) == 0;
        insert(all[i]);
    }
    printf("%d alarms, black height %d\n", count, height(root));
    for (int i = 0; i < count * 2; i++) {
        n = all[draw((uint32_t)count)];
        take_out(n);
        n->due = n->due / 2 + draw(40000);
        insert(n);
        moved++;
    }
    printf("%u moved, black height %d\n", (unsigned)moved, height(root));
    while ((n = first(root)) != NULL) {
        if (n->due < now)
            puts("late");
        now = n->due;
        sum = sum * 33 + n->owner + n->priority;
        rung++;
        take_out(n);
        if (n->repeats && n->due < 60000) {
            n->due += 5000 + n->owner % 700u;
            insert(n);
        } else {
            free(n);
        }
    }
    printf("%u rung, the last at %u, %08x\n", (unsigned)rung, (unsigned)now, (unsigned)sum);
    free(all);
    return 0;
}
