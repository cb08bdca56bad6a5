/* Simulates the tellers of a bank by a queue of events, the soonest first.
 * events CUSTOMERS TELLERS OUTPUT */
#include <stdio.h>
#include <stdlib.h>

enum event_kind { ARRIVAL, DEPARTURE };

struct event {
    unsigned time;
    enum event_kind kind;
    int who;
};

struct customer {
    unsigned came, began;
    struct customer *behind;
};

static struct event *heap;
static int events, room;

static int before(const struct event *a, const struct event *b) {
    return a->time != b->time ? a->time < b->time : a->who < b->who;
}

static void put(struct event one) {
    if (events == room) {
        room = room ? room + room / 2 : 4;
        heap = realloc(heap, (size_t)room * sizeof *heap);
        if (heap == NULL)
            exit(1);
    }
    int at = events++;
    while (at > 0 && before(&one, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = one;
}

static struct event take(void) {
    struct event first = heap[0], last = heap[--events];
    int at = 0;
    for (int child; (child = 2 * at + 1) < events; at = child) {
        if (child + 1 < events && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &last))
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

static unsigned seed = 20261;

static unsigned drawn(unsigned below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static struct customer *first, *last;

int main(int argc, char **argv) {
    enum { CLASSES = 16, MOST_TELLERS = 32 };
    unsigned waited[CLASSES] = {0}, now = 0;
    struct customer *at_teller[MOST_TELLERS] = {NULL};
    unsigned long waiting = 0, busy = 0;
    int customers = argc == 4 ? atoi(argv[1]) : 0, tellers = argc == 4 ? atoi(argv[2]) : 0;
    if (customers < 1 || tellers < 1 || tellers > MOST_TELLERS)
        return 2;
    FILE *output = fopen(argv[3], "w");
    if (output == NULL)
        return 1;
    unsigned arrival = 0;
    for (int i = 0; i < customers; i++) {
        arrival += drawn(60);
        put((struct event){arrival, ARRIVAL, i});
    }
    int served = 0;
    while (events) {
        struct event event = take();
        now = event.time;
        if (event.kind == ARRIVAL) {
            struct customer *one = malloc(sizeof *one);
            if (one == NULL)
                return 1;
            one->came = now;
            one->behind = NULL;
            if (first)
                last->behind = one;
            else
                first = one;
            last = one;
        } else {
            struct customer *one = at_teller[event.who];
            at_teller[event.who] = NULL;
            unsigned wait = one->began - one->came;
            waiting += wait;
            waited[wait / 20 < CLASSES ? wait / 20 : CLASSES - 1]++;
            if (++served % 50 == 0)
                fprintf(output, "%8u: %5d served, teller %2d, waited %6u\n", now, served, event.who,
                        wait);
            free(one);
        }
        for (int i = 0; i < tellers && first; i++)
            if (at_teller[i] == NULL) {
                struct customer *one = first;
                unsigned takes = 20 + drawn(10) * drawn(20) + drawn(30);
                first = one->behind;
                one->began = now;
                at_teller[i] = one;
                busy += takes;
                put((struct event){now + takes, DEPARTURE, i});
            }
    }
    unsigned long share = busy / (now / 100) / (unsigned)tellers;
    fprintf(output, "mean wait %lu, tellers busy %lu %%\n", waiting / (unsigned)customers, share);
    for (int i = 0; i < CLASSES; i++)
        fprintf(output, "%4d %c %6u\n", 20 * i, i < CLASSES - 1 ? ' ' : '+', waited[i]);
    free(heap);
    return fclose(output) != 0;
}
