/* MD5 of files (RFC 1321); its constants are computed.   md5 OUTPUT FILE... */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t constants[64];
static const uint8_t places[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static void make_constants(void) {
    for (int i = 0; i < 64; i++)
        constants[i] = (uint32_t)(fabs(sin(i + 1)) * 4294967296.0);
}

static void compress(uint32_t state[4], const uint8_t *block) {
    uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] | (uint32_t)block[4 * i + 1] << 8 |
                   (uint32_t)block[4 * i + 2] << 16 | (uint32_t)block[4 * i + 3] << 24;
    for (int i = 0; i < 64; i++) {
        uint32_t f = 0;
        int at = 0;
        switch (i / 16) {
        case 0:
            f = (b & c) | (~b & d);
            at = i;
            break;
        case 1:
            f = (d & b) | (~d & c);
            at = 5 * i + 1;
            break;
        case 2:
            f = b ^ c ^ d;
            at = 3 * i + 5;
            break;
        case 3:
            f = c ^ (b | ~d);
            at = 7 * i;
            break;
        }
        f += a + constants[i] + words[at % 16];
        a = d;
        d = c;
        c = b;
        int left = places[i / 16][i % 4];
        b += f << left | f >> (32 - left);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

/* The whole file at once, with the end that the method wants. */
static uint8_t *read_message(FILE *file, size_t *bytes) {
    size_t room = 4096, got, length = 0;
    uint8_t *data = malloc(room + 128);
    while (data && (got = fread(data + length, 1, room - length, file)) > 0) {
        length += got;
        if (length == room) {
            room *= 2;
            data = realloc(data, room + 128);
        }
    }
    if (data == NULL)
        return NULL;
    *bytes = (length + 8) / 64 * 64 + 64;
    memset(data + length, 0, *bytes - length);
    data[length] = 0x80;
    for (int i = 0; i < 4; i++)
        data[*bytes - 8 + (size_t)i] = (uint8_t)(length * 8 >> 8 * i);
    return data;
}

int main(int argc, char **argv) {
    FILE *output;
    if (argc < 3 || (output = fopen(argv[1], "w")) == NULL)
        return 2;
    make_constants();
    for (int i = 2; i < argc; i++) {
        uint32_t state[4] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
        size_t bytes = 0;
        FILE *file = fopen(argv[i], "rb");
        uint8_t *message = file ? read_message(file, &bytes) : NULL;
        if (message == NULL)
            return 1;
        for (size_t at = 0; at < bytes; at += 64)
            compress(state, message + at);
        for (int byte = 0; byte < 16; byte++)
            fprintf(output, "%02x", (unsigned)(state[byte / 4] >> byte % 4 * 8 & 255));
        fprintf(output, "  %s\n", argv[i]);
        free(message);
        fclose(file);
    }
    return fclose(output) != 0;
}
