/* Assembles a program for an 8-bit AVR in two passes: words, names, expressions and lists of data.
 * Mistakes are counted by line.   assemble SOURCE LISTING IMAGE */
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 512
#define IMAGE 2048 /* words */
#define LONGEST 100

typedef struct symbol {
    struct symbol *next;
    int32_t value;
    char name[];
} symbol_t;

typedef enum {
    RD_RR,
    RD_K,
    RD,
    RELATIVE7,
    RELATIVE12,
    IN_RD_A,
    OUT_A_RR,
    LOAD_RD,
    STORE_RR,
    NO_OPERAND,
    WIDE_K
} form_t;

typedef struct {
    char name[7];
    uint8_t form;
    uint16_t code;
} mnemonic_t;

/* In the order of the alphabet. */
static const mnemonic_t mnemonics[] = {
    {"adc", RD_RR, 0x1C00},        {"add", RD_RR, 0x0C00},      {"adiw", WIDE_K, 0x9600},
    {"and", RD_RR, 0x2000},        {"andi", RD_K, 0x7000},      {"asr", RD, 0x9405},
    {"brcc", RELATIVE7, 0xF400},   {"brcs", RELATIVE7, 0xF000}, {"breq", RELATIVE7, 0xF001},
    {"brmi", RELATIVE7, 0xF002},   {"brne", RELATIVE7, 0xF401}, {"brpl", RELATIVE7, 0xF402},
    {"cli", NO_OPERAND, 0x94F8},   {"com", RD, 0x9400},         {"cp", RD_RR, 0x1400},
    {"cpc", RD_RR, 0x0400},        {"cpi", RD_K, 0x3000},       {"dec", RD, 0x940A},
    {"eor", RD_RR, 0x2400},        {"in", IN_RD_A, 0xB000},     {"inc", RD, 0x9403},
    {"ld", LOAD_RD, 0x9000},       {"ldi", RD_K, 0xE000},       {"lsr", RD, 0x9406},
    {"mov", RD_RR, 0x2C00},        {"mul", RD_RR, 0x9C00},      {"neg", RD, 0x9401},
    {"nop", NO_OPERAND, 0x0000},   {"or", RD_RR, 0x2800},       {"ori", RD_K, 0x6000},
    {"out", OUT_A_RR, 0xB800},     {"pop", RD, 0x900F},         {"push", RD, 0x920F},
    {"rcall", RELATIVE12, 0xD000}, {"ret", NO_OPERAND, 0x9508}, {"reti", NO_OPERAND, 0x9518},
    {"rjmp", RELATIVE12, 0xC000},  {"ror", RD, 0x9407},         {"sbc", RD_RR, 0x0800},
    {"sbci", RD_K, 0x4000},        {"sbiw", WIDE_K, 0x9700},    {"sei", NO_OPERAND, 0x9478},
    {"sleep", NO_OPERAND, 0x9588}, {"st", STORE_RR, 0x9200},    {"sub", RD_RR, 0x1800},
    {"subi", RD_K, 0x5000},        {"swap", RD, 0x9402},
};

static symbol_t *symbols[SLOTS];
static uint16_t image[IMAGE];
static unsigned pass, line, mistakes, known, most, origin;
static FILE *listing;
static const char *at;

static void mistake(const char *format, ...) {
    va_list arguments;
    if (pass == 1)
        return;
    mistakes++;
    va_start(arguments, format);
    fprintf(listing, "line %u: ", line);
    vfprintf(listing, format, arguments);
    fputc('\n', listing);
    va_end(arguments);
}

static unsigned hash(const char *name) {
    unsigned value = 5381;
    while (*name)
        value = value * 33 ^ (unsigned char)*name++;
    return value % SLOTS;
}

static symbol_t *find(const char *name) {
    symbol_t *one = symbols[hash(name)];
    while (one && strcmp(one->name, name))
        one = one->next;
    return one;
}

static void define(const char *name, int32_t value) {
    symbol_t *one = find(name);
    if (one) {
        if (one->value != value)
            mistake("%s again", name);
        return;
    }
    one = malloc(sizeof *one + strlen(name) + 1);
    if (!one)
        exit(3);
    strcpy(one->name, name);
    one->value = value;
    one->next = symbols[hash(name)];
    symbols[hash(name)] = one;
    known++;
}

static void blanks(void) {
    while (*at == ' ' || *at == '\t')
        at++;
}

