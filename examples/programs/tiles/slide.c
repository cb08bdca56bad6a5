/* Plays the game of sliding tiles: equal ones join. Looks ahead over its moves and the tiles that
 * may appear.   slide SEED MOVES OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t board_t; /* sixteen powers of two, four bits each */
typedef board_t (*move_t)(board_t, unsigned long *);

static uint32_t seed;
static unsigned long looked;

static uint32_t draw(uint32_t below) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

static unsigned row_left(unsigned row, unsigned long *score) {
    unsigned result = 0, at = 0, last = 0;
    for (int i = 0; i < 4; i++) {
        unsigned tile = row >> (12 - 4 * i) & 15;
        if (!tile)
            continue;
        if (tile == last && tile < 15) {
            result += 1u << (16 - 4 * at);
            *score += 2ul << tile;
            last = 0;
        } else {
            result |= tile << (12 - 4 * at++);
            last = tile;
        }
    }
    return result;
}

static board_t transposed(board_t board) {
    board_t result = 0;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            result |= (board >> (4 * (4 * y + x)) & 15) << (4 * (4 * x + y));
    return result;
}

static board_t mirrored(board_t board) {
    board = (board & 0x0F0F0F0F0F0F0F0Full) << 4 | (board >> 4 & 0x0F0F0F0F0F0F0F0Full);
    return (board & 0x00FF00FF00FF00FFull) << 8 | (board >> 8 & 0x00FF00FF00FF00FFull);
}

static board_t left(board_t board, unsigned long *score) {
    board_t result = 0;
    for (int y = 0; y < 4; y++)
        result |= (board_t)row_left(board >> (16 * y) & 0xFFFF, score) << (16 * y);
    return result;
}

static board_t right(board_t board, unsigned long *score) {
    return mirrored(left(mirrored(board), score));
}

static board_t up(board_t board, unsigned long *score) {
    return transposed(left(transposed(board), score));
}

static board_t down(board_t board, unsigned long *score) {
    return transposed(right(transposed(board), score));
}

static const move_t moves[4] = {left, up, right, down};
static const char letters[] = "LURD";

/* More is better: free cells, and neighbours that hardly differ. */
static float value_of(board_t board) {
    int cells[16], unoccupied = 0, rough = 0, high = 0;
    for (int i = 0; i < 16; i++) {
        cells[i] = (int)(board >> (4 * i) & 15);
        unoccupied += cells[i] == 0;
        if (cells[i] > cells[high])
            high = i;
    }
    for (int i = 0; i < 16; i++) {
        if (i % 4 < 3)
            rough += abs(cells[i] - cells[i + 1]);
        if (i < 12)
            rough += abs(cells[i] - cells[i + 4]);
    }
    looked++;
    int corner = high == 0 || high == 3 || high == 12 || high == 15;
    return (float)unoccupied * 2.75f - (float)rough * 0.5f + (corner ? 6.25f : 0.0f);
}

static float best_of(board_t board, int depth);

static float expected(board_t board, int depth) {
    float sum = 0;
    int places = 0;
    for (int i = 0; i < 16; i++) {
        if (board >> (4 * i) & 15)
            continue;
        places++;
        sum += 0.875f * best_of(board | 1ull << (4 * i), depth);
        sum += 0.125f * best_of(board | 2ull << (4 * i), depth);
    }
    return places ? sum / (float)places : best_of(board, depth);
}

static float best_of(board_t board, int depth) {
    float best = -1000;
    if (depth == 0)
        return value_of(board);
    for (int i = 0; i < 4; i++) {
        unsigned long score = 0;
        board_t next = moves[i](board, &score);
        if (next == board)
            continue;
        float value = value_of(next) + (float)score * 0.0625f;
        if (value > best)
            best = value;
    }
    return best;
}

static int choose(board_t board) {
    int chosen = -1, unoccupied = 0;
    float best = 0;
    for (int i = 0; i < 16; i++)
        unoccupied += !(board >> (4 * i) & 15);
    for (int i = 0; i < 4; i++) {
        unsigned long score = 0;
        board_t next = moves[i](board, &score);
        if (next == board)
            continue;
        float value = expected(next, unoccupied < 4) + (float)score * 0.0625f;
        if (chosen < 0 || value > best) {
            chosen = i;
            best = value;
        }
    }
    return chosen;
}

static board_t appear(board_t board) {
    int free[16], count = 0;
    for (int i = 0; i < 16; i++)
        if (!(board >> (4 * i) & 15))
            free[count++] = i;
    int place = free[draw((uint32_t)count)];
    return board | (draw(8) ? 1ull : 2ull) << (4 * place);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    seed = (uint32_t)strtoul(argv[1], NULL, 10);
    int most = atoi(argv[2]), made = 0;
    unsigned long score = 0;
    FILE *output = fopen(argv[3], "w");
    if (!output || !seed)
        return 1;
    board_t board = appear(appear(0));
    for (; made < most; made++) {
        int move = choose(board);
        if (move < 0)
            break;
        board = appear(moves[move](board, &score));
        fputc(letters[move], output);
        if (made % 64 == 63)
            fputc('\n', output);
    }
    fputc('\n', output);
    for (int i = 15; i >= 0; i--) {
        unsigned tile = board >> (4 * i) & 15;
        fprintf(output, "%6lu%s", tile ? 1ul << tile : 0, i % 4 ? "" : "\n");
    }
    printf("%d moves, %lu points, %lu boards seen\n", made, score, looked);
    return fclose(output) != 0;
}
