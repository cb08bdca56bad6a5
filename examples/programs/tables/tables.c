/* Joins two tables by their first column and sums by group.   tables CUSTOMERS ORDERS OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 6 };

struct customer {
    int number;
    char *name, *town;
    double total;
    int orders;
};

static struct customer *customers;
static size_t count, room;

/* Splits a line; fields may stand in quotes, where "" is a quote. */
static int split(char *line, char **fields) {
    int found = 0;
    char *to = line;
    line[strcspn(line, "\r\n")] = '\0';
    while (found < FIELDS) {
        fields[found++] = to;
        if (*line == '"') {
            for (line++; *line; line++) {
                if (*line == '"' && *++line != '"')
                    break;
                *to++ = *line;
            }
        }
        while (*line && *line != ',')
            *to++ = *line++;
        int more = *line++ == ',';
        *to++ = '\0';
        if (!more)
            break;
    }
    return found;
}

static char *copy(const char *text) {
    size_t size = strlen(text) + 1;
    char *made = malloc(size);
    if (made == NULL)
        exit(1);
    return memcpy(made, text, size);
}

static int by_number(const void *key, const void *one) {
    int wanted = *(const int *)key, number = ((const struct customer *)one)->number;
    return (wanted > number) - (wanted < number);
}

static int by_town(const void *one, const void *other) {
    const struct customer *a = one, *b = other;
    int order = strcmp(a->town, b->town);
    if (order == 0)
        order = (a->total < b->total) - (a->total > b->total);
    return order ? order : a->number - b->number;
}

static void read_customers(FILE *input) {
    char line[160], *fields[FIELDS];
    while (fgets(line, sizeof line, input)) {
        if (split(line, fields) != 3)
            continue;
        if (count == room) {
            room += 32;
            customers = realloc(customers, room * sizeof *customers);
            if (customers == NULL)
                exit(1);
        }
        struct customer one = {atoi(fields[0]), copy(fields[1]), copy(fields[2]), 0, 0};
        customers[count++] = one;
    }
}

static int add_orders(FILE *input) {
    char line[160], *fields[FIELDS];
    int unknown = 0;
    while (fgets(line, sizeof line, input)) {
        int number;
        double price;
        if (split(line, fields) != 4 || sscanf(fields[0], "%d", &number) != 1)
            continue;
        struct customer *of = bsearch(&number, customers, count, sizeof *customers, by_number);
        price = strtod(fields[3], NULL);
        if (of == NULL) {
            unknown++;
            continue;
        }
        of->total += price * atoi(fields[2]);
        of->orders++;
    }
    return unknown;
}

static void write_amount(FILE *output, double amount) {
    long cents = (long)(amount * 100 + 0.5);
    fprintf(output, "%7ld.%02ld\n", cents / 100, cents % 100);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    FILE *first = fopen(argv[1], "r"), *second = fopen(argv[2], "r");
    FILE *output = fopen(argv[3], "w");
    if (first == NULL || second == NULL || output == NULL)
        return 1;
    read_customers(first);
    int unknown = add_orders(second);
    qsort(customers, count, sizeof *customers, by_town);
    double sum = 0, squares = 0;
    size_t from = 0;
    for (size_t i = 0; i < count; i++) {
        struct customer *one = &customers[i];
        sum += one->total;
        squares += one->total * one->total;
        fprintf(output, "%05d %-22.22s %-10s %4d ", one->number, one->name, one->town, one->orders);
        write_amount(output, one->total);
        if (i + 1 == count || strcmp(one->town, customers[i + 1].town) != 0) {
            size_t members = i + 1 - from;
            double mean = sum / (double)members;
            fprintf(output, "      %-22s %-10s %4u ", "total", one->town, (unsigned)members);
            write_amount(output, sum);
            fprintf(output, "%48s", "+- ");
            write_amount(output, sqrt(squares / (double)members - mean * mean));
            sum = squares = 0;
            from = i + 1;
        }
        free(one->name);
        free(one->town);
    }
    printf("%u customers, %d orders of others\n", (unsigned)count, unknown);
    free(customers);
    fclose(first);
    fclose(second);
    return fclose(output) != 0;
}
