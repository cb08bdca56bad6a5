/* Finds ways through a hall with obstacles for a cart, by A* with a heap.   route HALL OUTPUT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDEST 96
#define FREE_MARKS ".SE"

typedef struct {
    uint16_t x, y;
} place_t;

typedef struct {
    uint16_t cost;
    uint8_t came_by;
    bool closed;
} cell_t;

typedef struct {
    uint32_t key;
    uint16_t cost, cell;
} waiting_t;

static const int8_t STEP[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

static char *hall;
static cell_t *cells;
static waiting_t *heap;
static unsigned width, height, waiting, room, looked_at;

static void push(waiting_t one) {
    if (waiting == room) {
        room = room ? 2 * room : 64;
        heap = realloc(heap, room * sizeof *heap);
        if (!heap)
            exit(EXIT_FAILURE);
    }
    unsigned at = waiting++;
    while (at > 0 && heap[(at - 1) / 2].key > one.key) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = one;
}

static waiting_t pop(void) {
    waiting_t first = heap[0], last = heap[--waiting];
    unsigned at = 0;
    for (;;) {
        unsigned below = 2 * at + 1;
        if (below >= waiting)
            break;
        if (below + 1 < waiting && heap[below + 1].key < heap[below].key)
            below++;
        if (heap[below].key >= last.key)
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = last;
    return first;
}

static unsigned distance(unsigned cell, place_t to) {
    int dx = (int)(cell % width) - to.x, dy = (int)(cell / width) - to.y;
    return (unsigned)(abs(dx) + abs(dy));
}

/* The length of the way, or -1. */
static int find(place_t from, place_t to) {
    unsigned start = from.y * width + from.x, goal = to.y * width + to.x;
    for (unsigned i = 0; i < width * height; i++)
        cells[i] = (cell_t){UINT16_MAX, 0, false};
    waiting = 0;
    cells[start].cost = 0;
    push((waiting_t){distance(start, to) << 16, 0, (uint16_t)start});
    while (waiting) {
        waiting_t now = pop();
        cell_t *cell = &cells[now.cell];
        if (cell->closed)
            continue;
        if (now.cell == goal)
            return cell->cost;
        cell->closed = true;
        looked_at++;
        unsigned x = now.cell % width, y = now.cell / width;
        for (uint8_t way = 0; way < 4; way++) {
            unsigned nx = x + (unsigned)STEP[way][0], ny = y + (unsigned)STEP[way][1];
            if (nx >= width || ny >= height)
                continue;
            unsigned next = ny * width + nx;
            uint16_t cost = (uint16_t)(cell->cost + 1);
            if (!strchr(FREE_MARKS, hall[next]) || cost >= cells[next].cost)
                continue;
            cells[next].cost = cost;
            cells[next].came_by = way;
            push((waiting_t){(cost + distance(next, to)) << 16 | (0xFFFFu - cost), cost,
                             (uint16_t)next});
        }
    }
    return -1;
}

static void show(FILE *output, place_t from, place_t to, int length) {
    char way[4 * WIDEST + 1];
    unsigned at = to.y * width + to.x, start = from.y * width + from.x;
    int shown = length < 4 * WIDEST ? length : 0;
    way[shown] = 0;
    for (int i = shown; i > 0 && at != start; i--) {
        uint8_t by = cells[at].came_by;
        way[i - 1] = "ESWN"[by];
        at -= (unsigned)(STEP[by][1] * (int)width + STEP[by][0]);
    }
    fprintf(output, "%u,%u to %u,%u: %d %s\n", from.x, from.y, to.x, to.y, length, way);
}

static int read_hall(FILE *input) {
    char line[WIDEST + 2];
    size_t used = 0;
    while (fgets(line, sizeof line, input) && *line != '\n') {
        size_t length = strcspn(line, "\n");
        if (width && length != width)
            return -1;
        width = (unsigned)length;
        hall = realloc(hall, used + length);
        if (!hall)
            return -1;
        memcpy(hall + used, line, length);
        used += length;
        height++;
    }
    cells = malloc(width * height * sizeof *cells);
    return cells ? 0 : -1;
}

int main(int argc, char **argv) {
    int a, b, c, d, ways = 0, none = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output || read_hall(input))
        return 1;
    while (fscanf(input, "%d %d %d %d", &a, &b, &c, &d) == 4) {
        place_t from = {(uint16_t)a, (uint16_t)b}, to = {(uint16_t)c, (uint16_t)d};
        int length = find(from, to);
        if (length < 0) {
            none++;
            fprintf(output, "%d,%d to %d,%d: none\n", a, b, c, d);
        } else {
            ways++;
            show(output, from, to, length);
        }
    }
    printf("%u by %u: %d ways, %d none, %u places looked at\n", width, height, ways, none,
           looked_at);
    free(heap);
    free(cells);
    free(hall);
    fclose(input);
    return fclose(output) != 0;
}
