/* Keeps passwords as Argon2id makes them, and looks whether one is right.
 * login WORDS KIBIBYTES PASSES OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argon2.h"

int main(int argc, char **argv) {
    char word[64], kept[128];
    uint8_t salt[16];
    int users = 0, right = 0, wrong = 0;
    if (argc != 5)
        return 2;
    FILE *words = fopen(argv[1], "r"), *output = fopen(argv[4], "w");
    if (!words || !output)
        return 1;
    while (fgets(word, sizeof word, words)) {
        size_t length = strcspn(word, "\n");
        for (size_t i = 0; i < sizeof salt; i++)
            salt[i] = (uint8_t)(17 * users + 5 * (int)i + word[i % length]);
        int state = argon2id_hash_encoded((uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[2]), 1, word,
                                          length, salt, sizeof salt, 32, kept, sizeof kept);
        if (state != ARGON2_OK) {
            puts(argon2_error_message(state));
            return 1;
        }
        fprintf(output, "%s\n", kept);
        if (users++ % 4 == 0) { /* he types it, with a mistake every other time */
            if (users % 8 == 5)
                word[0] ^= 1;
            state = argon2id_verify(kept, word, length);
            right += state == ARGON2_OK;
            wrong += state == ARGON2_VERIFY_MISMATCH;
        }
    }
    printf("%d users, %d right, %d wrong\n", users, right, wrong);
    fclose(words);
    return fclose(output) != 0;
}
