/* Formatted output and input in newlib-nano: pieces of text, conversions by kind, digits. */
#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "streams.h"

/* Of integers in all bases. */
#define NUMERAL "+-0123456789abcdefABCDEF"
#define FRACTIONS "feEgGaA"
/* Stand for the letters of conversions whose numbers are not stored. */
#define LEFT_OUT '*'
#define FRACTION_LEFT_OUT '/'

/* `place` is where the text begins in a word. */
typedef void sink(void *to, const char *text, size_t size, unsigned place);

struct string_sink {
    uintptr_t at;
    size_t left; /* bytes that the string has space for */
};

static void to_stream(void *to, const char *text, size_t size, unsigned place) {
    event(AMOUNT_texts, 1, 1);
    event(AMOUNT_put_bytes, AMOUNT_stream_sfputs, size);
    extern void stream_put(struct board_stream *, const char *, size_t);
    stream_put(to, text, size);
}

static void to_string(void *to, const char *text, size_t size, unsigned place) {
    struct string_sink *string = to;
    event(AMOUNT_texts, 0, 1);
    size = size < string->left ? size : string->left;
    int aligned = !(((unsigned)string->at | place) & 3);
    event(size < 16 ? COPY_SHORT : aligned ? COPY_ALIGNED : COPY_UNALIGNED, (unsigned)size, 1);
    string->at += size;
    string->left -= size;
}

/* Bits of the quotients when a number is divided digit by digit: what its divisions take. */
static unsigned quotient_bits(const char *text, unsigned base) {
    unsigned bits = 0;
    for (uint64_t rest = strtoull(text + strcspn(text, "0123456789"), NULL, (int)base); rest;) {
        rest /= base;
        for (uint64_t left = rest; left; left >>= 1)
            bits++;
    }
    return bits;
}

static void converted(sink *give, void *to, const char *spec, size_t length, va_list *values) {
    char copy[64], text[512];
    char kind = spec[length - 1];
    if (length >= sizeof copy)
        return;
    memcpy(copy, spec, length);
    copy[length] = 0;
    int star[2] = {0, 0}, stars = 0;
    for (size_t i = 0; i < length; i++)
        if (copy[i] == '*' && stars < 2)
            star[stars++] = va_arg(*values, int);
    int longs = 0, big = 0;
    for (size_t i = 1; i + 1 < length; i++) {
        longs += copy[i] == 'l';
        big += copy[i] == 'j' || copy[i] == 'L' || copy[i] == 'q';
    }
    event(AMOUNT_conversions, (unsigned char)kind, 1);
    event(AMOUNT_flags, 0, length - 2);
    int made = 0;
    size_t bare = 1;    /* bytes of a string or a letter without its padding */
    unsigned place = 1; /* digits stand at the end of a buffer */
#define MADE(value)                                                   \
    (stars == 0   ? snprintf(text, sizeof text, copy, value)          \
     : stars == 1 ? snprintf(text, sizeof text, copy, star[0], value) \
                  : snprintf(text, sizeof text, copy, star[0], star[1], value))
    switch (kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        if (longs > 1 || big)
            made = MADE(va_arg(*values, long long));
        else if (longs)
            made = MADE(va_arg(*values, long));
        else
            made = MADE(va_arg(*values, int));
        break;
    case 'c':
        made = MADE(va_arg(*values, int));
        break;
    case 's': {
        const char *string = va_arg(*values, const char *);
        made = MADE(string);
        place = (unsigned)((uintptr_t)string & 3);
        const char *point = strchr(copy, '.');
        int most = !point ? -1 : point[1] == '*' ? star[stars - 1] : atoi(point + 1);
        bare = !string ? strlen("(null)") : strnlen(string, most < 0 ? sizeof text : (size_t)most);
        break;
    }
    case 'p':
        made = MADE(va_arg(*values, void *));
        break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        if (strchr(copy, 'L'))
            made = MADE(va_arg(*values, long double));
        else
            made = MADE(va_arg(*values, double));
        break;
    case 'n':
        (void)va_arg(*values, void *);
        return;
    default:
        return;
    }
    if (made < 0)
        return;
    size_t size = (size_t)made < sizeof text ? (size_t)made : sizeof text - 1;
    size_t before, zeros = 0, behind;
    bare = bare < size ? bare : size;
    if (kind == 's' || kind == 'c')
        before = strchr(copy, '-') ? 0 : size - bare;
    else
        before = strspn(text, " ");
    behind = size - before - (kind == 's' || kind == 'c' ? bare : strcspn(text + before, " "));
    size_t begin = before, end = size - behind;
    if (strchr("diuoxX", kind)) {
        begin += text[begin] == '-' || text[begin] == '+';
        begin += 2 * (end - begin > 1 && text[begin] == '0' && (text[begin + 1] | 32) == 'x');
        zeros = strspn(text + begin, "0");
        zeros -= zeros && begin + zeros == end;
    }
    size_t digits = 0;
    for (size_t i = begin + zeros; i < end; i++)
        digits += isxdigit((unsigned char)text[i]) != 0;
    if (strchr("diuo", kind)) {
        event(AMOUNT_digits, 0, digits);
        event(AMOUNT_digit_bits, 0, quotient_bits(text, kind == 'o' ? 8 : 10));
    } else if (strchr("xXp", kind))
        event(AMOUNT_hexadecimals, 0, digits);
    else if (kind == 's')
        event(AMOUNT_string_bytes, 0, bare);
    else if (kind != 'c')
        event(AMOUNT_double_digits, (unsigned char)kind, digits);
    /* Each padding byte is written alone: blanks in front, zeros, blanks behind. */
    size_t padded = before + zeros + behind;
    event(AMOUNT_padding, 0, padded);
    for (size_t i = 0; i < padded; i++)
        give(to, text, 1, 1);
    if (size > padded)
        give(to, text, size - padded, place);
}

