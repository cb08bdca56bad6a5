/* A program to fit prices with: loops that are at the heart of many C programs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))
enum { N = 256, SIDE = 24, NODES = 40, BUCKETS = 64 };

typedef struct item {
    struct item *next;
    uint32_t key;
    int16_t count;
    char name[10];
} item;

typedef struct {
    const uint8_t *at;
    uint32_t hold;
    int have;
} bit_reader;

typedef struct {
    int32_t value, index;
} predictor;

typedef struct {
    int32_t x, y, z;
    uint8_t kind;
} point;

static uint8_t text[1024], out[2048];
static uint16_t table[256];
static uint32_t crcs[256], sums[N], bits[32];
static int32_t costs[NODES][NODES], reached[NODES], heap[N + 1], rows[2][N], block[64];
static int16_t samples[N];
static item items[128], *buckets[BUCKETS];
static point points[100];
static double matrix[8][8], vector[8];
static float wave[64];
static uint32_t seed = 7;
static int parents[N];

static uint32_t drawn(void) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    return seed ^= seed << 5;
}

static void filled(void) {
    static const char letters[] = "the quick (brown) fox, 12 + 345 jumps \"over\" lazy dogs\n";
    for (int i = 0; i < 1024; i++)
        text[i] = (uint8_t)letters[(i * 7 + i / 40) % (sizeof letters - 1)];
    for (int i = 0; i < N; i++) {
        table[i] = (uint16_t)(drawn() >> 16);
        samples[i] = (int16_t)(drawn() >> 18);
        parents[i] = i;
        sums[i] = drawn();
    }
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++)
            costs[i][j] = (int32_t)(drawn() >> 24) + 1;
    for (int i = 0; i < 100; i++)
        points[i] = (point){i * 37 % 101, i * 53 % 97, i, (uint8_t)(i & 3)};
    for (int i = 0; i < 64; i++) {
        matrix[i / 8][i % 8] = i % 8 == i / 8 ? 9.5 : 1.0 / (i + 1);
        wave[i] = (float)i * 0.25f;
        block[i] = (int32_t)(drawn() >> 24) - 128;
    }
}

static APART void made_crcs(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int k = 0; k < 8; k++)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        crcs[i] = value;
    }
}

static APART uint32_t crc_of(const uint8_t *from, size_t size) {
    uint32_t crc = 0xffffffffu;
    while (size--)
        crc = crc >> 8 ^ crcs[(crc ^ *from++) & 255];
    return ~crc;
}

static APART uint16_t crc16_of(const uint8_t *from, int size) {
    uint16_t crc = 0xffff;
    for (int i = 0; i < size; i++) {
        crc ^= (uint16_t)(from[i] << 8);
        for (int k = 0; k < 8; k++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

static APART int predicted(predictor *state, const int16_t *from, uint8_t *to, int n) {
    static const int8_t moves[16] = {-1, -1, -1, -1, 2, 4, 6, 8, -1, -1, -1, -1, 2, 4, 6, 8};
    static const int16_t steps[16] = {7,  9,  12,  16,  21,  28,  37, 49,
                                      66, 88, 118, 158, 211, 282, 377};
    int32_t value = state->value, index = state->index;
    for (int i = 0; i < n; i++) {
        int32_t step = steps[index], difference = from[i] - value, code = 0, change = step >> 3;
        if (difference < 0) {
            code = 8;
            difference = -difference;
        }
        if (difference >= step) {
            code |= 4;
            difference -= step;
            change += step;
        }
        step >>= 1;
        if (difference >= step) {
            code |= 2;
            change += step;
        }
        value += code & 8 ? -change : change;
        if (value > 32767)
            value = 32767;
        else if (value < -32768)
            value = -32768;
        index += moves[code];
        if (index < 0)
            index = 0;
        if (index > 14)
            index = 14;
        to[i] = (uint8_t)code;
    }
    state->value = value;
    state->index = index;
    return value;
}

static APART int found_in(const uint8_t *in, int n, const char *what, int size) {
    uint8_t skip[256];
    int found = 0;
    memset(skip, size, sizeof skip);
    for (int i = 0; i < size - 1; i++)
        skip[(uint8_t)what[i]] = (uint8_t)(size - 1 - i);
    for (int at = 0; at + size <= n; at += skip[in[at + size - 1]]) {
        int k = size - 1;
        while (k >= 0 && in[at + k] == (uint8_t)what[k])
            k--;
        found += k < 0;
    }
    return found;
}

static APART int words_in(const uint8_t *in, int n, int *lines) {
    int words = 0, inside = 0;
    for (int i = 0; i < n; i++) {
        int c = in[i];
        if (c == '\n')
            ++*lines;
        if (c == ' ' || c == '\n' || c == '\t')
            inside = 0;
        else if (!inside) {
            inside = 1;
            words++;
        }
    }
    return words;
}

static APART unsigned hashed(const char *name) {
    unsigned hash = 5381;
    while (*name)
        hash = hash * 33 + (uint8_t)*name++;
    return hash;
}

static APART item *looked_up(uint32_t key, const char *name) {
    item *one = buckets[key % BUCKETS];
    while (one != NULL) {
        if (one->key == key && one->name[0] == name[0])
            return one;
        one = one->next;
    }
    return NULL;
}

static APART void counted(int n) {
    int used = 0;
    for (int i = 0; i < n; i++) {
        char name[3] = {(char)('a' + i * 7 % 26), (char)('a' + i % 11), 0};
        uint32_t key = hashed(name);
        item *one = looked_up(key, name);
        if (one == NULL && used < 128) {
            one = &items[used++];
            one->key = key;
            one->count = 0;
            one->name[0] = name[0];
            one->next = buckets[key % BUCKETS];
            buckets[key % BUCKETS] = one;
        }
        if (one != NULL)
            one->count++;
    }
}

static APART int sifted(int32_t *of, int size) {
    int value = of[1], at = 1;
    of[1] = of[size--];
    while (2 * at <= size) {
        int child = 2 * at;
        if (child < size && of[child + 1] < of[child])
            child++;
        if (of[at] <= of[child])
            break;
        int32_t kept = of[at];
        of[at] = of[child];
        of[child] = kept;
        at = child;
    }
    return value;
}

static APART void pushed(int32_t *of, int size, int32_t value) {
    int at = size;
    while (at > 1 && of[at / 2] > value) {
        of[at] = of[at / 2];
        at /= 2;
    }
    of[at] = value;
}

static APART int heap_used(void) {
    int sum = 0;
    for (int i = 1; i <= 100; i++)
        pushed(heap, i, (int32_t)(sums[i] >> 20));
    for (int i = 100; i > 0; i--)
        sum ^= sifted(heap, i);
    return sum;
}

static int by_x(const point *a, const point *b) {
    return a->x - b->x;
}

static int by_kind(const point *a, const point *b) {
    return a->kind != b->kind ? a->kind - b->kind : a->y - b->y;
}

static APART void sorted(point *of, int low, int high,
                         int (*compare)(const point *, const point *)) {
    while (low < high) {
        point middle = of[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (compare(&of[i], &middle) < 0)
                i++;
            while (compare(&of[j], &middle) > 0)
                j--;
            if (i <= j) {
                point kept = of[i];
                of[i++] = of[j];
                of[j--] = kept;
            }
        }
        sorted(of, low, j, compare);
        low = i;
    }
}

static APART void inserted(int16_t *of, int n) {
    for (int i = 1; i < n; i++) {
        int16_t value = of[i];
        int k = i - 1;
        for (; k >= 0 && of[k] > value; k--)
            of[k + 1] = of[k];
        of[k + 1] = value;
    }
}

static APART int shortest(int from) {
    uint8_t done[NODES] = {0};
    for (int i = 0; i < NODES; i++)
        reached[i] = INT32_MAX;
    reached[from] = 0;
    for (int round = 0; round < NODES; round++) {
        int best = -1;
        for (int i = 0; i < NODES; i++)
            if (!done[i] && (best < 0 || reached[i] < reached[best]))
                best = i;
        done[best] = 1;
        for (int i = 0; i < NODES; i++)
            if (reached[best] + costs[best][i] < reached[i])
                reached[i] = reached[best] + costs[best][i];
    }
    return reached[NODES - 1];
}

static APART int distance(const uint8_t *a, const uint8_t *b, int n) {
    for (int j = 0; j <= n; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int32_t *row = rows[i & 1], *before = rows[~i & 1];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int32_t least = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < least)
                least = before[j] + 1;
            if (row[j - 1] + 1 < least)
                least = row[j - 1] + 1;
            row[j] = least;
        }
    }
    return rows[n & 1][n];
}

static APART int root_of(int at) {
    while (parents[at] != at) {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    return at;
}

static APART int joined(int n) {
    int sets = n;
    for (int i = 0; i < n; i++) {
        int a = root_of(i), b = root_of(i * 7 % n);
        if (a != b) {
            parents[a] = b;
            sets--;
        }
    }
    return sets;
}

static uint32_t bits_of(bit_reader *reader, int n) {
    while (reader->have < n) {
        reader->hold |= (uint32_t)*reader->at++ << reader->have;
        reader->have += 8;
    }
    uint32_t value = reader->hold & ((1u << n) - 1);
    reader->hold >>= n;
    reader->have -= n;
    return value;
}

static APART uint32_t unpacked(const uint8_t *from, int n) {
    bit_reader reader = {from, 0, 0};
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += bits_of(&reader, 1 + i % 7);
    return sum;
}

static APART int packed(const uint8_t *from, int n, uint8_t *to) {
    int made = 0;
    for (int i = 0; i < n;) {
        int run = 1;
        while (i + run < n && run < 127 && from[i + run] == from[i])
            run++;
        to[made++] = (uint8_t)run;
        to[made++] = from[i];
        i += run;
    }
    return made;
}

static APART int moved_to_front(const uint8_t *from, int n, uint8_t *to) {
    uint8_t order[256];
    int sum = 0;
    for (int i = 0; i < 256; i++)
        order[i] = (uint8_t)i;
    for (int i = 0; i < n; i++) {
        uint8_t before = order[0], c = from[i];
        int k = 0;
        while (before != c) {
            uint8_t kept = before;
            before = order[++k];
            order[k] = kept;
        }
        order[0] = before;
        to[i] = (uint8_t)k;
        sum += k;
    }
    return sum;
}

static APART int coded64(const uint8_t *from, int n, uint8_t *to) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    int made = 0;
    for (int i = 0; i + 2 < n; i += 3) {
        uint32_t three = (uint32_t)from[i] << 16 | (uint32_t)from[i + 1] << 8 | from[i + 2];
        to[made++] = (uint8_t)digits[three >> 18];
        to[made++] = (uint8_t)digits[three >> 12 & 63];
        to[made++] = (uint8_t)digits[three >> 6 & 63];
        to[made++] = (uint8_t)digits[three & 63];
    }
    return made;
}

static APART int written(char *to, int value) {
    char digits[12];
    int n = 0, size = 0;
    unsigned left = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    do
        digits[n++] = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        to[size++] = '-';
    while (n)
        to[size++] = digits[--n];
    to[size] = 0;
    return size;
}

static APART int read_number(const char *from) {
    int value = 0, sign = 1;
    if (*from == '-') {
        sign = -1;
        from++;
    }
    while (*from >= '0' && *from <= '9')
        value = value * 10 + (*from++ - '0');
    return sign * value;
}

static APART int numbers(int n) {
    char digits[14];
    int sum = 0;
    for (int i = 0; i < n; i++) {
        written(digits, i * 7919 - 5000);
        sum += read_number(digits);
    }
    return sum;
}

static APART int scanned(const uint8_t *from, int n) {
    int kinds[6] = {0}, i = 0;
    while (i < n) {
        switch (from[i]) {
        case ' ':
        case '\n':
            i++;
            break;
        case '"':
            kinds[0]++;
            for (i++; i < n && from[i] != '"'; i++)
                ;
            i++;
            break;
        case '(':
        case ')':
            kinds[1]++;
            i++;
            break;
        case '+':
        case ',':
            kinds[2]++;
            i++;
            break;
        default:
            if (from[i] >= '0' && from[i] <= '9') {
                kinds[3]++;
                while (i < n && from[i] >= '0' && from[i] <= '9')
                    i++;
            } else {
                kinds[4]++;
                while (i < n && from[i] >= 'a' && from[i] <= 'z')
                    i++;
            }
        }
    }
    return kinds[0] * 7 + kinds[1] * 5 + kinds[2] * 3 + kinds[3] * 2 + kinds[4];
}

static const char *parsing;

static int sum_parsed(int depth);

static APART int factor_parsed(int depth) {
    if (*parsing == '(') {
        parsing++;
        int value = sum_parsed(depth + 1);
        parsing++;
        return value;
    }
    int value = 0;
    while (*parsing >= '0' && *parsing <= '9')
        value = value * 10 + *parsing++ - '0';
    return value;
}

static APART int sum_parsed(int depth) {
    int value = factor_parsed(depth);
    for (;;) {
        char operation = *parsing;
        if (operation != '+' && operation != '-' && operation != '*')
            return value;
        parsing++;
        int next = factor_parsed(depth);
        value = operation == '+' ? value + next : operation == '-' ? value - next : value * next;
    }
}

static APART void transformed(int32_t *of) {
    for (int i = 0; i < 8; i++, of += 8) {
        int32_t a = of[0] + of[7], b = of[0] - of[7], c = of[1] + of[6], d = of[1] - of[6];
        int32_t e = of[2] + of[5], f = of[2] - of[5], g = of[3] + of[4], h = of[3] - of[4];
        of[0] = a + c + e + g;
        of[4] = a - c - e + g;
        of[2] = ((a - g) * 1338 + (c - e) * 554) >> 10;
        of[6] = ((a - g) * 554 - (c - e) * 1338) >> 10;
        of[1] = (b * 1004 + d * 851 + f * 569 + h * 200) >> 10;
        of[3] = (b * 851 - d * 200 - f * 1004 - h * 569) >> 10;
        of[5] = (b * 569 - d * 1004 + f * 200 + h * 851) >> 10;
        of[7] = (b * 200 - d * 569 + f * 851 - h * 1004) >> 10;
    }
}

static APART void coloured(const uint8_t *from, uint8_t *to, int n) {
    for (int i = 0; i < n; i++, from += 3) {
        int r = from[0], g = from[1], b = from[2];
        int y = (77 * r + 150 * g + 29 * b) >> 8, u = ((b - y) * 144 >> 8) + 128;
        to[2 * i] = (uint8_t)y;
        to[2 * i + 1] = (uint8_t)(u < 0 ? 0 : u > 255 ? 255 : u);
    }
}

static APART void substituted(uint32_t *s, const uint32_t *key, int rounds) {
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3];
    while (rounds--) {
        uint32_t e =
            crcs[a >> 24] ^ crcs[b >> 16 & 255] ^ crcs[c >> 8 & 255] ^ crcs[d & 255] ^ key[0];
        uint32_t f =
            crcs[b >> 24] ^ crcs[c >> 16 & 255] ^ crcs[d >> 8 & 255] ^ crcs[a & 255] ^ key[1];
        uint32_t g =
            crcs[c >> 24] ^ crcs[d >> 16 & 255] ^ crcs[a >> 8 & 255] ^ crcs[b & 255] ^ key[2];
        d = crcs[d >> 24] ^ crcs[a >> 16 & 255] ^ crcs[b >> 8 & 255] ^ crcs[c & 255] ^ key[3];
        a = e;
        b = f;
        c = g;
        key += 4;
    }
    s[0] = a;
    s[1] = b;
    s[2] = c;
    s[3] = d;
}

static APART void mixed_columns(uint8_t *state) {
    for (int i = 0; i < 16; i += 4) {
        uint8_t all = state[i] ^ state[i + 1] ^ state[i + 2] ^ state[i + 3], first = state[i];
        for (int k = 0; k < 4; k++) {
            uint8_t pair = state[i + k] ^ (k == 3 ? first : state[i + k + 1]);
            state[i + k] ^= (uint8_t)(all ^ (uint8_t)(pair << 1 ^ (pair & 0x80 ? 0x1b : 0)));
        }
    }
}

static APART int sieved(int n) {
    int primes = 0;
    memset(bits, 0xff, sizeof bits);
    for (int i = 2; i < n; i++)
        if (bits[i >> 5] >> (i & 31) & 1) {
            primes++;
            for (int k = i * i; k < n; k += i)
                bits[k >> 5] &= ~(1u << (k & 31));
        }
    return primes;
}

static APART unsigned common(unsigned a, unsigned b) {
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static APART int searched(const int32_t *in, int n, int32_t key) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = (low + high) >> 1;
        if (in[middle] == key)
            return middle;
        if (in[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

static APART int searches(int n) {
    int found = 0;
    for (int i = 0; i < N; i++)
        rows[0][i] = i * 5;
    for (int i = 0; i < n; i++)
        found += searched(rows[0], N, i * 3) >= 0;
    return found;
}

static APART uint64_t long_drawn(int n) {
    uint64_t state = 88172645463325252ull, sum = 0;
    for (int i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sum += state >> 32;
    }
    return sum;
}

static APART uint32_t added(uint32_t *to, const uint32_t *a, const uint32_t *b, int n) {
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)a[i] + b[i];
        to[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

static APART int solved(double (*of)[8], double *right, int n) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double by = of[i][k] / of[k][k];
            for (int j = k; j < n; j++)
                of[i][j] -= by * of[k][j];
            right[i] -= by * right[k];
        }
    return right[n - 1] > 0;
}

static APART float smoothed(float *of, int n) {
    float before = of[0], most = 0;
    for (int i = 1; i < n; i++) {
        before += (of[i] - before) * 0.125f;
        of[i] = before;
        if (before > most)
            most = before;
    }
    return most;
}

static APART int filtered(uint8_t (*from)[SIDE], uint8_t (*to)[SIDE]) {
    int edges = 0;
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            int across = from[y][x + 1] - from[y][x - 1], down = from[y + 1][x] - from[y - 1][x];
            int size = abs(across) + abs(down);
            to[y][x] = (uint8_t)(size > 255 ? 255 : size);
            edges += size > 60;
        }
    return edges;
}

static APART unsigned runes(const uint8_t *from, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n;) {
        unsigned c = from[i++];
        if (c >= 0xc0 && i < n)
            c = (c & 31) << 6 | (from[i++] & 63);
        if (c >= 'a' && c <= 'z')
            c -= 32;
        sum = (sum << 5) - sum + c;
    }
    return sum;
}

static APART int filled_knapsack(int n) {
    memset(rows[1], 0, sizeof rows[1]);
    for (int i = 0; i < n; i++) {
        int weight = 3 + i * 5 % 17, worth = 10 + i * 7 % 23;
        for (int w = N - 1; w >= weight; w--) {
            int with = rows[1][w - weight] + worth;
            rows[1][w] = with > rows[1][w] ? with : rows[1][w];
        }
    }
    return rows[1][N - 1];
}

static APART void copied_points(point *to, const point *from, int n) {
    for (int i = 0; i < n; i++) {
        to[i] = from[n - 1 - i];
        to[i].z += to[i].x * 3;
    }
}

int main(void) {
    static uint8_t picture[SIDE][SIDE], edges[SIDE][SIDE];
    predictor state = {0, 0};
    uint32_t result = 0, four[4] = {1, 2, 3, 4};
    int lines = 0;
    filled();
    made_crcs();
    for (int i = 0; i < 3; i++) {
        result ^= crc_of(text, sizeof text) + crc16_of(text, 200);
        result += (uint32_t)predicted(&state, samples, out, N);
        result += (uint32_t)(found_in(text, 1024, "jumps", 5) + words_in(text, 1024, &lines));
        counted(150);
        result += (uint32_t)heap_used();
        sorted(points, 0, 99, by_x);
        sorted(points, 0, 99, by_kind);
        inserted(samples, 80);
        result += (uint32_t)(shortest(i) + distance(text, text + 9, 40) + joined(N));
        result += unpacked(text, 400) + (uint32_t)packed(text, 600, out);
        result += (uint32_t)(moved_to_front(text, 300, out) + coded64(text, 600, out));
        result += (uint32_t)(numbers(60) + scanned(text, 1000));
        for (int k = 0; k < 30; k++) {
            parsing = "(12+3)*4-(56-7*(8+9))+10";
            result += (uint32_t)sum_parsed(0);
        }
        for (int k = 0; k < 10; k++)
            transformed(block);
        coloured(text, out, 300);
        for (int k = 0; k < 10; k++)
            substituted(four, sums, 10);
        for (int k = 0; k < 50; k++)
            mixed_columns(out + k);
        result += (uint32_t)sieved(1000) + common(1836311903u, 701408733u + (unsigned)i);
        result += (uint32_t)searches(200) + (uint32_t)long_drawn(300);
        for (int k = 0; k < 10; k++)
            result += added(sums, sums, crcs, 100);
        result += (uint32_t)solved(matrix, vector, 8) + (uint32_t)smoothed(wave, 64);
        for (int k = 0; k < SIDE * SIDE; k++)
            picture[k / SIDE][k % SIDE] = (uint8_t)(drawn() >> 24);
        result += (uint32_t)filtered(picture, edges) + runes(text, 1000);
        result += (uint32_t)filled_knapsack(20);
        copied_points(points, points + 50, 50);
    }
    printf("%lu\n", (unsigned long)(result + four[0]));
    return 0;
}
