/* Seals the records of a log, one of up to 240 bytes after another, opens them again, and refuses
 * those that a line damaged.   seal INPUT OUTPUT */
#include <stdio.h>
#include <string.h>

#include "mbedtls/chachapoly.h"

#define RECORD 240
#define TAG 16

static void number_to(unsigned char nonce[12], unsigned number) {
    memset(nonce, 0x5A, 12);
    for (int i = 0; i < 4; i++)
        nonce[i] = (unsigned char)(number >> (8 * i));
}

int main(int argc, char **argv) {
    static unsigned char plain[RECORD], sealed[RECORD + TAG], opened[RECORD];
    unsigned char key[32], nonce[12], head[6];
    unsigned number = 0, good = 0, refused = 0, wrong = 0;
    mbedtls_chachapoly_context context;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output)
        return 1;
    for (unsigned i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)(i * 7 + 3);
    mbedtls_chachapoly_init(&context);
    if (mbedtls_chachapoly_setkey(&context, key))
        return 1;

    for (;;) {
        size_t length = fread(plain, 1, 40 + number * 37 % 201, input);
        if (length == 0)
            break;
        number_to(nonce, number);
        memcpy(head, nonce, 4);
        head[4] = (unsigned char)length;
        head[5] = 1;
        if (mbedtls_chachapoly_encrypt_and_tag(&context, length, nonce, head, sizeof head, plain,
                                               sealed, sealed + length))
            return 1;
        fwrite(head, 1, sizeof head, output);
        fwrite(sealed, 1, length + TAG, output);
        if (number % 5 == 4)
            sealed[number % length] ^= 0x10;
        int bad = mbedtls_chachapoly_auth_decrypt(&context, length, nonce, head, sizeof head,
                                                  sealed + length, sealed, opened);
        if (bad == MBEDTLS_ERR_CHACHAPOLY_AUTH_FAILED)
            refused++;
        else if (bad || memcmp(opened, plain, length))
            wrong++;
        else
            good++;
        number++;
    }
    mbedtls_chachapoly_free(&context);
    printf("%u records: %u good, %u refused, %u wrong\n", number, good, refused, wrong);
    fclose(input);
    return fclose(output) != 0;
}
