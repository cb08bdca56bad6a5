/* Invoices of orders, and how their sum is paid in instalments, in decimal arithmetic: 34 digits,
 * halves to the even cent.   tariff ORDERS RATE MONTHS OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decNumber.h"

static decContext context;
static FILE *output;

static decNumber number(const char *text) {
    decNumber made;
    decNumberFromString(&made, text, &context);
    return made;
}

static void to_cents(decNumber *amount) {
    decNumber cent = number("0.01");
    decNumberQuantize(amount, amount, &cent, &context);
}

static void put(const decNumber *amount, char behind) {
    char text[DECNUMDIGITS + 14];
    fprintf(output, "%s%c", decNumberToString(amount, text), behind);
}

/* Net, tax and gross of one order; ten things or more are cheaper. */
static void invoice(char *line, decNumber *sums) {
    char *rest, *customer = strtok_r(line, ",", &rest);
    strtok_r(NULL, ",", &rest);
    char *count = strtok_r(NULL, ",", &rest), *price = strtok_r(NULL, ",\n", &rest);
    if (!price)
        return;
    decNumber net = number(count), each = number(price), tax, gross;
    decNumber share = number(atoi(customer) % 2 ? "0.19" : "0.07");
    decNumberMultiply(&net, &net, &each, &context);
    if (atoi(count) >= 10) {
        decNumber part = number("0.97");
        decNumberMultiply(&net, &net, &part, &context);
    }
    to_cents(&net);
    decNumberMultiply(&tax, &net, &share, &context);
    to_cents(&tax);
    decNumberAdd(&gross, &net, &tax, &context);
    fprintf(output, "%s ", customer);
    put(&net, ' ');
    put(&tax, ' ');
    put(&gross, '\n');
    decNumberAdd(&sums[0], &sums[0], &net, &context);
    decNumberAdd(&sums[1], &sums[1], &tax, &context);
    decNumberAdd(&sums[2], &sums[2], &gross, &context);
}

/* Each month pays the same; the last one pays what is left. */
static void instalments(decNumber rest, const char *rate, int months) {
    decNumber monthly = number(rate), twelve = number("12"), one = number("1"), minus, growth, part,
              payment, interest;
    decNumberDivide(&monthly, &monthly, &twelve, &context);
    decNumberAdd(&growth, &one, &monthly, &context);
    decNumberFromInt32(&minus, -months);
    decNumberPower(&growth, &growth, &minus, &context);
    decNumberSubtract(&part, &one, &growth, &context);
    decNumberMultiply(&payment, &rest, &monthly, &context);
    decNumberDivide(&payment, &payment, &part, &context);
    to_cents(&payment);
    for (int month = 1; month <= months; month++) {
        decNumberMultiply(&interest, &rest, &monthly, &context);
        to_cents(&interest);
        decNumberAdd(&rest, &rest, &interest, &context);
        decNumberCompare(&part, &rest, &payment, &context);
        if (month == months || decNumberIsNegative(&part))
            decNumberCopy(&payment, &rest);
        decNumberSubtract(&rest, &rest, &payment, &context);
        fprintf(output, "%d ", month);
        put(&interest, ' ');
        put(&payment, ' ');
        put(&rest, '\n');
    }
}

int main(int argc, char **argv) {
    char line[120];
    decNumber sums[3];
    if (argc != 5)
        return 2;
    decContextDefault(&context, DEC_INIT_BASE);
    context.traps = 0;
    context.digits = DECNUMDIGITS;
    context.round = DEC_ROUND_HALF_EVEN;
    FILE *input = fopen(argv[1], "r");
    output = fopen(argv[4], "w");
    if (!input || !output)
        return 1;
    for (int i = 0; i < 3; i++)
        decNumberZero(&sums[i]);
    while (fgets(line, sizeof line, input))
        invoice(line, sums);
    for (int i = 0; i < 3; i++)
        put(&sums[i], i < 2 ? ' ' : '\n');
    instalments(sums[2], argv[2], atoi(argv[3]));
    decNumberSquareRoot(&sums[0], &sums[2], &context);
    put(&sums[0], '\n');
    printf("%lx\n", (unsigned long)(context.status & DEC_Errors));
    fclose(input);
    return fclose(output) != 0;
}