/* Literals begin at words on the board. */
static void formatted(sink *give, void *to, const char *const literal, va_list given) {
    const char *format = literal;
    va_list values;
    va_copy(values, given);
    while (*format) {
        const char *end = strchr(format, '%');
        size_t text = end ? (size_t)(end - format) : strlen(format);
        if (text) {
            event(AMOUNT_text_bytes, 0, text);
            give(to, format, text, (unsigned)(format - literal) & 3);
        }
        if (!end)
            break;
        if (end[1] == '%') {
            event(AMOUNT_conversions, '%', 1);
            give(to, "%", 1, 1);
            format = end + 2;
            continue;
        }
        size_t length = 1 + strspn(end + 1, "0123456789+- #.*hlLqjzt");
        if (!end[length])
            break;
        converted(give, to, end, length + 1, &values);
        format = end + length + 1;
    }
    va_end(values);
}

/* Counted as a function of the board: files.c does not have it, as its own loops are not events. */
int stream_vfprintf(struct board_stream *stream, const char *format, va_list values) {
    event(AMOUNT_stream_fprintf, 0, 1);
    extern int stream_can_write(struct board_stream *);
    if (stream_can_write(stream))
        formatted(to_stream, stream, format, values);
    return 0;
}

void text_made(const char *to, size_t most, const char *format, va_list values) {
    struct string_sink string = {(uintptr_t)to, most ? most - 1 : 0};
    event(AMOUNT_to_strings, 0, 1);
    formatted(to_string, &string, format, values);
}

/* Reads a set behind its `[`; returns what follows its `]`. The library fills a table for it, with
 * a step for each letter that is named. */
static const char *read_set(const char *at, unsigned char in_set[256]) {
    int others = *at == '^';
    const char *first = at += others;
    unsigned letters = 0;
    memset(in_set, others, 256);
    for (; *at && (*at != ']' || at == first); at++) {
        unsigned char from = (unsigned char)*at, to = from;
        if (at[1] == '-' && at[2] && at[2] != ']') {
            to = (unsigned char)at[2];
            at += 2;
        }
        for (unsigned letter = from; letter <= to; letter++, letters++)
            in_set[letter] = !others;
    }
    event(AMOUNT_scanned_set_letters, 0, letters);
    return at + (*at == ']');
}

