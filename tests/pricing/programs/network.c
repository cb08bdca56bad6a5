/* Shortest ways, a queue of events, calls by pointers, and a coder with states. */
#include <stdint.h>

enum { NODES = 12, FAR = 9999, EVENTS = 40 };

struct event {
    int at, kind;
};
typedef int (*handler)(int);

static int weight[NODES][NODES], distance[NODES];
static uint8_t done[NODES];
static struct event queue[EVENTS];
static int queued;
static uint8_t coded[256];
static int16_t predicted;

static int shortest(int from, int to) {
    for (int i = 0; i < NODES; i++) {
        distance[i] = i == from ? 0 : FAR;
        done[i] = 0;
    }
    for (;;) {
        int best = -1;
        for (int i = 0; i < NODES; i++)
            if (!done[i] && distance[i] < FAR && (best < 0 || distance[i] < distance[best]))
                best = i;
        if (best < 0 || best == to)
            break;
        done[best] = 1;
        for (int i = 0; i < NODES; i++) {
            int by = distance[best] + weight[best][i];
            if (weight[best][i] != 0 && by < distance[i])
                distance[i] = by;
        }
    }
    return distance[to];
}

static void push(int at, int kind) {
    int i = queued++;
    while (i > 0 && queue[(i - 1) / 2].at > at) {
        queue[i] = queue[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    queue[i].at = at;
    queue[i].kind = kind;
}

static struct event pop(void) {
    struct event first = queue[0], last = queue[--queued];
    int i = 0;
    while (2 * i + 1 < queued) {
        int child = 2 * i + 1;
        if (child + 1 < queued && queue[child + 1].at < queue[child].at)
            child++;
        if (last.at <= queue[child].at)
            break;
        queue[i] = queue[child];
        i = child;
    }
    queue[i] = last;
    return first;
}

static int half(int x) {
    return x / 2;
}
static int triple(int x) {
    return x & 1 ? 3 * x + 1 : x;
}
static int collatz(int x) {
    return x <= 1 ? 0 : 1 + collatz(x & 1 ? 3 * x + 1 : x / 2);
}
static const handler handlers[] = {half, triple, collatz};

static int encode(int sample) {
    static int step = 16, index;
    int difference = sample - predicted, code = 0;
    if (difference < 0) {
        code = 8;
        difference = -difference;
    }
    for (int bit = 4, size = step; bit; bit >>= 1, size >>= 1)
        if (difference >= size) {
            code |= bit;
            difference -= size;
        }
    predicted = (int16_t)(predicted + (code & 8 ? -(code & 7) : code & 7) * step / 4);
    index += (code & 7) < 4 ? -1 : 2 * ((code & 7) - 3);
    if (index < 0)
        index = 0;
    else if (index > 40)
        index = 40;
    step = 16 + index * index;
    return code;
}

int main(void) {
    int sum = 0, at = 0;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++) {
            unsigned mixed = (unsigned)(i * 31 + j * 17 + (i ^ j) * 5) & 15;
            weight[i][j] = mixed > 9 ? (int)mixed : 0;
        }
    for (int i = 1; i < NODES; i++)
        sum += shortest(0, i);
    for (int i = 0; i < 25; i++)
        push((i * 37) % 29, i % 3);
    while (queued > 0) {
        struct event one = pop();
        sum += handlers[one.kind](one.at + 3);
        if (one.at < 5 && queued < EVENTS - 1 && at++ < 30)
            push(one.at + 6, (one.kind + 1) % 3);
    }
    for (int i = 0; i < 200; i++) {
        int sample = (i % 20) * (i % 20) * 8 - 1200;
        int code = encode(sample);
        coded[i] = (uint8_t)code;
    }
    for (int i = 0; i < 200; i++)
        sum = sum * 3 + coded[i];
    return sum;
}
