/* Prints the events of each call of one file of cases: lines of case, x, kind, x of it, times. */
#include "case.h"

#include "files_case.h"
#ifdef OWN_NAMES /* the file has its own of these */
#define stream own_stream
#define buffer own_buffer
#define open_stream own_open_stream
#define fill_buffer own_fill_buffer
#endif
#include CASES
#undef stream
#undef buffer
#undef open_stream
#undef fill_buffer

#undef fprintf
#undef printf
#undef puts
#undef qsort
#undef fscanf
#undef sprintf
#undef snprintf
#undef sscanf
#include <stdarg.h>

#include "../../counted.h"
#include "../../sort.h"
#include "../events.h"

enum { MOST_CASES = 200, POINTS = 14 };

int board_format(void);
void streams_forget(void);

static const struct timed_case *cases[MOST_CASES];
static int case_count;

void case_is(const struct timed_case *one) {
    cases[case_count++] = one;
}

char *content, *buffer;
char path[2 * MOST_DEEP];
FILE *stream;

uint32_t files_bytes(const struct series *series) {
    return 0;
}

void *arena_take(size_t bytes) {
    return calloc(1, bytes);
}

bool remember(void) {
    return true;
}

bool bring_back(void) {
    return true;
}

bool make_disk(void) {
    content = calloc(1, MOST_BYTES + 1);
    buffer = calloc(1, MOST_BYTES + 1);
    for (uint32_t i = 0; i <= MOST_BYTES; i++)
        content[i] = (char)('a' + i % 16);
    return board_format() == 0;
}

bool make_file(const char *name, uint32_t bytes) {
    int file = open(name, O_WRONLY | O_CREAT);
    while (bytes > 0) {
        uint32_t part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
        if (write(file, content, part) != (int)part)
            break;
        bytes -= part;
    }
    return close(file) == 0 && bytes == 0;
}

bool make_directories(uint32_t depth) {
    path[0] = 0;
    for (uint32_t i = 1; i < depth; i++) {
        strcat(path, "d");
        if (mkdir(path, 0777) != 0)
            return false;
        strcat(path, "/");
    }
    strcat(path, "f");
    return true;
}

bool make_entries(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        path[0] = 'f';
        path[1] = (char)('a' + i);
        path[2] = 0;
        if (!make_file(path, 0))
            return false;
    }
    return true;
}

bool fill_disk(void) {
    return false;
}

bool file_holds(const char *name, uint32_t offset, uint32_t bytes) {
    return true;
}

bool settle_streams(void) {
    FILE *device = fopen(FILES_DEVICE, "r");
    return device != NULL && fclose(device) == 0;
}

bool open_stream(const char *mode, enum buffering buffering) {
    if (!make_disk() || !make_directories(1) || !settle_streams())
        return false;
    if (mode[0] == 'r' && !make_file(path, MOST_BYTES + 1))
        return false;
    stream = fopen(path, mode);
    if (stream == NULL)
        return false;
    return buffering == AS_OPENED ||
           setvbuf(stream, NULL, buffering == BUFFERED ? _IOFBF : _IONBF, STREAM_BYTES) == 0;
}

bool fill_buffer(void) {
    return getc(stream) == content[0];
}

/* Where a file of cases puts the macros aside. */
#undef putc
#undef getc
#undef feof
#undef fileno

int putc(int byte, FILE *to) {
    return stream_putc(HERE(to), byte);
}

int getc(FILE *from) {
    return stream_getc(HERE(from));
}

int feof(FILE *of) {
    return stream_feof(HERE(of));
}

int fileno(FILE *of) {
    return stream_fileno(HERE(of));
}

static const struct timed_case *current;
static uint32_t current_x;

void event(unsigned kind, unsigned x, unsigned long long times) {
    if (events_count && times)
        printf("%s %u %u %u %llu\n", current->name, current_x, kind, x, times);
}

int case_sprintf(char *to, const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    text_made(to, (size_t)-1, format, again);
    return vsprintf(to, format, values);
}

int case_snprintf(char *to, size_t most, const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    text_made(to, most, format, again);
    return vsnprintf(to, most, format, values);
}

int case_sscanf(const char *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    text_read(format, text, strlen(text));
    return vsscanf(text, format, values);
}

int case_fprintf(FILE *to, const char *format, ...) {
    va_list values;
    va_start(values, format);
    stream_vfprintf(HERE(to), format, values);
    return 1;
}

int case_printf(const char *format, ...) {
    va_list values;
    va_start(values, format);
    stream_vfprintf(board_output, format, values);
    return 1;
}

void case_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    qsort(base, n, size, compare);
    for (unsigned part = 0; part < SORT_PARTS; part++)
        event(AMOUNT_sort_pieces + part, 0, (unsigned long long)cyclescope_sorted((int)part));
}

int case_puts(const char *text) {
    return stream_puts(text);
}

/* The bytes to be scanned lie in the stream's buffer. */
int case_fscanf(FILE *from, const char *format, ...) {
    char text[64];
    size_t size = stream_peek(HERE(from), text, sizeof text - 1);
    text[size] = 0;
    const char *blank = text + strspn(text, " ");
    bool one = !strcmp(format, "%*c");
    stream_fscanf(HERE(from), format, text, one ? 1 : (size_t)(blank - text) + strcspn(blank, " "));
    return !one;
}

static void run(const struct timed_case *one, uint32_t x) {
    struct series series = {.x = x, .length = 1};
    current = one;
    current_x = x;
    events_count = 0;
    if (one->set_up && !one->set_up(&series)) {
        fprintf(stderr, "%s %u: not set up\n", one->name, x);
        return;
    }
    events_count = 1;
    one->real(&series);
    events_count = 0;
    printf("%s %u - 0 0\n", one->name, x);
    if (one->tear_down)
        one->tear_down(&series);
}

int main(void) {
    board_format();
    for (int i = 0; i < case_count; i++) {
        const struct domain *domain = cases[i]->domain;
        if (!domain) {
            streams_forget();
            run(cases[i], 0);
            continue;
        }
        uint32_t count = (domain->last - domain->first) / domain->step + 1;
        uint32_t points = count < POINTS ? count : POINTS;
        for (uint32_t at = 0; at < points; at++) {
            uint32_t number = points == 1 ? 0 : at * (count - 1) / (points - 1);
            streams_forget();
            run(cases[i], domain->first + number * domain->step);
        }
    }
    return 0;
}
