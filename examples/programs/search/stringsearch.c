/* Finds words in a text by Boyer, Moore and Horspool's method, whatever their case.
 * stringsearch TEXT WORDS */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *name, size_t *length) {
    FILE *file = fopen(name, "rb");
    char *text;
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    text = malloc(*length + 1);
    if (text)
        *length = fread(text, 1, *length, file);
    fclose(file);
    return text;
}

static unsigned char folded[UCHAR_MAX + 1];
static size_t skip[UCHAR_MAX + 1];

static void prepare(const char *word, size_t length) {
    for (int c = 0; c <= UCHAR_MAX; c++)
        skip[c] = length;
    for (size_t i = 0; i + 1 < length; i++) {
        skip[folded[(unsigned char)word[i]]] = length - 1 - i;
        skip[toupper((unsigned char)word[i])] = length - 1 - i;
    }
}

static const char *find(const char *from, const char *end, const char *word, size_t length) {
    while ((size_t)(end - from) >= length) {
        unsigned char last = (unsigned char)from[length - 1];
        size_t i = length;
        while (i > 0 && folded[(unsigned char)from[i - 1]] == folded[(unsigned char)word[i - 1]])
            i--;
        if (i == 0)
            return from;
        from += skip[last];
    }
    return NULL;
}

int main(int argc, char **argv) {
    size_t length;
    char line[80];
    long all = 0;
    if (argc != 3)
        return 2;
    char *text = read_text(argv[1], &length);
    FILE *words = fopen(argv[2], "r");
    if (text == NULL || words == NULL)
        return 1;
    for (int c = 0; c <= UCHAR_MAX; c++)
        folded[c] = (unsigned char)tolower(c);
    while (fgets(line, sizeof line, words)) {
        size_t bytes = strcspn(line, "\n");
        const char *at = text;
        long count = 0, first = -1;
        if (bytes == 0)
            continue;
        line[bytes] = '\0';
        prepare(line, bytes);
        while ((at = find(at, text + length, line, bytes)) != NULL) {
            if (first < 0)
                first = at - text;
            count++;
            at++;
        }
        if (count)
            printf("%s: %ld, first at %ld\n", line, count, first);
        all += count;
    }
    printf("%ld in all\n", all);
    free(text);
    fclose(words);
    return 0;
}
