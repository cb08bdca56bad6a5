/* Raises numbers to a power modulo a number of 256 bits.   rsa MODULUS EXPONENT INPUT OUTPUT
 *
 * All are hexadecimal; each line of the input is a number. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 8, DIGITS = 8 * WORDS };

typedef uint32_t number[WORDS]; /* the least word first */

static int from_hex(number x, const char *text) {
    size_t length = strspn(text, "0123456789abcdefABCDEF");
    memset(x, 0, sizeof(number));
    if (length == 0 || length > DIGITS)
        return -1;
    for (size_t i = 0; i < length; i++) {
        char digit[2] = {text[length - 1 - i], 0};
        x[i / 8] |= (uint32_t)strtoul(digit, NULL, 16) << 4 * (i % 8);
    }
    return 0;
}

static int is_less(const uint32_t *a, const uint32_t *b) {
    for (int i = WORDS - 1; i >= 0; i--)
        if (a[i] != b[i])
            return a[i] < b[i];
    return 0;
}

static uint32_t subtract(uint32_t *a, const uint32_t *b) {
    uint32_t borrow = 0;
    for (int i = 0; i < WORDS; i++) {
        uint64_t difference = (uint64_t)a[i] - b[i] - borrow;
        a[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> 63);
    }
    return borrow;
}

/* Montgomery's product: a b / 2^256 modulo m. */
static void multiply(number result, const number a, const number b, const number m,
                     uint32_t inverse) {
    uint32_t sum[WORDS + 2] = {0};
    for (int i = 0; i < WORDS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < WORDS; j++) {
            carry += (uint64_t)a[i] * b[j] + sum[j];
            sum[j] = (uint32_t)carry;
            carry >>= 32;
        }
        carry += sum[WORDS];
        sum[WORDS] = (uint32_t)carry;
        sum[WORDS + 1] = (uint32_t)(carry >> 32);
        uint32_t factor = sum[0] * inverse;
        carry = ((uint64_t)factor * m[0] + sum[0]) >> 32;
        for (int j = 1; j < WORDS; j++) {
            carry += (uint64_t)factor * m[j] + sum[j];
            sum[j - 1] = (uint32_t)carry;
            carry >>= 32;
        }
        carry += sum[WORDS];
        sum[WORDS - 1] = (uint32_t)carry;
        sum[WORDS] = sum[WORDS + 1] + (uint32_t)(carry >> 32);
    }
    memcpy(result, sum, sizeof(number));
    if (sum[WORDS] || !is_less(result, m))
        subtract(result, m);
}

static void power(number result, const number base, const number exponent, const number m) {
    uint32_t inverse = 1;
    number one = {1}, square = {1}, x;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - m[0] * inverse;
    inverse = -inverse;
    for (int i = 0; i < 2 * 32 * WORDS; i++) { /* 2^512 modulo m */
        uint32_t carry = 0;
        for (int j = 0; j < WORDS; j++) {
            uint32_t next = square[j] >> 31;
            square[j] = square[j] << 1 | carry;
            carry = next;
        }
        if (carry || !is_less(square, m))
            subtract(square, m);
    }
    multiply(x, base, square, m, inverse);
    multiply(result, one, square, m, inverse);
    for (int bit = 32 * WORDS - 1; bit >= 0; bit--) {
        multiply(result, result, result, m, inverse);
        if (exponent[bit / 32] >> bit % 32 & 1)
            multiply(result, result, x, m, inverse);
    }
    multiply(result, result, one, m, inverse);
}

int main(int argc, char **argv) {
    char line[DIGITS + 4];
    number modulus, exponent, x, result;
    if (argc != 5 || from_hex(modulus, argv[1]) || from_hex(exponent, argv[2]))
        return 2;
    FILE *input = fopen(argv[3], "r");
    FILE *output = fopen(argv[4], "w");
    if (input == NULL || output == NULL)
        return 1;
    while (fgets(line, sizeof line, input)) {
        if (from_hex(x, line))
            return 1;
        power(result, x, exponent, modulus);
        for (int i = WORDS - 1; i >= 0; i--)
            fprintf(output, "%08lx", (unsigned long)result[i]);
        fputc('\n', output);
    }
    fclose(input);
    return fclose(output) != 0;
}
