/* Assembles a program for a machine with a stack, and executes it.   machine SOURCE OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 1024, STACK = 256, CELLS = 4096, LABELS = 64 };

enum operation {
    PUSH,
    LOAD,
    STORE,
    ADD,
    SUB,
    MUL,
    DIV,
    MOD,
    LESS,
    EQUAL,
    JUMP,
    ZERO,
    CALL,
    RET,
    DUP,
    DROP,
    PRINT,
    FETCH,
    PUT,
    HALT,
    OPERATIONS
};

static const char *const names[OPERATIONS] = {
    "push", "load", "store", "add", "sub", "mul",  "div",   "mod",   "less", "equal",
    "jump", "zero", "call",  "ret", "dup", "drop", "print", "fetch", "put",  "halt",
};

struct instruction {
    enum operation operation;
    int operand;
};

static struct instruction code[CODE];
static char labels[LABELS][16];
static int places[LABELS], label_count, length;
static int cells[CELLS], stack[STACK], calls[STACK];

static int label(const char *name) {
    for (int i = 0; i < label_count; i++)
        if (strcmp(labels[i], name) == 0)
            return i;
    if (label_count == LABELS) {
        fputs("too many labels\n", stderr);
        exit(1);
    }
    strncpy(labels[label_count], name, sizeof labels[0] - 1);
    places[label_count] = -1;
    return label_count++;
}

static int has_label(enum operation one) {
    return one == JUMP || one == ZERO || one == CALL;
}

static void assemble(FILE *input) {
    char line[80], word[16], operand[16];
    for (int number = 1; fgets(line, sizeof line, input); number++) {
        int words = sscanf(line, "%15s %15s", word, operand);
        if (words < 1 || *word == ';')
            continue;
        if (word[strlen(word) - 1] == ':') {
            word[strlen(word) - 1] = '\0';
            places[label(word)] = length;
            continue;
        }
        int one = 0;
        while (one < OPERATIONS && strcmp(names[one], word) != 0)
            one++;
        if (one == OPERATIONS || length == CODE) {
            fprintf(stderr, "line %d: %s\n", number, word);
            exit(1);
        }
        code[length].operation = (enum operation)one;
        if (words == 2)
            code[length].operand =
                has_label(code[length].operation) ? label(operand) : atoi(operand);
        length++;
    }
    for (int i = 0; i < length; i++)
        if (has_label(code[i].operation)) {
            int to = places[code[i].operand];
            if (to < 0) {
                fprintf(stderr, "%s is nowhere\n", labels[code[i].operand]);
                exit(1);
            }
            code[i].operand = to;
        }
}

static unsigned long run(FILE *output) {
    const struct instruction *at = code;
    int *top = stack, *back = calls;
    unsigned long executed = 0;
    for (;;) {
        int operand = at->operand;
        executed++;
        switch (at++->operation) {
        case PUSH:
            *++top = operand;
            break;
        case LOAD:
            *++top = cells[operand];
            break;
        case STORE:
            cells[operand] = *top--;
            break;
        case ADD:
            top--;
            *top += top[1];
            break;
        case SUB:
            top--;
            *top -= top[1];
            break;
        case MUL:
            top--;
            *top *= top[1];
            break;
        case DIV:
            top--;
            *top /= top[1];
            break;
        case MOD:
            top--;
            *top %= top[1];
            break;
        case LESS:
            top--;
            *top = *top < top[1];
            break;
        case EQUAL:
            top--;
            *top = *top == top[1];
            break;
        case JUMP:
            at = code + operand;
            break;
        case ZERO:
            if (*top-- == 0)
                at = code + operand;
            break;
        case CALL:
            *++back = (int)(at - code);
            at = code + operand;
            break;
        case RET:
            at = code + *back--;
            break;
        case DUP:
            top++;
            *top = top[-1];
            break;
        case DROP:
            top--;
            break;
        case PRINT:
            fprintf(output, "%d\n", *top--);
            break;
        case FETCH:
            *top = cells[*top];
            break;
        case PUT:
            cells[*top] = top[-1];
            top -= 2;
            break;
        case HALT:
            return executed;
        case OPERATIONS:
            return 0;
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    FILE *output = fopen(argv[2], "w");
    if (input == NULL || output == NULL)
        return 1;
    assemble(input);
    fclose(input);
    unsigned long executed = run(output);
    printf("%d instructions, %lu executed\n", length, executed);
    return fclose(output) != 0;
}
