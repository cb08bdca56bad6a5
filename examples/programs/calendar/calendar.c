/* The months of years side by side, with Easter and the moon.   calendar FIRST LAST OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};

static int is_leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int length(int year, int month) {
    static const signed char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month] + (month == 1 && is_leap(year));
}

/* Days since the first of March of the year 0. */
static long day_number(int year, int month, int day) {
    month = (month + 10) % 12;
    year -= month / 10;
    return 365L * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + day - 1;
}

/* 0 is a Monday. */
static int weekday(int year, int month, int day) {
    return (int)((day_number(year, month, day) + 2) % 7);
}

/* As "Anonymous Gregorian" of Meeus has it. */
static void easter(int year, int *month, int *day) {
    int a = year % 19, b = year / 100, c = year % 100;
    int h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    int l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    int m = (a + 11 * h + 22 * l) / 451;
    *month = (h + l - 7 * m + 114) / 31 - 1;
    *day = (h + l - 7 * m + 114) % 31 + 1;
}

/* Thousandths of its time since new moon. */
static int moon(int year, int month, int day) {
    double age = (double)(day_number(year, month, day) - day_number(2000, 0, 6)) / 29.530588853;
    long whole = (long)age;
    return (int)((age - (double)(age < 0 ? whole - 1 : whole)) * 1000.0);
}

static void week(char *line, int year, int month, int number) {
    int first = weekday(year, month, 1);
    for (int i = 0; i < 7; i++) {
        int day = 7 * number + i - first + 1;
        if (day >= 1 && day <= length(year, month))
            sprintf(line + 3 * i, "%3d", day);
        else
            memcpy(line + 3 * i, "   ", 4);
    }
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    int first = atoi(argv[1]), last = atoi(argv[2]);
    FILE *output = fopen(argv[3], "w");
    if (output == NULL)
        return 1;
    for (int year = first; year <= last; year++) {
        int month, day;
        char line[3][24];
        fprintf(output, "%40d\n", year);
        for (int quarter = 0; quarter < 4; quarter++) {
            fprintf(output, "\n%-24s%-24s%s\n", months[3 * quarter], months[3 * quarter + 1],
                    months[3 * quarter + 2]);
            for (int number = 0; number < 6; number++) {
                for (int i = 0; i < 3; i++)
                    week(line[i], year, 3 * quarter + i, number);
                fprintf(output, "%s   %s   %s\n", line[0], line[1], line[2]);
            }
        }
        easter(year, &month, &day);
        fprintf(output, "\nEaster: %d %.3s; full moons:", day, months[month]);
        for (month = 0; month < 12; month++)
            for (day = 1; day <= length(year, month); day++)
                if (moon(year, month, day) >= 500 &&
                    (moon(year, month, day) + 1000 - 34) % 1000 < 500)
                    fprintf(output, " %d.%d", day, month + 1);
        fputs("\n\n", output);
    }
    return fclose(output) != 0;
}
