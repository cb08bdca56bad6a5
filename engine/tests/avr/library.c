/* Uses much of avr-libc: floats, formatted output, division, sorting by a callback, the heap, and a
 * long jump. */
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[128];
static jmp_buf back;

static int by_value(const void *a, const void *b) {
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

static int32_t quotient(int32_t a, int32_t b) {
    if (b == 0)
        longjmp(back, 1);
    return a / b + a % b;
}

int main(void) {
    static int32_t numbers[24];
    volatile double sum = 0;
    for (int16_t round = 1;; round++) {
        for (uint8_t i = 0; i < 24; i++)
            numbers[i] = (int32_t)(i * 7919L * round) % 10007 - 5000;
        qsort(numbers, 24, sizeof numbers[0], by_value);
        char *copy = malloc(40);
        snprintf(text, sizeof text, "%ld %d %04x %s", (long)numbers[3], round, (unsigned)round,
                 "text");
        strcpy(copy, text);
        if (setjmp(back) == 0)
            for (uint8_t i = 0; i < 24; i++)
                sum += quotient(numbers[i] * 31, numbers[i] - numbers[23]);
        sum +=
            sqrt((double)strlen(copy)) + sin(sum / 1000) + strtol(copy, NULL, 10) + atof("2.5e1");
        sum += (double)((int64_t)numbers[1] * numbers[2] / 1000);
        free(copy);
    }
}
