/* Names as people write them, made equal: composed, without case and compatible forms, without
 * accents; and how many columns they take.   normalise INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8proc.h"

static const int ways[] = {
    UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE,
    UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD,
    UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK,
};

static int columns(const char *text) {
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    utf8proc_int32_t code;
    int width = 0;
    while (*at) {
        utf8proc_ssize_t size = utf8proc_iterate(at, -1, &code);
        if (size < 0)
            return -1;
        width += utf8proc_charwidth(code);
        at += size;
    }
    return width;
}

int main(int argc, char **argv) {
    char line[400];
    int lines = 0, wrong = 0, widest = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fgets(line, sizeof line, input)) {
        line[strcspn(line, "\n")] = 0;
        int width = columns(line);
        lines++;
        if (width < 0) {
            wrong++;
            fputs("not of UTF-8\n", output);
            continue;
        }
        if (width > widest)
            widest = width;
        fprintf(output, "%d", width);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            utf8proc_uint8_t *made = NULL;
            if (utf8proc_map((const utf8proc_uint8_t *)line, 0, &made, ways[i]) < 0)
                return 1;
            fprintf(output, "\t%s", (char *)made);
            free(made);
        }
        fputc('\n', output);
    }
    printf("%d lines, %d wrong, the widest of %d columns\n", lines, wrong, widest);
    fclose(input);
    return fclose(output) != 0;
}