static int take(char sign) {
    blanks();
    if (*at != sign)
        return 0;
    at++;
    return 1;
}

static int word(char *text, size_t size) {
    size_t length = 0;
    blanks();
    while ((isalnum((unsigned char)*at) || *at == '_' || *at == '.') && length + 1 < size)
        text[length++] = *at++;
    text[length] = 0;
    return length > 0;
}

static int32_t sum(void);

static int32_t value(void) {
    char text[32];
    if (take('(')) {
        int32_t inner = sum();
        if (!take(')'))
            mistake(") expected");
        return inner;
    }
    if (take('-'))
        return -value();
    if (take('~'))
        return ~value();
    if (take('\'')) {
        int32_t letter = (unsigned char)*at;
        at += 2;
        return letter;
    }
    if (!word(text, sizeof text)) {
        mistake("value expected");
        at += strlen(at);
        return 0;
    }
    if (isdigit((unsigned char)*text))
        return text[1] == 'b' ? (int32_t)strtol(text + 2, NULL, 2) : (int32_t)strtol(text, NULL, 0);
    if (!strcmp(text, "lo8"))
        return value() & 255;
    if (!strcmp(text, "hi8"))
        return value() >> 8 & 255;
    symbol_t *symbol = find(text);
    if (!symbol)
        mistake("%s is not known", text);
    return symbol ? symbol->value : 0;
}

static int32_t product(void) {
    int32_t result = value();
    for (;;) {
        if (take('*'))
            result *= value();
        else if (take('&'))
            result &= value();
        else if (take('<') && take('<'))
            result <<= value();
        else
            return result;
    }
}

static int32_t sum(void) {
    int32_t result = product();
    for (;;) {
        if (take('+'))
            result += product();
        else if (take('-'))
            result -= product();
        else if (take('|'))
            result |= product();
        else
            return result;
    }
}

static int32_t within(int32_t number, int32_t least, int32_t greatest) {
    if (number < least || number > greatest) {
        mistake("%ld is not from %ld to %ld", (long)number, (long)least, (long)greatest);
        return least;
    }
    return number;
}

static unsigned reg(int least) {
    char text[8];
    if (!word(text, sizeof text) || text[0] != 'r' || !isdigit((unsigned char)text[1])) {
        mistake("register expected");
        return (unsigned)least;
    }
    return (unsigned)within(atoi(text + 1), least, 31);
}

static void comma(void) {
    if (!take(','))
        mistake(", expected");
}

static void emit(unsigned code) {
    if (origin >= IMAGE) {
        mistake("too long");
        return;
    }
    if (pass == 2) {
        image[origin] = (uint16_t)code;
        fprintf(listing, "%04x %04x\n", origin, code & 0xFFFF);
    }
    if (++origin > most)
        most = origin;
}

/* X, X+ or -X, so for Y and Z. */
static unsigned pointer(void) {
    static const uint8_t codes[3][3] = {{12, 13, 14}, {8, 9, 10}, {0, 1, 2}};
    int before = take('-');
    blanks();
    int which = *at - 'X';
    if (which < 0 || which > 2) {
        mistake("pointer expected");
        return 12;
    }
    at++;
    int mode = before ? 2 : take('+');
    unsigned code = codes[which][mode];
    return mode == 0 && which ? 0x8000 | code : 0x1000 | code;
}

static int compare(const void *name, const void *one) {
    return strcmp(name, ((const mnemonic_t *)one)->name);
}

