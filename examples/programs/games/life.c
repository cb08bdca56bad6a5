/* Conway's game of life on a torus, and what is left of it.   life INPUT OUTPUT GENERATIONS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 48 };

static unsigned char cells[2][HEIGHT][WIDTH];

static int neighbours(unsigned char (*world)[WIDTH], int y, int x) {
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx)
                sum += world[(y + dy + HEIGHT) % HEIGHT][(x + dx + WIDTH) % WIDTH];
    return sum;
}

int main(int argc, char **argv) {
    char line[WIDTH + 2];
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r");
    if (input == NULL)
        return 1;
    for (int y = 0; y < HEIGHT && fgets(line, sizeof line, input); y++)
        for (int x = 0; x < WIDTH && line[x] && line[x] != '\n'; x++)
            cells[0][y][x] = line[x] == '#';
    fclose(input);
    int now = 0;
    for (int generation = atoi(argv[3]); generation > 0; generation--, now = !now)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                int around = neighbours(cells[now], y, x);
                cells[!now][y][x] = around == 3 || (around == 2 && cells[now][y][x]);
            }
    FILE *output = fopen(argv[2], "w");
    if (output == NULL)
        return 1;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            line[x] = cells[now][y][x] ? '#' : '.';
        strcpy(line + WIDTH, "\n");
        fputs(line, output);
    }
    return fclose(output) != 0;
}
