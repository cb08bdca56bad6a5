/* Compiles small programs to code of a stack machine and runs them. A mistake ends a program, not
 * the batch.   batch SOURCES OUTPUT */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE 2000
#define STACK 1200
#define NAMES 60
#define LONGEST 16

typedef enum {
    PUSH,
    LOAD,
    STORE,
    INDEX,
    KEEP,
    ADD,
    SUB,
    MUL,
    DIV,
    MOD,
    LESS,
    SAME,
    NOT,
    JUMP,
    JUMP_ZERO,
    CALL,
    RETURN,
    PRINT,
    DROP,
    STOP
} operation_t;

typedef struct {
    uint8_t operation, extra;
    int32_t value;
} code_t;

typedef enum { VARIABLE, ARRAY, PARAMETER, FUNCTION } kind_t;

typedef struct {
    char text[LONGEST];
    kind_t kind;
    int32_t place;
    int parameters;
} name_t;

static code_t code[CODE];
static name_t names[NAMES];
static int32_t globals[600], stack[STACK];
static int codes, known, used, line;
static char token[LONGEST], kind; /* 'a' name, '0' number, else the sign */
static FILE *input, *output;
static jmp_buf mistake;
static char message[60];

static void fail(const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(message, sizeof message, text, arguments);
    va_end(arguments);
    longjmp(mistake, 1);
}

static void next(void) {
    int letter, size = 0;
    while (isspace(letter = fgetc(input)))
        line += letter == '\n';
    kind = (char)letter;
    if (letter == EOF) {
        kind = 0;
        strcpy(token, "end");
        return;
    }
    if (isalpha(letter) || isdigit(letter)) {
        kind = isalpha(letter) ? 'a' : '0';
        for (; isalnum(letter); letter = fgetc(input))
            if (size < LONGEST - 1)
                token[size++] = (char)letter;
        ungetc(letter, input);
    } else
        token[size++] = (char)letter;
    token[size] = 0;
}

static int is(const char *text) {
    return kind != '0' && strcmp(token, text) == 0;
}

static int take(const char *text) {
    int found = is(text);
    if (found)
        next();
    return found;
}

static void expect(const char *text) {
    if (!take(text))
        fail("%s expected, not %s", text, token);
}

static int emit(operation_t operation, int extra, int32_t value) {
    if (codes == CODE)
        fail("too long");
    code[codes] = (code_t){(uint8_t)operation, (uint8_t)extra, value};
    return codes++;
}

static name_t *find(const char *text) {
    for (int i = known; i--;)
        if (strcmp(names[i].text, text) == 0)
            return &names[i];
    return NULL;
}

static name_t *declare(kind_t of, int32_t place) {
    if (kind != 'a')
        fail("name expected, not %s", token);
    if (known == NAMES)
        fail("too many names");
    name_t *name = &names[known++];
    strcpy(name->text, token);
    name->kind = of;
    name->place = place;
    name->parameters = 0;
    next();
    return name;
}

static void expression(void);

static void call(const name_t *name) {
    int arguments = 0;
    expect("(");
    if (!is(")"))
        do {
            expression();
            arguments++;
        } while (take(","));
    expect(")");
    if (arguments != name->parameters)
        fail("%s has %d parameters", name->text, name->parameters);
    emit(CALL, arguments, name->place);
}

static void factor(void) {
    if (kind == '0') {
        emit(PUSH, 0, (int32_t)strtol(token, NULL, 10));
        next();
    } else if (take("(")) {
        expression();
        expect(")");
    } else if (take("-")) {
        emit(PUSH, 0, 0);
        factor();
        emit(SUB, 0, 0);
    } else if (kind == 'a') {
        name_t *name = find(token);
        if (!name)
            fail("%s is not known", token);
        next();
        if (name->kind == FUNCTION)
            call(name);
        else if (name->kind == ARRAY) {
            expect("[");
            expression();
            expect("]");
            emit(INDEX, 0, name->place);
        } else
            emit(LOAD, name->kind == PARAMETER, name->place);
    } else
        fail("%s is no value", token);
}

static void product(void) {
    factor();
    while (is("*") || is("/") || is("%")) {
        operation_t operation = is("*") ? MUL : is("/") ? DIV : MOD;
        next();
        factor();
        emit(operation, 0, 0);
    }
}

static void sum(void) {
    product();
    while (is("+") || is("-")) {
        operation_t operation = is("+") ? ADD : SUB;
        next();
        product();
        emit(operation, 0, 0);
    }
}

static void expression(void) {
    sum();
    if (is("<") || is("=")) {
        operation_t operation = is("<") ? LESS : SAME;
        next();
        sum();
        emit(operation, 0, 0);
    } else if (take("#")) {
        sum();
        emit(SAME, 0, 0);
        emit(NOT, 0, 0);
    }
}

static void statements(void);

