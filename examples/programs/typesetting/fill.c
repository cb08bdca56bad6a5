/* Sets a text in pages: lines of equal length, with a head and numbers.   fill WIDTH TEXT OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64, LINES = 40 };

static char words[WORDS][32];
static int count, used, width, line_of_page, page = 1;
static FILE *output;

static void head(void) {
    char left[24], right[24];
    sprintf(left, "Part %02d", (page + 3) / 4);
    sprintf(right, "page %d", page);
    fprintf(output, "%-*s%*s\n\n", width / 2, left, width - width / 2, right);
}

static void end_line(void) {
    putc('\n', output);
    if (++line_of_page == LINES) {
        fprintf(output, "\n%*d\n\f", width / 2, page++);
        line_of_page = 0;
    }
}

static void set_line(int full) {
    int gaps = count - 1, blanks = full ? width - used + gaps : gaps, filled = 0;
    if (count == 0)
        return;
    if (line_of_page == 0)
        head();
    for (int i = 0; i < count; i++) {
        fputs(words[i], output);
        if (i < gaps) {
            int wanted = (i + 1) * blanks / gaps;
            fprintf(output, "%*s", wanted - filled, "");
            filled = wanted;
        }
    }
    count = used = 0;
    end_line();
}

static void add(const char *word) {
    int length = (int)strlen(word), with_blank = length + (count > 0);
    if (used + with_blank > width || count == WORDS) {
        set_line(1);
        with_blank = length;
    }
    memcpy(words[count++], word, (size_t)length + 1);
    used += with_blank;
}

int main(int argc, char **argv) {
    char word[32];
    int sentences = 0, letters[26] = {0};
    if (argc != 4)
        return 2;
    width = atoi(argv[1]);
    FILE *input = fopen(argv[2], "r");
    output = fopen(argv[3], "w");
    if (input == NULL || output == NULL || width < 32)
        return 1;
    while (fscanf(input, "%31s", word) == 1) {
        for (const char *c = word; *c; c++)
            if (isalpha((unsigned char)*c))
                letters[tolower((unsigned char)*c) - 'a']++;
        add(word);
        if (strchr(".!?", word[strlen(word) - 1]) && ++sentences % 6 == 0) {
            set_line(0);
            if (line_of_page)
                end_line();
        }
    }
    set_line(0);
    for (int i = 0; i < 26; i++)
        printf("%c %5d%s", 'a' + i, letters[i], i % 6 == 5 || i == 25 ? "\n" : "   ");
    printf("%d sentences, %d pages\n", sentences, page);
    fclose(input);
    return fclose(output) != 0;
}
