/* Shortest ways in a graph by Dijkstra's method, with a heap.   dijkstra GRAPH OUTPUT
 *
 * The first line has the numbers of nodes and of edges. Each edge is a line: from, to, length. Then
 * each line has two nodes between which a way is wanted. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct edge {
    int to, length;
    struct edge *next;
};

struct node {
    struct edge *edges;
    int distance, before, place; /* in the heap; -1: not there */
};

static struct node *nodes;
static int *heap, waiting;

static void swap(int i, int j) {
    int kept = heap[i];
    heap[i] = heap[j];
    heap[j] = kept;
    nodes[heap[i]].place = i;
    nodes[heap[j]].place = j;
}

static int nearer(int i, int j) {
    return nodes[heap[i]].distance < nodes[heap[j]].distance;
}

static void rise(int i) {
    for (; i > 0 && nearer(i, (i - 1) / 2); i = (i - 1) / 2)
        swap(i, (i - 1) / 2);
}

static void sink(int i) {
    for (;;) {
        int least = 2 * i + 1;
        if (least >= waiting)
            return;
        if (least + 1 < waiting && nearer(least + 1, least))
            least++;
        if (!nearer(least, i))
            return;
        swap(i, least);
        i = least;
    }
}

static void come_to(int node, int distance, int before) {
    struct node *there = &nodes[node];
    if (distance >= there->distance)
        return;
    there->distance = distance;
    there->before = before;
    if (there->place < 0) {
        there->place = waiting;
        heap[waiting++] = node;
    }
    rise(there->place);
}

static int nearest(void) {
    int node = heap[0];
    swap(0, --waiting);
    nodes[node].place = -1;
    sink(0);
    return node;
}

static void find_ways(int from, int count) {
    for (int i = 0; i < count; i++) {
        nodes[i].distance = INT_MAX;
        nodes[i].place = -1;
    }
    waiting = 0;
    come_to(from, 0, -1);
    while (waiting > 0) {
        int at = nearest();
        for (struct edge *edge = nodes[at].edges; edge; edge = edge->next)
            come_to(edge->to, nodes[at].distance + edge->length, at);
    }
}

static int print_way(FILE *output, int node) {
    int steps = nodes[node].before < 0 ? 0 : 1 + print_way(output, nodes[node].before);
    fprintf(output, " %d", node);
    return steps;
}

int main(int argc, char **argv) {
    int count, edges, from, to, length;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    FILE *output = fopen(argv[2], "w");
    if (input == NULL || output == NULL || fscanf(input, "%d %d", &count, &edges) != 2)
        return 1;
    nodes = calloc((size_t)count, sizeof *nodes);
    heap = malloc((size_t)count * sizeof *heap);
    if (nodes == NULL || heap == NULL)
        return 1;
    while (edges-- > 0 && fscanf(input, "%d %d %d", &from, &to, &length) == 3) {
        struct edge *edge = malloc(sizeof *edge);
        if (edge == NULL)
            return 1;
        *edge = (struct edge){to, length, nodes[from].edges};
        nodes[from].edges = edge;
    }
    while (fscanf(input, "%d %d", &from, &to) == 2) {
        find_ways(from, count);
        if (nodes[to].distance == INT_MAX) {
            fprintf(output, "%d to %d: none\n", from, to);
            continue;
        }
        fprintf(output, "%d to %d: %d by", from, to, nodes[to].distance);
        fprintf(output, " in %d\n", print_way(output, to));
    }
    fclose(input);
    return fclose(output) != 0;
}
