/* Checksums of a text, by tables and by bits. */
#include <stdint.h>

#define SIZE 300

static uint8_t text[SIZE];
static uint32_t table[256];
static const uint8_t nibbles[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static void fill(void) {
    uint32_t x = 2463534242u;
    for (int i = 0; i < SIZE; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        text[i] = (uint8_t)((x & 31) + (x & 64 ? 'A' : 'a'));
    }
}

static void make_table(void) {
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[n] = c;
    }
}

static uint32_t crc32(const uint8_t *p, int n) {
    uint32_t c = 0xFFFFFFFFu;
    while (n-- > 0)
        c = table[(c ^ *p++) & 255] ^ (c >> 8);
    return ~c;
}

static uint16_t crc16(const uint8_t *p, int n) {
    uint16_t c = 0xFFFF;
    for (int i = 0; i < n; i++) {
        c ^= (uint16_t)(p[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            if (c & 0x8000)
                c = (uint16_t)(c << 1 ^ 0x1021);
            else
                c = (uint16_t)(c << 1);
    }
    return c;
}

static uint32_t adler(const uint8_t *p, int n) {
    uint32_t a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a += p[i];
        if (a >= 65521)
            a -= 65521;
        b += a;
        if (b >= 65521)
            b -= 65521;
    }
    return b << 16 | a;
}

static int bits(const uint8_t *p, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        count += nibbles[p[i] & 15] + nibbles[p[i] >> 4];
    return count;
}

static int bits_again(const uint8_t *p, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        for (uint8_t x = p[i]; x; x &= (uint8_t)(x - 1))
            count++;
    return count;
}

int main(void) {
    uint32_t sum = 0;
    fill();
    make_table();
    sum ^= crc32(text, SIZE);
    sum ^= crc16(text, SIZE);
    sum ^= adler(text, SIZE);
    if (bits(text, SIZE) != bits_again(text, SIZE))
        sum = 0;
    return (int)(sum & 0x7FFFFFFF);
}
