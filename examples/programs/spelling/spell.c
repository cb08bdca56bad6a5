/* Names words that no dictionary has, and proposes others that differ by one letter, a missing or
 * a further one, or two that change places.   spell DICTIONARY TEXT OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2048, WORD_MAX = 24 };

struct word {
    struct word *next;
    char text[];
};

static struct word *slots[SLOTS];

static unsigned slot_of(const char *text) {
    unsigned hash = 5381;
    while (*text)
        hash = hash * 33 + (unsigned char)*text++;
    return hash % SLOTS;
}

static int known(const char *text) {
    struct word *word = slots[slot_of(text)];
    while (word && strcmp(word->text, text))
        word = word->next;
    return word != NULL;
}

static int learn(const char *text) {
    size_t bytes = strlen(text) + 1;
    struct word *word = malloc(sizeof *word + bytes);
    unsigned slot = slot_of(text);
    if (word == NULL)
        return -1;
    memcpy(word->text, text, bytes);
    word->next = slots[slot];
    slots[slot] = word;
    return 0;
}

static int read_dictionary(const char *name) {
    FILE *file = fopen(name, "r");
    char line[80];
    int words = 0;
    if (file == NULL)
        return -1;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line && learn(line) == 0)
            words++;
    }
    fclose(file);
    return words;
}

static int proposed;

static void propose(FILE *output, const char *candidate) {
    if (known(candidate)) {
        fprintf(output, "%s %s", proposed ? "," : ":", candidate);
        proposed++;
    }
}

static void find_proposals(FILE *output, const char *word) {
    char candidate[WORD_MAX + 2];
    size_t length = strlen(word);
    proposed = 0;
    for (size_t i = 0; i < length; i++) { /* one less */
        memcpy(candidate, word, i);
        strcpy(candidate + i, word + i + 1);
        propose(output, candidate);
    }
    for (size_t i = 0; i + 1 < length; i++) { /* two change places */
        strcpy(candidate, word);
        candidate[i] = word[i + 1];
        candidate[i + 1] = word[i];
        propose(output, candidate);
    }
    for (size_t i = 0; i <= length; i++)
        for (char letter = 'a'; letter <= 'z'; letter++) {
            if (i < length) { /* another one */
                strcpy(candidate, word);
                candidate[i] = letter;
                propose(output, candidate);
            }
            memcpy(candidate, word, i); /* one more */
            candidate[i] = letter;
            strcpy(candidate + i + 1, word + i);
            propose(output, candidate);
        }
}

static int read_word(FILE *input, char *word, int *line) {
    int length = 0, c;
    while ((c = getc(input)) != EOF) {
        if (c == '\n')
            ++*line;
        if (isalpha(c) && length < WORD_MAX)
            word[length++] = (char)tolower(c);
        else if (length > 0)
            break;
    }
    word[length] = '\0';
    return length;
}

int main(int argc, char **argv) {
    char word[WORD_MAX + 1];
    int line = 1, wrong = 0, words = 0;
    if (argc != 4 || read_dictionary(argv[1]) < 0)
        return 2;
    FILE *input = fopen(argv[2], "r");
    FILE *output = fopen(argv[3], "w");
    if (input == NULL || output == NULL)
        return 1;
    while (read_word(input, word, &line) > 0) {
        words++;
        if (known(word))
            continue;
        wrong++;
        fprintf(output, "%d %s", line, word);
        find_proposals(output, word);
        fputc('\n', output);
    }
    printf("%d of %d words\n", wrong, words);
    fclose(input);
    return fclose(output) != 0;
}
