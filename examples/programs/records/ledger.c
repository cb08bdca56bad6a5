/* Keeps accounts: reads bookings as CSV, sums them by account and month, and writes a report.
 * ledger BOOKINGS REPORT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCOUNTS = 64, MONTHS = 12 };

struct account {
    char name[24];
    long cents[MONTHS], total;
    int bookings;
};

static struct account accounts[ACCOUNTS];
static int count;

static struct account *account_of(const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(accounts[i].name, name) == 0)
            return &accounts[i];
    if (count == ACCOUNTS)
        return NULL;
    strncpy(accounts[count].name, name, sizeof accounts->name - 1);
    return &accounts[count++];
}

/* 2026-03-07,rent,-640.50 */
static int book(char *line) {
    char *date = strtok(line, ","), *name = strtok(NULL, ","), *amount = strtok(NULL, ",\n");
    if (date == NULL || name == NULL || amount == NULL || strlen(date) != 10)
        return -1;
    int month = atoi(date + 5);
    struct account *account = account_of(name);
    if (account == NULL || month < 1 || month > MONTHS)
        return -1;
    char *rest;
    long cents = 100 * strtol(amount, &rest, 10);
    if (*rest == '.')
        cents += (*amount == '-' ? -1 : 1) * strtol(rest + 1, NULL, 10);
    account->cents[month - 1] += cents;
    account->total += cents;
    account->bookings++;
    return 0;
}

static int by_total(const void *one, const void *other) {
    const struct account *a = one, *b = other;
    if (a->total != b->total)
        return a->total < b->total ? 1 : -1;
    return strcmp(a->name, b->name);
}

static void print_cents(FILE *report, long cents) {
    char text[24];
    snprintf(text, sizeof text, "%s%ld.%02ld", cents < 0 ? "-" : "", labs(cents) / 100,
             labs(cents) % 100);
    fprintf(report, " %10s", text);
}

int main(int argc, char **argv) {
    char line[80];
    int refused = 0;
    if (argc != 3)
        return 2;
    FILE *bookings = fopen(argv[1], "r");
    FILE *report = fopen(argv[2], "w");
    if (bookings == NULL || report == NULL)
        return 1;
    while (fgets(line, sizeof line, bookings))
        if (book(line))
            refused++;
    qsort(accounts, (size_t)count, sizeof *accounts, by_total);
    for (int i = 0; i < count; i++) {
        fprintf(report, "%-20s %4d", accounts[i].name, accounts[i].bookings);
        for (int month = 0; month < MONTHS; month++)
            print_cents(report, accounts[i].cents[month]);
        print_cents(report, accounts[i].total);
        fputc('\n', report);
    }
    printf("%d accounts, %d lines refused\n", count, refused);
    fclose(bookings);
    return fclose(report) != 0;
}
