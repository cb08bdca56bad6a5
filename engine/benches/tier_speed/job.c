/* A job of mixed work without an operating system: CRC, matrices, a list, strings, a sort. It ends
 * in `finished` with a checksum in `result`. ROUNDS is given at compile time. */
#include <stdint.h>

#define WORDS 256
#define SIDE 12
#define NODES 128

struct node {
    struct node *next;
    int32_t key;
    int32_t value;
};

static uint8_t bytes[4 * WORDS];
static int32_t left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static struct node nodes[NODES];
static int32_t numbers[WORDS];
static char text[WORDS];
static uint32_t state = 1;
static const char *const words[8] = {"counter", "cycle", "fetch", "window",
                                     "line",    "trail", "latch", "memory"};
volatile uint32_t result;

static uint32_t draw(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint32_t crc(const uint8_t *from, uint32_t count) {
    uint32_t sum = 0xFFFFFFFF;
    for (uint32_t i = 0; i < count; i++) {
        sum ^= from[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320 : sum >> 1;
    }
    return ~sum;
}

static int32_t multiply(void) {
    int32_t trace = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int32_t sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        }
    for (int i = 0; i < SIDE; i++)
        trace += product[i][i];
    return trace;
}

static struct node *build(void) {
    struct node *first = 0;
    for (int i = 0; i < NODES; i++) {
        struct node *one = &nodes[i];
        one->key = (int32_t)(draw() & 0xFFF);
        one->value = i;
        struct node **place = &first;
        for (int hops = 0; *place && (*place)->key < one->key && hops < 24; hops++)
            place = &(*place)->next;
        one->next = *place;
        *place = one;
    }
    return first;
}

static int32_t walk(const struct node *one) {
    int32_t sum = 0;
    for (; one; one = one->next)
        sum += one->key & 1 ? one->value : -one->value;
    return sum;
}

static uint32_t copy(char *to, const char *from) {
    uint32_t length = 0;
    while ((to[length] = from[length]))
        length++;
    return length;
}

static int compare(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (uint8_t)*a - (uint8_t)*b;
}

static uint32_t strings(void) {
    uint32_t length = 0, order = 0;
    for (int i = 0; i < 24; i++) {
        const char *word = words[draw() & 7];
        length += copy(text + length, word);
        for (int j = 0; j < 8; j++)
            order += compare(words[j], word) < 0;
    }
    return length << 16 | order;
}

static void sort(void) {
    for (uint32_t gap = WORDS / 2; gap; gap >>= 1)
        for (uint32_t i = gap; i < WORDS; i++) {
            int32_t one = numbers[i];
            uint32_t place = i;
            for (; place >= gap && numbers[place - gap] > one; place -= gap)
                numbers[place] = numbers[place - gap];
            numbers[place] = one;
        }
}

int main(void) {
    uint32_t sum = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++) {
            numbers[i] = (int32_t)draw();
            bytes[i] = (uint8_t)numbers[i];
        }
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                left[i][j] = (int32_t)(draw() >> 20);
                right[i][j] = (int32_t)(draw() >> 24) - 99;
            }
        sum = crc(bytes, WORDS / 2) ^ sum << 1;
        sum += (uint32_t)multiply();
        sum += (uint32_t)walk(build());
        sum ^= strings();
        sort();
        sum += (uint32_t)numbers[sum & (WORDS - 1)];
    }
    result = sum;
    return 0;
}
