/* Takes what matters out of a device's log in XML, by expressions with named groups, looks behind
 * and possessive loops.   fields FILE OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oniguruma.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char *const EXPRESSIONS[] = {
    "<value channel=\"(?<channel>\\w++)\" unit=\"(?<unit>[^\"]*+)\">(?<value>-?\\d+(?:\\.\\d+)?)",
    "(?<=time=\")(?<time>\\d+)(?=\")",
    "(?i)<EVENT>(?<kind>alarm|notice|limit)\\s*(?<rest>[^<]*+)</event>",
    "<!--\\s*(?<comment>(?:(?!-->).)*?)\\s*-->",
};

typedef struct {
    regex_t *regex;
    OnigRegion *region;
    unsigned found;
    FILE *output;
    const UChar *line;
} search_t;

static int show(const UChar *name, const UChar *name_end, int groups, int *group, regex_t *regex,
                void *data) {
    const search_t *search = data;
    (void)regex;
    for (int i = 0; i < groups; i++) {
        int begin = search->region->beg[group[i]], end = search->region->end[group[i]];
        if (begin >= 0)
            fprintf(search->output, " %.*s=%.*s", (int)(name_end - name), (const char *)name,
                    end - begin, (const char *)search->line + begin);
    }
    return 0;
}

static int compile(search_t *search, const char *text, FILE *output) {
    OnigErrorInfo error;
    const UChar *pattern = (const UChar *)text;
    memset(search, 0, sizeof *search);
    search->output = output;
    search->region = onig_region_new();
    int code = onig_new(&search->regex, pattern, pattern + strlen(text), ONIG_OPTION_DEFAULT,
                        ONIG_ENCODING_ASCII, ONIG_SYNTAX_RUBY, &error);
    if (code != ONIG_NORMAL) {
        UChar message[ONIG_MAX_ERROR_MESSAGE_LEN];
        onig_error_code_to_str(message, code, &error);
        printf("%s: %s\n", text, (char *)message);
    }
    return code;
}

int main(int argc, char **argv) {
    OnigEncoding encodings[] = {ONIG_ENCODING_ASCII};
    search_t searches[COUNT(EXPRESSIONS)];
    char line[256];
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    onig_initialize(encodings, 1);
    for (unsigned i = 0; i < COUNT(EXPRESSIONS); i++)
        if (compile(&searches[i], EXPRESSIONS[i], output))
            return 1;
    for (int number = 1; fgets(line, sizeof line, input); number++) {
        const UChar *begin = (const UChar *)line, *end = begin + strcspn(line, "\n");
        for (unsigned i = 0; i < COUNT(EXPRESSIONS); i++) {
            search_t *search = &searches[i];
            const UChar *at = begin;
            search->line = begin;
            while (at < end && onig_search(search->regex, begin, end, at, end, search->region,
                                           ONIG_OPTION_NONE) >= 0) {
                search->found++;
                fprintf(output, "%d", number);
                onig_foreach_name(search->regex, show, search);
                fputc('\n', output);
                at = begin + search->region->end[0] +
                     (search->region->end[0] == search->region->beg[0]);
            }
        }
    }
    for (unsigned i = 0; i < COUNT(EXPRESSIONS); i++) {
        printf("%u found by expression %u\n", searches[i].found, i + 1);
        onig_region_free(searches[i].region, 1);
        onig_free(searches[i].regex);
    }
    onig_end();
    fclose(input);
    return fclose(output) != 0;
}
