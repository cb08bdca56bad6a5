/* A program to fit prices with: what programs in C do all day, one small function each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 200, SIDE = 16 };
#define APART __attribute__((noinline))

typedef struct node {
    struct node *next;
    int16_t weight;
    uint8_t kind;
    int32_t values[3];
} node;

static node nodes[N];
static uint8_t bytes[1024], table[256], flags[64];
static int16_t halves[N], taps[16];
static int32_t words[N], other[N], grid[SIDE][SIDE], product[SIDE][SIDE];
static int depth, limit, count;
static unsigned total;
static uint32_t seed = 99, registers[8];

static uint32_t drawn(void) {
    return seed = seed * 1103515245u + 12345u;
}

static void filled(void) {
    for (int i = 0; i < N; i++) {
        nodes[i].next = i + 1 < N ? &nodes[(i * 7 + 1) % N] : NULL;
        nodes[i].weight = (int16_t)(drawn() >> 20);
        nodes[i].kind = (uint8_t)(drawn() >> 29);
        nodes[i].values[0] = i;
        halves[i] = (int16_t)(drawn() >> 17);
        words[i] = (int32_t)(drawn() >> 16) - 20000;
        other[i] = (int32_t)(drawn() >> 12);
    }
    for (int i = 0; i < 1024; i++)
        bytes[i] = (uint8_t)(drawn() >> 24);
    for (int i = 0; i < 256; i++)
        table[i] = (uint8_t)(255 - i);
    for (int i = 0; i < 16; i++)
        taps[i] = (int16_t)(i * 37 - 100);
    for (int i = 0; i < SIDE * SIDE; i++)
        grid[i / SIDE][i % SIDE] = i % 23;
    limit = N;
}

static APART int summed(const int32_t *of, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += of[i];
    return sum;
}

static APART void scaled(int32_t *to, const int32_t *from, int n, int by) {
    for (int i = 0; i < n; i++)
        to[i] = from[i] * by >> 4;
}

static APART int walked(const node *at, int most) {
    int found = 0;
    while (at != NULL && most-- > 0) {
        if (at->kind & 1)
            found += at->weight;
        else
            found -= at->values[1];
        at = at->next;
    }
    return found;
}

static APART void changed(int n) {
    for (int i = 0; i < n; i++) {
        nodes[i].values[2] += nodes[i].weight;
        nodes[i].kind ^= 3;
        if (nodes[i].values[2] > 1000)
            nodes[i].values[2] = 0;
    }
}

static APART void mapped(uint8_t *to, const uint8_t *from, int n) {
    while (n--)
        *to++ = table[*from++];
}

static APART unsigned measured(const uint8_t *text) {
    const uint8_t *at = text;
    while (*at > 3)
        at++;
    return (unsigned)(at - text);
}

static APART int filtered(const int16_t *x, int16_t *y, int n) {
    int peak = 0;
    for (int i = 15; i < n; i++) {
        int32_t sum = 0;
        for (int k = 0; k < 16; k++)
            sum += x[i - k] * taps[k];
        sum >>= 8;
        if (sum > 32767)
            sum = 32767;
        else if (sum < -32768)
            sum = -32768;
        y[i] = (int16_t)sum;
        if (sum > peak)
            peak = sum;
    }
    return peak;
}

static APART void multiplied(void) {
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int32_t sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += grid[i][k] * grid[k][j];
            product[i][j] = sum;
        }
}

static APART void blurred(void) {
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            product[i][j] = (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1] +
                             4 * grid[i][j]) /
                            8;
}

static APART int counted(int key) {
    int found = 0;
    for (int i = 0; i < limit; i++)
        if (words[i] < key && other[i] > key)
            found++;
    count += found;
    return found;
}

static APART unsigned mixed(const uint8_t *of, int n) {
    unsigned a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a = (a << 5 | a >> 27) ^ of[i];
        b += a & 0xff00ff;
        b ^= b >> 3;
    }
    return a + b;
}

static APART int executed(const uint8_t *code, int n) {
    int stack[8] = {0}, top = 0;
    for (int at = 0; at < n; at++) {
        switch (code[at] & 7) {
        case 0:
            stack[top & 7] = at;
            top++;
            break;
        case 1:
            stack[top & 7] += stack[(top - 1) & 7];
            break;
        case 2:
            stack[top & 7] -= 3;
            break;
        case 3:
            top--;
            break;
        case 4:
            if (stack[top & 7] & 1)
                at++;
            break;
        case 5:
            stack[(top + 1) & 7] = stack[top & 7] * 2;
            break;
        case 6:
            registers[at & 7] ^= (unsigned)stack[top & 7];
            break;
        default:
            total += (unsigned)stack[top & 7];
            break;
        }
    }
    return stack[top & 7];
}

static APART int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static APART int visited(int at) {
    if (at >= 63 || flags[at])
        return 0;
    flags[at] = 1;
    depth++;
    int found = visited(2 * at + 1) + visited(2 * at + 2) + 1;
    flags[at] = 0;
    return found;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}
static int nearer(int a, int b) {
    return abs(a) < abs(b) ? a : b;
}
static APART int called(int (*by)(int, int)) {
    int best = words[0];
    for (int i = 1; i < N; i++)
        best = by(best, words[i]);
    return best;
}

static APART void packed(uint8_t *to, const int32_t *from, int n) {
    unsigned held = 0, bits = 0;
    for (int i = 0; i < n; i++) {
        held = held << 5 | (from[i] & 31);
        bits += 5;
        while (bits >= 8) {
            bits -= 8;
            *to++ = (uint8_t)(held >> bits);
        }
    }
}

static APART int looked(uint32_t key) {
    unsigned at = key * 2654435761u >> 24;
    int steps = 0;
    while (table[at & 255] != (uint8_t)key && steps < 32) {
        at = at + 7;
        steps++;
    }
    return steps;
}

static APART void stepped(void) {
    for (int i = 0; i < 8; i++) {
        uint32_t x = registers[i], y = registers[(i + 3) & 7];
        x += (y >> 2) ^ (y << 9);
        registers[i] = x ^ 0x9e3779b9u;
        registers[(i + 5) & 7] -= x & y;
    }
}

static APART int least(const int32_t *a, const int32_t *b, int n) {
    int best = 1 << 30, where = -1;
    for (int i = 0; i < n; i++) {
        int away = a[i] - b[i];
        if (away < 0)
            away = -away;
        if (away < best) {
            best = away;
            where = i;
        }
    }
    return where;
}

static APART int bounded(int value) {
    static int last;
    if (value > last + 100)
        value = last + 100;
    if (value < last - 100)
        value = last - 100;
    last = value;
    total += (unsigned)(unsigned)value;
    return value;
}

int main(void) {
    filled();
    for (int round = 0; round < 6; round++) {
        total += (unsigned)(unsigned)summed(words, N);
        scaled(other, words, N, round + 3);
        total += (unsigned)walked(nodes, 150);
        changed(N);
        mapped(bytes + 512, bytes, 500);
        for (int i = 0; i < 40; i++)
            total += (unsigned)measured(bytes + i);
        total += (unsigned)filtered(halves, halves, N);
        multiplied();
        blurred();
        total += (unsigned)counted(round * 1000);
        total += (unsigned)(int)mixed(bytes, 1000);
        total += (unsigned)executed(bytes, 1000);
        total += (unsigned)fibonacci(12);
        for (int i = 0; i < 5; i++)
            total += (unsigned)visited(0);
        total += (unsigned)called(round & 1 ? larger : nearer);
        packed(bytes, words, 100);
        for (uint32_t i = 0; i < 60; i++)
            total += (unsigned)looked(i * 17u);
        for (int i = 0; i < 40; i++)
            stepped();
        total += (unsigned)least(words, other, N);
        for (int i = 0; i < N; i++)
            words[i] += bounded(words[i]) & 1;
    }
    printf("%u %d %d\n", total, depth, count);
    return 0;
}
