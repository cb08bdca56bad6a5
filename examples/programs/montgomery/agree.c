/* Agrees on secrets over Curve25519.   agree HEX-SECRET HEX-POINT... */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mbedtls/ecp.h"

static int weak_random(void *state, unsigned char *to, size_t count) {
    uint32_t *x = state;
    while (count--) {
        *x ^= *x << 13;
        *x ^= *x >> 17;
        *x ^= *x << 5;
        *to++ = (unsigned char)*x;
    }
    return 0;
}

static int nibble(char c) {
    return c >= 'a' ? c - 'a' + 10 : c - '0';
}

static int from_hex(unsigned char to[32], const char *text) {
    if (strlen(text) != 64)
        return -1;
    for (int i = 0; i < 32; i++)
        to[i] = (unsigned char)(nibble(text[2 * i]) << 4 | nibble(text[2 * i + 1]));
    return 0;
}

static void show(const mbedtls_mpi *x) {
    unsigned char bytes[32];
    mbedtls_mpi_write_binary_le(x, bytes, sizeof bytes);
    for (int i = 0; i < 32; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
}

int main(int argc, char **argv) {
    mbedtls_ecp_group group;
    mbedtls_ecp_point point, shared;
    mbedtls_mpi secret;
    unsigned char bytes[32];
    uint32_t seed = 2026;
    if (argc < 3 || from_hex(bytes, argv[1]))
        return 2;
    mbedtls_ecp_group_init(&group);
    mbedtls_ecp_point_init(&point);
    mbedtls_ecp_point_init(&shared);
    mbedtls_mpi_init(&secret);
    bytes[0] &= 248;
    bytes[31] = (unsigned char)((bytes[31] & 127) | 64);
    if (mbedtls_ecp_group_load(&group, MBEDTLS_ECP_DP_CURVE25519) ||
        mbedtls_mpi_read_binary_le(&secret, bytes, sizeof bytes))
        return 1;
    for (int i = 2; i < argc; i++) {
        if (from_hex(bytes, argv[i]) ||
            mbedtls_ecp_point_read_binary(&group, &point, bytes, sizeof bytes) ||
            mbedtls_ecp_mul(&group, &shared, &secret, &point, weak_random, &seed)) {
            puts("refused");
            continue;
        }
        show(&shared.X);
    }
    mbedtls_mpi_free(&secret);
    mbedtls_ecp_point_free(&point);
    mbedtls_ecp_point_free(&shared);
    mbedtls_ecp_group_free(&group);
    return 0;
}
