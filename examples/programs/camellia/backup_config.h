/* Of Mbed TLS, what a backup needs. */
#define MBEDTLS_CAMELLIA_C
#define MBEDTLS_CIPHER_MODE_CTR
#define MBEDTLS_MD_C
#define MBEDTLS_PKCS5_C
#define MBEDTLS_SHA256_C
