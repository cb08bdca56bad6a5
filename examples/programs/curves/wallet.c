/* A wallet: gives each line of a file a signature by ECDSA over secp256k1, and checks it, for that
 * line and for a changed one.   wallet INPUT OUTPUT */
#include <stdio.h>
#include <string.h>

#include "secp256k1.h"

#define CALL(name) rustsecp256k1_v0_10_0_##name

/* The context lies in the program's memory, as the library's users without a heap have it. */
#include "secp256k1_preallocated.h"

void CALL(default_illegal_callback_fn)(const char *message, void *data) {
    (void)data;
    printf("misused: %s\n", message);
}

void CALL(default_error_callback_fn)(const char *message, void *data) {
    CALL(default_illegal_callback_fn)(message, data);
}

static void digest_of(const CALL(context) * context, const char *line, unsigned char out[32]) {
    static const unsigned char tag[] = "wallet/line";
    CALL(tagged_sha256)
    (context, out, tag, sizeof tag - 1, (const unsigned char *)line, strlen(line));
}

int main(int argc, char **argv) {
    static unsigned char memory[1024], key[32] = "a key that nobody should ever use";
    unsigned char digest[32], serial[72];
    CALL(ecdsa_signature) signature;
    CALL(pubkey) point;
    char line[100];
    int good = 0, refused = 0;

    if (argc != 3)
        return 2;
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    if (!in || !out || CALL(context_preallocated_size)(SECP256K1_CONTEXT_NONE) > sizeof memory)
        return 1;
    CALL(context) *context = CALL(context_preallocated_create)(memory, SECP256K1_CONTEXT_NONE);
    if (!CALL(ec_pubkey_create)(context, &point, key))
        return 1;
    while (fgets(line, sizeof line, in)) {
        size_t length = sizeof serial;
        digest_of(context, line, digest);
        if (!CALL(ecdsa_sign)(context, &signature, digest, key, NULL, NULL))
            return 1;
        CALL(ecdsa_signature_serialize_der)(context, serial, &length, &signature);
        for (size_t i = 0; i < length; i++)
            fprintf(out, "%02x", serial[i]);
        fprintf(out, " %s", line);
        good += CALL(ecdsa_verify)(context, &signature, digest, &point);
        line[0] ^= 1;
        digest_of(context, line, digest);
        refused += !CALL(ecdsa_verify)(context, &signature, digest, &point);
    }
    printf("%d good, %d refused\n", good, refused);
    fclose(in);
    return fclose(out) != 0;
}
