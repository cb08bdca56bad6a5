/* SHA-1 of files (FIPS 180-1).   sha1 OUTPUT FILE... */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sha1 {
    uint32_t state[5];
    uint64_t bits;
    uint8_t block[64];
    size_t filled;
};

static uint32_t rotated(uint32_t x, int places) {
    return x << places | x >> (32 - places);
}

static void compress(struct sha1 *sha) {
    uint32_t w[80], a = sha->state[0], b = sha->state[1], c = sha->state[2];
    uint32_t d = sha->state[3], e = sha->state[4];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)sha->block[4 * i] << 24 | (uint32_t)sha->block[4 * i + 1] << 16 |
               (uint32_t)sha->block[4 * i + 2] << 8 | sha->block[4 * i + 3];
    for (int i = 16; i < 80; i++)
        w[i] = rotated(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t f, k;
        if (i < 20) {
            f = (b & c) | (~b & d);
            k = 0x5A827999;
        } else if (i < 40) {
            f = b ^ c ^ d;
            k = 0x6ED9EBA1;
        } else if (i < 60) {
            f = (b & c) | (b & d) | (c & d);
            k = 0x8F1BBCDC;
        } else {
            f = b ^ c ^ d;
            k = 0xCA62C1D6;
        }
        uint32_t next = rotated(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = rotated(b, 30);
        b = a;
        a = next;
    }
    sha->state[0] += a;
    sha->state[1] += b;
    sha->state[2] += c;
    sha->state[3] += d;
    sha->state[4] += e;
}

static void begin(struct sha1 *sha) {
    static const uint32_t initial[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    memcpy(sha->state, initial, sizeof initial);
    sha->bits = 0;
    sha->filled = 0;
}

static void update(struct sha1 *sha, const uint8_t *data, size_t bytes) {
    sha->bits += (uint64_t)bytes * 8;
    while (bytes > 0) {
        size_t part = sizeof sha->block - sha->filled;
        if (part > bytes)
            part = bytes;
        memcpy(sha->block + sha->filled, data, part);
        sha->filled += part;
        data += part;
        bytes -= part;
        if (sha->filled == sizeof sha->block) {
            compress(sha);
            sha->filled = 0;
        }
    }
}

static void finish(struct sha1 *sha) {
    uint64_t bits = sha->bits;
    sha->block[sha->filled++] = 0x80;
    if (sha->filled > 56) {
        memset(sha->block + sha->filled, 0, sizeof sha->block - sha->filled);
        compress(sha);
        sha->filled = 0;
    }
    memset(sha->block + sha->filled, 0, 56 - sha->filled);
    for (int i = 63; i >= 56; i--, bits >>= 8)
        sha->block[i] = (uint8_t)bits;
    compress(sha);
}

int main(int argc, char **argv) {
    static uint8_t part[1024];
    static struct sha1 sha;
    FILE *output;
    if (argc < 3 || (output = fopen(argv[1], "w")) == NULL)
        return 2;
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL)
            return 1;
        begin(&sha);
        for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
            update(&sha, part, got);
        finish(&sha);
        for (int word = 0; word < 5; word++)
            fprintf(output, "%08lx", (unsigned long)sha.state[word]);
        fprintf(output, "  %s\n", argv[i]);
        fclose(file);
    }
    return fclose(output) != 0;
}
