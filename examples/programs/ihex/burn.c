/* Loads a file of Intel HEX into pages of a flash memory, checks every line, and writes what was
 * loaded as S-records.   burn INPUT.hex OUTPUT.srec */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 256
#define PAGES 64
#define DATA_BYTES 32

typedef struct page {
    uint32_t address;
    uint8_t bytes[PAGE], written[PAGE / 8];
    struct page *next;
} page_t;

typedef enum {
    GOOD,
    ENDED,
    NO_COLON,
    NOT_HEX,
    TOO_SHORT,
    WRONG_SUM,
    UNKNOWN,
    TWICE,
    CAUSES
} cause_t;

static const char *const CAUSE[CAUSES] = {
    "good",      "end",       "no colon",     "not a digit",
    "too short", "wrong sum", "unknown kind", "written twice",
};

static page_t *pages;
static uint32_t base, start;
static unsigned bytes_in, page_count;

static int digit(char c) {
    if (isdigit((unsigned char)c))
        return c - '0';
    if (isxdigit((unsigned char)c))
        return toupper((unsigned char)c) - 'A' + 10;
    return -1;
}

static int byte_at(const char *text) {
    int high = digit(text[0]), low = high < 0 ? -1 : digit(text[1]);
    return low < 0 ? -1 : high << 4 | low;
}

static page_t *page_of(uint32_t address) {
    page_t **at = &pages;
    while (*at && (*at)->address < address)
        at = &(*at)->next;
    if (!*at || (*at)->address != address) {
        page_t *made = malloc(sizeof *made);
        if (!made || ++page_count > PAGES)
            exit(EXIT_FAILURE);
        made->address = address;
        memset(made->bytes, 0xFF, sizeof made->bytes);
        memset(made->written, 0, sizeof made->written);
        made->next = *at;
        *at = made;
    }
    return *at;
}

static cause_t store(uint32_t address, uint8_t byte) {
    page_t *page = page_of(address & ~(uint32_t)(PAGE - 1));
    unsigned at = address & (PAGE - 1), bit = 1u << (at & 7);
    if (page->written[at >> 3] & bit)
        return TWICE;
    page->written[at >> 3] |= (uint8_t)bit;
    page->bytes[at] = byte;
    bytes_in++;
    return GOOD;
}

static cause_t load(const char *line) {
    uint8_t record[5 + 255];
    size_t length = strspn(line + 1, "0123456789abcdefABCDEF"), count = 0;
    uint8_t sum = 0;
    if (*line != ':')
        return NO_COLON;
    if (line[1 + length] && !isspace((unsigned char)line[1 + length]))
        return NOT_HEX;
    for (size_t i = 1; i + 1 <= length && count < sizeof record; i += 2) {
        int byte = byte_at(line + i);
        if (byte < 0)
            return NOT_HEX;
        record[count++] = (uint8_t)byte;
        sum = (uint8_t)(sum + byte);
    }
    if (count < 5 || count != 5u + record[0])
        return TOO_SHORT;
    if (sum)
        return WRONG_SUM;
    uint16_t offset = (uint16_t)(record[1] << 8 | record[2]);
    switch (record[3]) {
    case 0:
        for (unsigned i = 0; i < record[0]; i++) {
            cause_t cause = store(base + (uint16_t)(offset + i), record[4 + i]);
            if (cause != GOOD)
                return cause;
        }
        return GOOD;
    case 1:
        return ENDED;
    case 2:
        base = (uint32_t)(record[4] << 8 | record[5]) << 4;
        return GOOD;
    case 4:
        base = (uint32_t)(record[4] << 8 | record[5]) << 16;
        return GOOD;
    case 5:
        start = (uint32_t)record[4] << 24 | (uint32_t)record[5] << 16 | (uint32_t)record[6] << 8 |
                record[7];
        return GOOD;
    default:
        return UNKNOWN;
    }
}

static void put_record(FILE *output, char kind, uint32_t address, const uint8_t *data,
                       unsigned count) {
    unsigned sum = count + 5 + (address >> 24) + (address >> 16 & 255) + (address >> 8 & 255) +
                   (address & 255);
    fprintf(output, "S%c%02X%08lX", kind, count + 5, (unsigned long)address);
    for (unsigned i = 0; i < count; i++) {
        fprintf(output, "%02X", data[i]);
        sum += data[i];
    }
    fprintf(output, "%02X\n", ~sum & 0xFF);
}

static void put_page(FILE *output, const page_t *page) {
    for (unsigned at = 0; at < PAGE;) {
        if (!(page->written[at >> 3] >> (at & 7) & 1)) {
            at++;
            continue;
        }
        unsigned count = 0;
        while (at + count < PAGE && count < DATA_BYTES &&
               page->written[(at + count) >> 3] >> ((at + count) & 7) & 1)
            count++;
        put_record(output, '3', page->address + at, page->bytes + at, count);
        at += count;
    }
}

int main(int argc, char **argv) {
    unsigned number = 0, causes[CAUSES] = {0};
    char line[560];
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fgets(line, sizeof line, input)) {
        cause_t cause = load(line);
        number++;
        causes[cause]++;
        if (cause > ENDED)
            printf("line %u: %s\n", number, CAUSE[cause]);
        if (cause == ENDED)
            break;
    }
    for (page_t *page = pages, *next; page; page = next) {
        next = page->next;
        put_page(output, page);
        free(page);
    }
    put_record(output, '7', start, NULL, 0);
    printf("%u lines, %u good, %u bytes in %u pages\n", number, causes[GOOD], bytes_in, page_count);
    fclose(input);
    return fclose(output) != 0;
}
