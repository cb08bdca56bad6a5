/* Solves systems of linear equations by elimination with pivots, in double precision.
 * solve INPUT OUTPUT: each system is its size, then its rows with the right side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 24 };

static double rows[MOST][MOST + 1];

static int solve(int n) {
    for (int column = 0; column < n; column++) {
        int pivot = column;
        for (int row = column + 1; row < n; row++)
            if (fabs(rows[row][column]) > fabs(rows[pivot][column]))
                pivot = row;
        if (fabs(rows[pivot][column]) < 1e-9)
            return 0;
        for (int k = column; k <= n; k++) {
            double kept = rows[column][k];
            rows[column][k] = rows[pivot][k];
            rows[pivot][k] = kept;
        }
        for (int row = column + 1; row < n; row++) {
            double factor = rows[row][column] / rows[column][column];
            for (int k = column; k <= n; k++)
                rows[row][k] -= factor * rows[column][k];
        }
    }
    for (int row = n - 1; row >= 0; row--) {
        for (int k = row + 1; k < n; k++)
            rows[row][n] -= rows[row][k] * rows[k][n];
        rows[row][n] /= rows[row][row];
    }
    return 1;
}

int main(int argc, char **argv) {
    int n, value;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    FILE *output = fopen(argv[2], "w");
    if (input == NULL || output == NULL)
        return 1;
    while (fscanf(input, "%d", &n) == 1 && n <= MOST) {
        for (int row = 0; row < n; row++)
            for (int k = 0; k <= n; k++) {
                if (fscanf(input, "%d", &value) != 1)
                    return 1;
                rows[row][k] = value;
            }
        if (!solve(n))
            fprintf(output, "singular\n");
        else
            for (int row = 0; row < n; row++)
                fprintf(output, "%ld%c", lrint(1e6 * rows[row][n]), row + 1 < n ? ' ' : '\n');
    }
    fclose(input);
    return fclose(output) != 0;
}
