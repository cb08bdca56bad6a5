/* Calls of the C library and operators, with parameters that a test computes again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state = 1;

static uint32_t drawn(void) {
    state = state * 1103515245u + 12345u;
    return state >> (state >> 27);
}

static void copies(char *to, const char *from, int n) {
    memcpy(to, from, n);
    to[n] = 0;
    if (strlen(to) > 3 && strcmp(to, "abcdefgz") < 0)
        strcat(strcpy(to + 20, to), "xyz");
    memset(to, strchr(from, 'a' + n) ? 1 : 0, (size_t)(n & 3));
}

struct mixed {
    unsigned small : 5;
    int wide;
};

int main(void) {
    char *buffer = malloc(100);
    struct mixed mixed = {3, 5};
    int array[] = {[2 * 2] = 7, 1 * 3};
    long long wide = 1;
    unsigned sum = 0;
    for (int n = 0; n < 20; n++)
        copies(buffer, "abcdefghijklmnopqrstuvwxyz", n);
    for (int i = 0; i < 200; i++) {
        uint32_t a = drawn(), b = drawn();
        sum += a * b;
        sum ^= (b ? a / b : 0) + (a & 1 ? (int)a % ((int)b | 1) : 0);
        mixed.small *= a;
        array[i % 6] *= (int)b;
        wide *= (int)a;
        sum /= 2 + 1;
        sum += a / 8 + a * sizeof array;
    }
    printf("%u %u %d %lld %d\n", sum, mixed.small, array[5], wide, atoi("  -123 apples"));
    free(buffer);
    return 0;
}