/* Whether a conversion of this kind takes the letter of a number that begins at `from`. */
static int is_of_number(char kind, const char *from, const char *at) {
    unsigned char letter = (unsigned char)*at;
    int is_fraction = strchr(FRACTIONS, kind) != NULL;
    if (letter == '-' || letter == '+')
        return at == from || (is_fraction && tolower((unsigned char)at[-1]) == 'e');
    if (is_fraction && isalpha((unsigned char)*from))
        return isalpha(letter); /* inf, nan */
    if (is_fraction)
        return isdigit(letter) || letter == '.' || tolower(letter) == 'e';
    if (strchr("duo", kind))
        return isdigit(letter);
    return isxdigit(letter) || tolower(letter) == 'x';
}

static void scanned(const char *format, const char *text, size_t consumed) {
    const char *at = text, *end = text + consumed;
    while (*format) {
        if (isspace((unsigned char)*format)) {
            while (at < end && isspace((unsigned char)*at))
                at++, event(AMOUNT_scanned_spaces, 0, 1);
            format++;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            event(AMOUNT_scanned_texts, 0, 1);
            format += *format == '%';
            if (at >= end || *at != *format)
                return;
            at++;
            format++;
            continue;
        }
        format++;
        size_t length = strspn(format, "*0123456789hlLqjzt");
        char kind = format[length];
        int is_left_out = *format == '*';
        size_t most = strtoul(format + (*format == '*'), NULL, 10);
        format += length + (kind != 0);
        unsigned char in_set[256];
        if (kind == '[')
            format = read_set(format, in_set);
        if (kind != 'c' && kind != '[' && kind != 'n')
            while (at < end && isspace((unsigned char)*at))
                at++, event(AMOUNT_scanned_blanks, 0, 1);
        if (at == end && kind != 'n')
            return;
        const char *from = at, *stop = end;
        if (most && most < (size_t)(end - at))
            stop = at + most;
        /* A number is not converted where none stands, nor one that is left out. */
        int is_whole = strchr("diuxXop", kind) != NULL;
        int lacks = is_whole && !strchr(NUMERAL, *at);
        char counted = kind;
        if (is_left_out && (is_whole || strchr(FRACTIONS, kind)))
            counted = is_whole ? LEFT_OUT : FRACTION_LEFT_OUT;
        event(AMOUNT_scanned, (unsigned char)(lacks ? '0' : counted), 1);
        if (lacks)
            return;
        if (strchr("diuxXop", kind)) {
            while (at < stop && is_of_number(kind, from, at))
                at++;
            event(AMOUNT_scanned_digits, 0, (size_t)(at - from));
        } else if (strchr(FRACTIONS, kind)) {
            while (at < stop && is_of_number(kind, from, at))
                at++;
            event(AMOUNT_scanned_doubles, 0, (size_t)(at - from));
        } else if (kind == 's') {
            while (at < stop && !isspace((unsigned char)*at))
                at++;
            event(AMOUNT_scanned_bytes, 0, (size_t)(at - from));
        } else if (kind == 'c') {
            at += at < end;
        } else if (kind == '[') {
            while (at < stop && in_set[(unsigned char)*at])
                at++;
            event(AMOUNT_scanned_set_bytes, 0, (size_t)(at - from));
            if (at == from)
                return;
        } else if (kind != 'n') {
            return;
        }
    }
}

void text_read(const char *format, const char *text, size_t consumed) {
    event(AMOUNT_from_strings, 0, 1);
    scanned(format, text, consumed);
}

void stream_fscanf(struct board_stream *stream, const char *format, const char *text,
                   size_t consumed) {
    event(AMOUNT_stream_fscanf, 0, 1);
    scanned(format, text, consumed);
    extern void stream_take(struct board_stream *, size_t);
    stream_take(stream, consumed);
}
