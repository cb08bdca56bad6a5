/* Places queens so that none threatens another, and counts the ways.   queens SIZE */
#include <stdio.h>
#include <stdlib.h>

static int size, ways;
static int column_of[16];
static char taken[16], rising[32], falling[32];

static void place(int row) {
    if (row == size) {
        if (ways++ == 0) {
            for (int i = 0; i < size; i++)
                printf("%c%d ", 'a' + column_of[i], i + 1);
            printf("\n");
        }
        return;
    }
    for (int column = 0; column < size; column++) {
        if (taken[column] || rising[row + column] || falling[row - column + size])
            continue;
        taken[column] = rising[row + column] = falling[row - column + size] = 1;
        column_of[row] = column;
        place(row + 1);
        taken[column] = rising[row + column] = falling[row - column + size] = 0;
    }
}

int main(int argc, char **argv) {
    size = argc > 1 ? atoi(argv[1]) : 8;
    if (size < 1 || size > 16)
        return 2;
    place(0);
    printf("%d ways\n", ways);
    return 0;
}
