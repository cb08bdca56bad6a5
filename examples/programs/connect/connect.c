/* Plays connect four against itself by alpha-beta with a table of positions.   connect DEPTH MOVES
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, ROWS = 6, HEIGHT = ROWS + 1, ENTRIES = 4099, WON = 1000 };

/* A board is a bit for each place, the columns upwards; a spare row is above them. */
struct position {
    uint64_t mine, all;
    int moves;
};

struct entry {
    uint64_t key;
    signed char depth, exact, move;
    short value;
};

static struct entry *table;
static unsigned long searched;

static int wins(uint64_t stones) {
    static const int shifts[] = {1, HEIGHT, HEIGHT - 1, HEIGHT + 1};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = stones & stones >> shifts[i];
        if (pairs & pairs >> 2 * shifts[i])
            return 1;
    }
    return 0;
}

static uint64_t bottom(int column) {
    return (uint64_t)1 << column * HEIGHT;
}

static int may_play(const struct position *at, int column) {
    return (at->all & bottom(column) << (ROWS - 1)) == 0;
}

static struct position after(const struct position *at, int column) {
    struct position next = {at->mine ^ at->all, at->all | (at->all + bottom(column)),
                            at->moves + 1};
    return next;
}

/* Stones in the middle are worth more. */
static int worth(uint64_t stones) {
    static const signed char of_column[COLUMNS] = {0, 1, 3, 5, 3, 1, 0};
    int sum = 0;
    for (int column = 0; column < COLUMNS; column++)
        for (uint64_t rest = stones >> column * HEIGHT & 0x3F; rest; rest &= rest - 1)
            sum += of_column[column];
    return sum;
}

static int search(const struct position *at, int depth, int low, int high, int *best) {
    static const int order[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};
    uint64_t key = at->mine + at->all + 1;
    struct entry *entry = &table[key % ENTRIES];
    int first = low;
    searched++;
    if (depth == 0) {
        *best = -1;
        return worth(at->mine) - worth(at->mine ^ at->all);
    }
    if (entry->key == key && entry->depth == depth && entry->exact) {
        *best = entry->move;
        return entry->value;
    }
    *best = -1;
    for (int i = 0; i < COLUMNS; i++) {
        int column = order[i], value, reply;
        if (!may_play(at, column))
            continue;
        struct position next = after(at, column);
        if (wins(next.mine ^ next.all))
            value = WON - next.moves;
        else if (next.moves == COLUMNS * ROWS)
            value = 0;
        else
            value = -search(&next, depth - 1, -high, -low, &reply);
        if (value > low || *best < 0) {
            *best = column;
            if (value > low)
                low = value;
        }
        if (low >= high)
            break;
    }
    entry->key = key;
    entry->depth = (signed char)depth;
    entry->exact = low > first && low < high;
    entry->value = (short)low;
    entry->move = (signed char)*best;
    return low;
}

static void show(const struct position *at) {
    for (int row = ROWS - 1; row >= 0; row--) {
        char line[COLUMNS + 1] = "";
        for (int column = 0; column < COLUMNS; column++) {
            uint64_t place = bottom(column) << row;
            int mine = (at->mine & place) != 0, even = at->moves % 2 == 0;
            line[column] = at->all & place ? (mine == even ? 'x' : 'o') : '.';
        }
        puts(line);
    }
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    int depth = atoi(argv[1]), moves = atoi(argv[2]);
    struct position at = {0, 0, 0};
    table = calloc(ENTRIES, sizeof *table);
    if (table == NULL)
        return 1;
    while (at.moves < moves) {
        int column, value = search(&at, depth, -WON, WON, &column);
        if (column < 0)
            break;
        at = after(&at, column);
        printf("%2d: column %d, worth %+d\n", at.moves, column + 1, value);
        if (wins(at.mine ^ at.all))
            break;
    }
    show(&at);
    printf("%lu positions\n", searched);
    free(table);
    return 0;
}
