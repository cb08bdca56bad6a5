/* Finds what patterns match in a text, line by line, and counts it.   extract FILE PATTERN... */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libregexp.h"

#define GROUPS 16

int lre_check_stack_overflow(void *opaque, size_t size) {
    (void)opaque, (void)size;
    return 0;
}

void *lre_realloc(void *opaque, void *block, size_t size) {
    (void)opaque;
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

typedef struct {
    const char *text;
    uint8_t *code;
    unsigned lines, found;
    uint32_t sum;
} pattern_t;

static int compile(pattern_t *one, const char *text) {
    char message[80];
    int length;
    one->text = text;
    one->lines = one->found = one->sum = 0;
    one->code = lre_compile(&length, message, sizeof message, text, strlen(text),
                            LRE_FLAG_IGNORECASE, NULL);
    if (!one->code)
        printf("%s: %s\n", text, message);
    return one->code == NULL;
}

static void scan(pattern_t *one, const char *line, int length) {
    uint8_t *ends[2 * GROUPS];
    int at = 0, before = (int)one->found;
    int groups = lre_get_capture_count(one->code);
    while (at <= length &&
           lre_exec(ends, one->code, (const uint8_t *)line, at, length, 0, NULL) == 1) {
        one->found++;
        for (int group = 0; group < groups; group++)
            for (const uint8_t *p = ends[2 * group]; p && p < ends[2 * group + 1]; p++)
                one->sum = one->sum * 31 + *p;
        int end = (int)(ends[1] - (const uint8_t *)line);
        at = end > at ? end : at + 1;
    }
    one->lines += (int)one->found > before;
}

int main(int argc, char **argv) {
    char line[128];
    int count = argc - 2;
    if (count < 1)
        return 2;
    FILE *file = fopen(argv[1], "r");
    pattern_t *patterns = calloc((size_t)count, sizeof *patterns);
    if (!file || !patterns)
        return 1;
    for (int i = 0; i < count; i++)
        if (compile(&patterns[i], argv[2 + i]) || lre_get_capture_count(patterns[i].code) > GROUPS)
            return 1;
    while (fgets(line, sizeof line, file)) {
        int length = (int)strcspn(line, "\n");
        for (int i = 0; i < count; i++)
            scan(&patterns[i], line, length);
    }
    for (int i = 0; i < count; i++) {
        printf("%-28s %u in %u lines, %08x\n", patterns[i].text, patterns[i].found,
               patterns[i].lines, (unsigned)patterns[i].sum);
        lre_realloc(NULL, patterns[i].code, 0);
    }
    free(patterns);
    return fclose(file) != 0;
}
