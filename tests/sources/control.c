/* Every way that C has to branch, jump and repeat; prints what it did. */
#include <stdio.h>
#include <stdlib.h>

#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define TIMES(n) for (int time_ = 0; time_ < (n); time_++)
#define CHECK(x)        \
    do {                \
        if (!(x)) {     \
            failures++; \
        }               \
    } while (0)

static int failures;

static int duff(const char *from, char *to, int count) {
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--rounds > 0);
    }
    return count;
}

static int classes(int value) {
    switch (value) {
        int never;
    case 1 ... 3:
        value += 2;
    case 9:
        value++;
        if (value == 4)
            break;
        value--;
    case 10: {
        value *= 2;
        break;
    }
    default:
        for (int i = 0; i < 3; i++) {
            if (i == 1)
                continue;
            value += i;
        }
        return value;
    case 20:
        never = 3;
        value = never;
    }
    switch (value)
    case 6:
        value = 60;
    return value + 1;
}

static int jumps(int n) {
    int steps = 0;
again:
    steps++;
    if (n & 1)
        goto odd;
    n /= 2;
    goto joined;
odd:
    n = 3 * n + 1;
joined:
    if (n != 1)
        goto again;
    return steps;
}

static int computed(const unsigned char *code) {
    static const void *const labels[] = {&&stop, &&more, &&less, &&twice};
    int value = 0;
next:
    goto *labels[*code++];
more:
    value++;
    goto next;
less:
    value--;
    goto next;
twice:
    value *= 2;
    goto next;
stop:
    return value;
}

static int conditions(int a, int b) {
    static int constant = 1 && 2;
    int array[1 || 0 ? 3 : 1] = {[1] = a && b, a || b};
    int *none = a > b ? &a : NULL;
    int sum = array[0] + array[1] + array[2] + constant;
    sum += none ? *none : -1;
    sum += a ?: b;
    sum += (a, b) ? SMALLER(a, b) : 0;
    if (a > 0 && b > 0 && a != b)
        sum += 100;
    else if (a < 0 || (b < 0 && a == 0))
        sum += 200;
    else
        sum += 300;
    sum += ({
        int inner = 0;
        if (b)
            inner = a;
        inner;
    });
    sum += _Generic(a, int : a &&b, long : 7);
    sum += (int)sizeof(a ? a : b);
    CHECK(a == b);
    return !a ? sum : -sum;
}

static int loops(int n) {
    int total = 0;
    for (;;) {
        if (++total > n)
            break;
    }
    for (int i = 0, j = n; i < j; i++, j--)
        total += i * j;
    while (total > 100 && total % 7)
        total--;
    do {
        if (total % 2)
            continue;
        total /= 2;
    } while (--total > 10);
    TIMES(n)
    TIMES(2)
    total++;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i == j)
                break;
            else
                total++;
    while (n-- > 0)
        ;
    return total;
}

static int directed(int n) {
    int total = 0;
    if (n & 1)
#pragma GCC unroll 4
        for (int i = 0; i < n; i++)
            total += i;
    else
#pragma GCC ivdep
        while (total < n)
            total++;
#pragma GCC unroll 2
    do {
        total += 3;
    } while (total < 20);
    switch (n & 3) {
    case 0:
        total++;
        __attribute__((fallthrough));
    case 1:
        total += 2;
        break;
    default:
        __attribute__((fallthrough));
    case 2:
        total += 4;
    }
    return total;
}

int main(int argc, char **argv) {
    char copy[32] = "";
    const unsigned char code[] = {1, 1, 3, 2, 1, 0};
    for (int n = 1; n < 12; n++)
        printf("%d %s\n", duff("abcdefghijklmnop", copy, n), copy);
    for (int value = 0; value < 22; value++)
        printf("%d ", classes(value));
    for (int n = 1; n < 30; n++)
        printf("%d ", jumps(n));
    printf("\n%d\n", computed(code));
    for (int n = 0; n < 9; n++)
        printf("%d ", directed(n));
    for (int a = -2; a < 3; a++)
        for (int b = -2; b < 3; b++)
            printf("%d ", conditions(a, b));
    printf("\n%d %d\n", loops(9), failures);
    if (argc > 1) {
        fprintf(stderr, "argument %s\n", argv[1]);
        return atoi(argv[1]);
    }
    return 0;
}
