/* Prints digits of e by a spigot.   digits COUNT */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int digits = argc > 1 ? atoi(argv[1]) : 100, terms = digits + 10;
    unsigned *remainders = malloc((size_t)terms * sizeof *remainders);
    if (digits < 1 || remainders == NULL)
        return 2;
    for (int i = 0; i < terms; i++)
        remainders[i] = 1;
    fputs("2.", stdout);
    for (int digit = 0; digit < digits; digit++) {
        unsigned carry = 0;
        for (int i = terms - 1; i >= 0; i--) {
            unsigned value = remainders[i] * 10 + carry;
            carry = value / (unsigned)(i + 2);
            remainders[i] = value % (unsigned)(i + 2);
        }
        putchar((int)('0' + carry));
        if (digit % 50 == 49)
            putchar('\n');
    }
    putchar('\n');
    free(remainders);
    return 0;
}