static void statement(void) {
    if (take("print")) {
        expression();
        emit(PRINT, 0, 0);
    } else if (take("while")) {
        int from = codes;
        expression();
        int out = emit(JUMP_ZERO, 0, 0);
        expect("do");
        statements();
        expect("end");
        emit(JUMP, 0, from);
        code[out].value = codes;
    } else if (take("if")) {
        expression();
        int other = emit(JUMP_ZERO, 0, 0);
        expect("then");
        statements();
        if (take("else")) {
            int out = emit(JUMP, 0, 0);
            code[other].value = codes;
            other = out;
            statements();
        }
        expect("end");
        code[other].value = codes;
    } else if (take("return")) {
        expression();
        emit(RETURN, 0, 0);
    } else {
        name_t *name = kind == 'a' ? find(token) : NULL;
        if (!name)
            fail("%s is not known", token);
        next();
        if (name->kind == FUNCTION) {
            call(name);
            emit(DROP, 0, 0);
            return;
        }
        if (name->kind == ARRAY) {
            expect("[");
            expression();
            expect("]");
        }
        expect(":");
        expression();
        if (name->kind == ARRAY)
            emit(KEEP, 0, name->place);
        else
            emit(STORE, name->kind == PARAMETER, name->place);
    }
}

static void statements(void) {
    do {
        if (is("end") || is("else"))
            return;
        statement();
    } while (take(";"));
}

static void function(void) {
    name_t *name = declare(FUNCTION, codes);
    int before = known;
    expect("(");
    if (!is(")"))
        do {
            declare(PARAMETER, name->parameters++);
        } while (take(","));
    expect(")");
    statements();
    expect("end");
    emit(PUSH, 0, 0);
    emit(RETURN, 0, 0);
    known = before;
}

static void compile(void) {
    codes = known = used = 0;
    int start = emit(JUMP, 0, 0);
    while (!is("begin")) {
        if (take("var")) {
            name_t *name = declare(VARIABLE, used);
            int cells = 1;
            if (take("[")) {
                name->kind = ARRAY;
                cells = atoi(token);
                next();
                expect("]");
            }
            used += cells;
            if (used > 600)
                fail("too many cells");
        } else if (take("function"))
            function();
        else
            fail("%s is out of place", token);
    }
    expect("begin");
    code[start].value = codes;
    statements();
    expect("end");
    emit(STOP, 0, 0);
}

static unsigned long run(void) {
    unsigned long steps = 0;
    int32_t *top = stack, *frame = stack;
    const code_t *at = code;
    memset(globals, 0, sizeof globals);
    for (;;) {
        code_t one = *at++;
        if (top > stack + STACK - 8)
            fail("stack");
        if (++steps > 400000)
            fail("too long");
        switch ((operation_t)one.operation) {
        case PUSH:
            *top++ = one.value;
            break;
        case LOAD:
            *top++ = one.extra ? frame[one.value] : globals[one.value];
            break;
        case STORE:
            *(one.extra ? &frame[one.value] : &globals[one.value]) = *--top;
            break;
        case INDEX:
        case KEEP: {
            int32_t value = one.operation == KEEP ? *--top : 0, cell = top[-1] + one.value;
            if (top[-1] < 0 || cell >= used)
                fail("index %ld", (long)top[-1]);
            if (one.operation == KEEP) {
                globals[cell] = value;
                top--;
            } else
                top[-1] = globals[cell];
            break;
        }
        case ADD:
            top--;
            top[-1] = (int32_t)((uint32_t)top[-1] + (uint32_t)top[0]);
            break;
        case SUB:
            top--;
            top[-1] = (int32_t)((uint32_t)top[-1] - (uint32_t)top[0]);
            break;
        case MUL:
            top--;
            top[-1] = (int32_t)((uint32_t)top[-1] * (uint32_t)top[0]);
            break;
        case DIV:
        case MOD:
            top--;
            if (top[0] == 0)
                fail("division by 0");
            top[-1] = one.operation == DIV ? top[-1] / top[0] : top[-1] % top[0];
            break;
        case LESS:
            top--;
            top[-1] = top[-1] < top[0];
            break;
        case SAME:
            top--;
            top[-1] = top[-1] == top[0];
            break;
        case NOT:
            top[-1] = !top[-1];
            break;
        case JUMP:
            at = code + one.value;
            break;
        case JUMP_ZERO:
            if (*--top == 0)
                at = code + one.value;
            break;
        case CALL: {
            int32_t *arguments = top - one.extra;
            *top++ = (int32_t)(frame - stack);
            *top++ = (int32_t)(at - code);
            *top++ = (int32_t)(arguments - stack);
            frame = arguments;
            at = code + one.value;
            break;
        }
        case RETURN: {
            int32_t value = *--top;
            int32_t *arguments = stack + top[-1];
            at = code + top[-2];
            frame = stack + top[-3];
            top = arguments;
            *top++ = value;
            break;
        }
        case PRINT:
            fprintf(output, " %ld", (long)*--top);
            break;
        case DROP:
            top--;
            break;
        case STOP:
            return steps;
        }
    }
}

static void skip(void) {
    while (kind && !is("program"))
        next();
}

int main(int argc, char **argv) {
    static volatile unsigned long steps;
    static volatile unsigned programs, wrong;
    if (argc != 3)
        return 2;
    input = fopen(argv[1], "r");
    output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    next();
    skip();
    while (kind) {
        next();
        line = 1;
        programs++;
        fprintf(output, "%s:", token);
        next();
        if (setjmp(mistake) == 0) {
            compile();
            steps += run();
            fputc('\n', output);
        } else {
            wrong++;
            fprintf(output, " mistake: %s\n", message);
        }
        skip();
    }
    printf("%u programs, %u wrong, %lu steps\n", programs, wrong, steps);
    fclose(input);
    return fclose(output) != 0;
}
