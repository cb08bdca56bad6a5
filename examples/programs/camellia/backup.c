/* A backup under a password: the key by PBKDF2 of SHA-256, blocks by Camellia in counter mode, a
 * tag by HMAC. Read again, with the right password and a wrong one.
 * backup INPUT PASSWORD ROUNDS OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbedtls/camellia.h"
#include "mbedtls/md.h"
#include "mbedtls/pkcs5.h"

#define PIECE 240
#define SALT 8
#define TAG 32

typedef struct {
    mbedtls_camellia_context cipher;
    mbedtls_md_context_t tag;
    unsigned char nonce[16], block[16];
    size_t used;
} backup_t;

static void start(backup_t *backup, const char *password, unsigned rounds,
                  const unsigned char *salt) {
    unsigned char keys[64];
    const mbedtls_md_info_t *sha256 = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
    memset(backup, 0, sizeof *backup);
    mbedtls_md_init(&backup->tag);
    if (mbedtls_md_setup(&backup->tag, sha256, 1) ||
        mbedtls_pkcs5_pbkdf2_hmac(&backup->tag, (const unsigned char *)password, strlen(password),
                                  salt, SALT, rounds, sizeof keys, keys))
        exit(3);
    mbedtls_camellia_init(&backup->cipher);
    mbedtls_camellia_setkey_enc(&backup->cipher, keys, 256);
    mbedtls_md_hmac_starts(&backup->tag, keys + 32, 32);
    memcpy(backup->nonce, salt, SALT);
}

static void crypt(backup_t *backup, size_t size, const unsigned char *from, unsigned char *to) {
    mbedtls_camellia_crypt_ctr(&backup->cipher, size, &backup->used, backup->nonce, backup->block,
                               from, to);
}

/* 0 if the tag is right; what was read has the check of its text. */
static int restore(const char *path, const char *password, unsigned rounds, unsigned long *check) {
    unsigned char piece[PIECE], salt[SALT], tag[TAG], made[TAG];
    backup_t backup;
    FILE *input = fopen(path, "rb");
    if (!input || fseek(input, -TAG, SEEK_END))
        return 1;
    long left = ftell(input) - SALT;
    fread(tag, 1, TAG, input);
    rewind(input);
    fread(salt, 1, SALT, input);
    start(&backup, password, rounds, salt);
    *check = 0;
    while (left > 0) {
        size_t size = fread(piece, 1, left < PIECE ? (size_t)left : PIECE, input);
        mbedtls_md_hmac_update(&backup.tag, piece, size);
        crypt(&backup, size, piece, piece);
        for (size_t i = 0; i < size; i++)
            *check = (*check * 31 + piece[i]) & 0xFFFFFFFF;
        left -= (long)size;
    }
    mbedtls_md_hmac_finish(&backup.tag, made);
    mbedtls_md_free(&backup.tag);
    fclose(input);
    return memcmp(tag, made, TAG) != 0;
}

int main(int argc, char **argv) {
    unsigned char piece[PIECE], salt[SALT] = {1, 3, 3, 7, 2, 0, 2, 6}, tag[TAG];
    unsigned long check = 0, again, wrong;
    backup_t backup;
    size_t size;
    if (argc != 5)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[4], "wb");
    unsigned rounds = (unsigned)atoi(argv[3]);
    if (!input || !output)
        return 1;
    start(&backup, argv[2], rounds, salt);
    fwrite(salt, 1, SALT, output);
    while ((size = fread(piece, 1, PIECE, input)) > 0) {
        for (size_t i = 0; i < size; i++)
            check = (check * 31 + piece[i]) & 0xFFFFFFFF;
        crypt(&backup, size, piece, piece);
        mbedtls_md_hmac_update(&backup.tag, piece, size);
        fwrite(piece, 1, size, output);
    }
    mbedtls_md_hmac_finish(&backup.tag, tag);
    mbedtls_md_free(&backup.tag);
    fwrite(tag, 1, TAG, output);
    fclose(input);
    if (fclose(output))
        return 1;
    int right = restore(argv[4], argv[2], rounds, &again);
    int other = restore(argv[4], "guess", rounds, &wrong);
    printf("%08lx, %08lx, %s, %s\n", check, again, right ? "damaged" : "as it was",
           other ? "refused" : "not refused");
    return right || !other || check != again;
}