static void instruction(const char *name) {
    const mnemonic_t *one =
        bsearch(name, mnemonics, sizeof mnemonics / sizeof *mnemonics, sizeof *mnemonics, compare);
    unsigned d, r, code;
    int32_t k;
    if (!one) {
        mistake("%s is no instruction", name);
        at += strlen(at);
        return;
    }
    code = one->code;
    switch ((form_t)one->form) {
    case RD_RR:
        d = reg(0);
        comma();
        r = reg(0);
        emit(code | d << 4 | (r & 15) | (r & 16) << 5);
        break;
    case RD_K:
        d = reg(16);
        comma();
        k = within(sum(), -128, 255);
        emit(code | (d - 16) << 4 | (k & 15) | (unsigned)(k & 0xF0) << 4);
        break;
    case RD:
        emit(code | reg(0) << 4);
        break;
    case RELATIVE7:
        k = sum() - (int32_t)origin - 1;
        emit(code | (unsigned)(pass == 1 ? 0 : within(k, -64, 63) & 127) << 3);
        break;
    case RELATIVE12:
        k = sum() - (int32_t)origin - 1;
        emit(code | (unsigned)(pass == 1 ? 0 : within(k, -2048, 2047) & 0xFFF));
        break;
    case IN_RD_A:
        d = reg(0);
        comma();
        k = within(sum(), 0, 63);
        emit(code | d << 4 | (k & 15) | (unsigned)(k & 48) << 5);
        break;
    case OUT_A_RR:
        k = within(sum(), 0, 63);
        comma();
        d = reg(0);
        emit(code | d << 4 | (k & 15) | (unsigned)(k & 48) << 5);
        break;
    case LOAD_RD:
        d = reg(0);
        comma();
        r = pointer();
        emit((r & 0x8000 ? 0x8000 : code) | d << 4 | (r & 15));
        break;
    case STORE_RR:
        r = pointer();
        comma();
        d = reg(0);
        emit((r & 0x8000 ? 0x8200 : code) | d << 4 | (r & 15));
        break;
    case WIDE_K:
        d = reg(24);
        comma();
        k = within(sum(), 0, 63);
        emit(code | (d - 24) / 2 << 4 | (k & 15) | (unsigned)(k & 48) << 2);
        break;
    case NO_OPERAND:
        emit(code);
    }
}

static void directive(const char *name) {
    char text[32];
    if (!strcmp(name, ".org"))
        origin = (unsigned)within(sum(), 0, IMAGE - 1);
    else if (!strcmp(name, ".equ")) {
        if (!word(text, sizeof text) || !take('='))
            mistake("name expected");
        else
            define(text, sum());
    } else if (!strcmp(name, ".dw"))
        do
            emit((unsigned)sum() & 0xFFFF);
        while (take(','));
    else if (!strcmp(name, ".db")) {
        unsigned bytes = 0, low = 0;
        do {
            if (take('"')) {
                for (; *at && *at != '"'; at++, bytes++) {
                    if (bytes & 1)
                        emit(low | (unsigned)(unsigned char)*at << 8);
                    low = (unsigned char)*at;
                }
                if (*at)
                    at++;
                continue;
            }
            unsigned byte = (unsigned)within(sum(), -128, 255) & 255;
            if (bytes++ & 1)
                emit(low | byte << 8);
            low = byte;
        } while (take(','));
        if (bytes & 1)
            emit(low);
    } else
        mistake("%s is no directive", name);
}

static void assemble(FILE *input) {
    char text[LONGEST], name[32];
    rewind(input);
    line = origin = 0;
    while (fgets(text, sizeof text, input)) {
        char *comment = strchr(text, ';');
        text[comment ? (size_t)(comment - text) : strcspn(text, "\n")] = 0;
        at = text;
        line++;
        if (!word(name, sizeof name))
            continue;
        if (take(':')) {
            define(name, (int32_t)origin);
            if (!word(name, sizeof name))
                continue;
        }
        if (*name == '.')
            directive(name);
        else
            instruction(name);
        blanks();
        if (*at)
            mistake("more than expected: %s", at);
    }
}

static int by_value(const void *a, const void *b) {
    const symbol_t *one = *(symbol_t *const *)a, *other = *(symbol_t *const *)b;
    if (one->value != other->value)
        return one->value < other->value ? -1 : 1;
    return strcmp(one->name, other->name);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[3], "wb");
    listing = fopen(argv[2], "w");
    if (!input || !output || !listing)
        return 1;
    for (pass = 1; pass <= 2; pass++)
        assemble(input);
    symbol_t **sorted = malloc(known * sizeof *sorted);
    unsigned count = 0;
    if (!sorted)
        return 3;
    for (unsigned i = 0; i < SLOTS; i++)
        for (symbol_t *one = symbols[i]; one; one = one->next)
            sorted[count++] = one;
    qsort(sorted, count, sizeof *sorted, by_value);
    for (unsigned i = 0; i < count; i++)
        fprintf(listing, "%-20s %6ld\n", sorted[i]->name, (long)sorted[i]->value);
    for (unsigned i = 0; i < most; i++) {
        fputc(image[i] & 255, output);
        fputc(image[i] >> 8, output);
    }
    printf("%u words, %u names, %u mistakes\n", most, known, mistakes);
    fclose(input);
    return fclose(output) != 0 || fclose(listing) != 0;
}
