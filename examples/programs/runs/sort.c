/* Sorts a file of records that does not fit the memory: sorted runs in a scratch file, then one
 * merge of all by a heap.   sort INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN_RECORDS 128
#define MAX_RUNS 24
#define WINDOW 8
#define SCRATCH "runs.tmp"

typedef struct {
    uint32_t key;
    uint16_t sensor;
    int16_t value;
    char note[8];
} record_t;

typedef struct {
    record_t window[WINDOW];
    long next; /* record of the scratch file */
    long end;
    int at, filled;
} run_t;

static run_t run[MAX_RUNS];
static int heap[MAX_RUNS], heap_size;
static unsigned long compared, seeks;

static int order(const void *a, const void *b) {
    const record_t *p = a, *q = b;
    compared++;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->sensor != q->sensor)
        return p->sensor < q->sensor ? -1 : 1;
    return memcmp(p->note, q->note, sizeof p->note);
}

static int make_runs(FILE *in, FILE *scratch) {
    static record_t buffer[RUN_RECORDS];
    long written = 0;
    int runs = 0;
    size_t got;
    while (runs < MAX_RUNS && (got = fread(buffer, sizeof(record_t), RUN_RECORDS, in)) > 0) {
        qsort(buffer, got, sizeof(record_t), order);
        fwrite(buffer, sizeof(record_t), got, scratch);
        run[runs].next = written;
        written += (long)got;
        run[runs++].end = written;
    }
    return runs;
}

static int refill(run_t *r, FILE *scratch) {
    long left = r->end - r->next;
    if (left == 0)
        return 0;
    fseek(scratch, r->next * (long)sizeof(record_t), SEEK_SET);
    seeks++;
    r->filled =
        (int)fread(r->window, sizeof(record_t), (size_t)(left < WINDOW ? left : WINDOW), scratch);
    r->next += r->filled;
    r->at = 0;
    return r->filled;
}

static const record_t *head(int which) {
    return &run[which].window[run[which].at];
}

static void sift(int hole) {
    int moved = heap[hole], child;
    while ((child = 2 * hole + 1) < heap_size) {
        if (child + 1 < heap_size && order(head(heap[child + 1]), head(heap[child])) < 0)
            child++;
        if (order(head(moved), head(heap[child])) <= 0)
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = moved;
}

static unsigned long merge(int runs, FILE *scratch, FILE *out) {
    unsigned long records = 0;
    for (int i = 0; i < runs; i++)
        if (refill(&run[i], scratch))
            heap[heap_size++] = i;
    for (int i = heap_size / 2; i-- > 0;)
        sift(i);
    while (heap_size) {
        run_t *r = &run[heap[0]];
        fwrite(&r->window[r->at], sizeof(record_t), 1, out);
        records++;
        if (++r->at == r->filled && !refill(r, scratch))
            heap[0] = heap[--heap_size];
        sift(0);
    }
    return records;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb"), *scratch = fopen(SCRATCH, "wb+");
    if (!in || !out || !scratch)
        return 1;
    int runs = make_runs(in, scratch);
    unsigned long records = merge(runs, scratch, out);
    printf("%lu records in %d runs, %lu seeks, %s\n", records, runs, seeks,
           compared > records ? "sorted" : "nothing to sort");
    fclose(in);
    fclose(scratch);
    remove(SCRATCH);
    return fclose(out) != 0;
}
