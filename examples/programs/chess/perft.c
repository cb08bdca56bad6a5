/* Counts the positions that chess reaches in so many moves (without castling, en passant and
 * promotions but to queens).   perft DEPTH FEN-BOARD w|b */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A board of 16 columns: a square is off it when it has a bit of 0x88. */
#define OFF(square) ((square)&0x88)
#define MOST 128

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, BLACK = 8 };

typedef struct {
    unsigned char from, to, taken, promoted;
} move_t;

static unsigned char board[128];
static unsigned long captures, checks;

static const signed char KNIGHTS[] = {-33, -31, -18, -14, 14, 18, 31, 33, 0};
static const signed char DIAGONALS[] = {-17, -15, 15, 17, 0};
static const signed char STRAIGHTS[] = {-16, -1, 1, 16, 0};
static const signed char ALL[] = {-17, -16, -15, -1, 1, 15, 16, 17, 0};
static const struct {
    const signed char *steps;
    int slides;
} WAYS[] = {
    [KNIGHT] = {KNIGHTS, 0}, [BISHOP] = {DIAGONALS, 1}, [ROOK] = {STRAIGHTS, 1},
    [QUEEN] = {ALL, 1},      [KING] = {ALL, 0},
};

static int place(const char *fen) {
    static const char LETTERS[] = " pnbrqk";
    int row = 7, column = 0;
    for (; *fen; fen++) {
        if (*fen == '/') {
            row--;
            column = 0;
        } else if (isdigit((unsigned char)*fen)) {
            column += *fen - '0';
        } else {
            const char *at = strchr(LETTERS, tolower((unsigned char)*fen));
            if (!at || row < 0 || column > 7)
                return -1;
            board[16 * row + column++] =
                (unsigned char)((at - LETTERS) | (islower((unsigned char)*fen) ? BLACK : 0));
        }
    }
    return 0;
}

static int attacked(int square, int by) {
    int forward = by ? 16 : -16;
    for (int side = -1; side <= 1; side += 2) {
        int from = square + forward + side;
        if (!OFF(from) && board[from] == (PAWN | by))
            return 1;
    }
    for (int kind = KNIGHT; kind <= KING; kind++) {
        for (const signed char *step = WAYS[kind].steps; *step; step++) {
            for (int from = square + *step; !OFF(from); from += *step) {
                if (board[from] == (kind | by))
                    return 1;
                if (board[from] || !WAYS[kind].slides)
                    break;
            }
        }
    }
    return 0;
}

static int king_of(int side) {
    for (int square = 0; square < 128; square++)
        if (!OFF(square) && board[square] == (KING | side))
            return square;
    return -1;
}

static move_t *add(move_t *list, int from, int to, int promoted) {
    list->from = (unsigned char)from;
    list->to = (unsigned char)to;
    list->taken = board[to];
    list->promoted = (unsigned char)promoted;
    return list + 1;
}

static move_t *pawn(move_t *list, int from, int side) {
    int forward = side ? -16 : 16, last = side ? 0 : 7, first = side ? 6 : 1;
    int to = from + forward;
    int promoted = to >> 4 == last ? QUEEN | side : 0;
    if (!OFF(to) && !board[to]) {
        list = add(list, from, to, promoted);
        if (from >> 4 == first && !board[to + forward])
            list = add(list, from, to + forward, 0);
    }
    for (int beside = -1; beside <= 1; beside += 2)
        if (!OFF(to + beside) && board[to + beside] && (board[to + beside] & BLACK) != side)
            list = add(list, from, to + beside, promoted);
    return list;
}

static int generate(move_t *first, int side) {
    move_t *list = first;
    for (int from = 0; from < 128; from++) {
        int piece = board[from];
        if (OFF(from) || !piece || (piece & BLACK) != side)
            continue;
        int kind = piece & 7;
        if (kind == PAWN) {
            list = pawn(list, from, side);
            continue;
        }
        for (const signed char *step = WAYS[kind].steps; *step; step++) {
            for (int to = from + *step; !OFF(to); to += *step) {
                if (board[to] && (board[to] & BLACK) == side)
                    break;
                list = add(list, from, to, 0);
                if (board[to] || !WAYS[kind].slides)
                    break;
            }
        }
    }
    return (int)(list - first);
}

static unsigned long perft(int depth, int side) {
    move_t moves[MOST];
    unsigned long total = 0;
    if (depth == 0)
        return 1;
    int count = generate(moves, side);
    for (int i = 0; i < count; i++) {
        const move_t *move = &moves[i];
        unsigned char piece = board[move->from];
        board[move->to] = move->promoted ? move->promoted : piece;
        board[move->from] = EMPTY;
        if (!attacked(king_of(side), side ^ BLACK)) {
            if (depth == 1) {
                captures += move->taken != EMPTY;
                checks += (unsigned long)attacked(king_of(side ^ BLACK), side);
            }
            total += perft(depth - 1, side ^ BLACK);
        }
        board[move->from] = piece;
        board[move->to] = move->taken;
    }
    return total;
}

int main(int argc, char **argv) {
    if (argc != 4 || place(argv[2]))
        return 2;
    int side = argv[3][0] == 'b' ? BLACK : 0;
    for (int depth = 1; depth <= atoi(argv[1]); depth++) {
        captures = checks = 0;
        unsigned long total = perft(depth, side);
        printf("%d: %lu positions, %lu captures, %lu checks\n", depth, total, captures, checks);
    }
    return 0;
}
