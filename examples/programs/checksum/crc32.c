/* CRC-32 of files (ISO 3309), a table of 256 entries made first.   crc32 OUTPUT FILE... */
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];

static void make_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? 0xEDB88320u ^ value >> 1 : value >> 1;
        table[byte] = value;
    }
}

static int crc_of_file(const char *name, uint32_t *crc, long *bytes) {
    FILE *file = fopen(name, "rb");
    int c;
    if (file == NULL) {
        perror(name);
        return -1;
    }
    *crc = 0xFFFFFFFFu;
    *bytes = 0;
    while ((c = getc(file)) != EOF) {
        *crc = table[(*crc ^ (uint32_t)c) & 0xFF] ^ *crc >> 8;
        ++*bytes;
    }
    *crc = ~*crc;
    return fclose(file);
}

int main(int argc, char **argv) {
    FILE *output;
    int failed = 0;
    if (argc < 3 || (output = fopen(argv[1], "w")) == NULL) {
        fprintf(stderr, "usage: crc32 OUTPUT FILE...\n");
        return 2;
    }
    make_table();
    for (int i = 2; i < argc; i++) {
        uint32_t crc;
        long bytes;
        if (crc_of_file(argv[i], &crc, &bytes) == 0)
            fprintf(output, "%08lX %7ld %s\n", (unsigned long)crc, bytes, argv[i]);
        else
            failed = 1;
    }
    return fclose(output) != 0 || failed;
}
