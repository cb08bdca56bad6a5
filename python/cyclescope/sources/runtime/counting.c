/* Contexts of a counted program, made when they are first reached and written when it ends. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "counted.h"

/* Beyond so many, a context does not say by which calls it was reached. */
#define MOST_CONTEXTS 100000
#define NO_FUNCTION 0xffffffffu
#define PIECE_BYTES ((size_t)1 << 20)
#define FIELDS 7
#define VALUES 6
/* Beyond so many for one call in one context, parameters are rounded down to powers of two. */
#define MOST_TUPLES 4096

#include "heap_model.h"

struct cyclescope_edge {
    struct cyclescope_context *to;
    struct cyclescope_edge *next;
};

struct listed {
    struct cyclescope_context *context;
    struct cyclescope_slot *reached_by;
    unsigned counters;
    unsigned slots;
    struct listed *next;
};

struct tuple {
    long long value[VALUES];
    unsigned long long times;
};

/* The parameters of one call in one context; a hash table with open addressing. */
struct cyclescope_tuples {
    size_t used, capacity;
    struct tuple *entries;
    struct tuple *last;
};

static struct cyclescope_context nothing = {.function = NO_FUNCTION};
struct cyclescope_slot cyclescope_root = {.child = &nothing};
struct cyclescope_slot *cyclescope_next = &cyclescope_root;
static struct listed *first;
static struct listed **last = &first;
static unsigned made;
static int merged;

/* Calls in whose place the target's compiler put code: a copy of the function, by its number from
 * 1, or a jump within the same copy. 0 is a function itself. */
struct inlined {
    unsigned in_copy, in_function, call, function, copy;
};
static struct inlined *inlined;
static unsigned calls_inlined;

static const char *path;

/* Zeroed memory that is never freed; not the program's heap, whose addresses stay as they are. */
void *cyclescope_space(size_t bytes) {
    static char *free_at;
    static size_t left;
    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes > left) {
        left = bytes > PIECE_BYTES ? bytes : PIECE_BYTES;
        free_at = mmap(NULL, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (free_at == MAP_FAILED)
            _exit(127);
    }
    left -= bytes;
    free_at += bytes;
    return free_at - bytes;
}

static struct cyclescope_context *make(struct cyclescope_slot *in, unsigned function,
                                       unsigned counters, unsigned slots, unsigned copy) {
    struct cyclescope_context *context =
        cyclescope_space(sizeof *context + counters * sizeof context->count[0]);
    struct listed *entry = cyclescope_space(sizeof *entry);
    context->function = function;
    context->number = made++;
    context->copy = copy;
    context->parent = in->owner;
    context->slots = cyclescope_space(slots * sizeof *context->slots);
    for (unsigned slot = 0; slot < slots; slot++) {
        context->slots[slot].child = &nothing;
        context->slots[slot].owner = context;
    }
    *entry =
        (struct listed){.context = context, .reached_by = in, .counters = counters, .slots = slots};
    *last = entry;
    last = &entry->next;
    return context;
}

/* The copy of a function that a call enters; 0 where it enters the function itself. */
static unsigned copy_entered(const struct cyclescope_slot *in, unsigned function) {
    const struct cyclescope_context *from = in->owner;
    for (unsigned at = 0; from && at < calls_inlined; at++) {
        const struct inlined *one = &inlined[at];
        if (one->function == function && one->in_copy == from->copy &&
            one->in_function == from->function && &from->slots[one->call] == in)
            return one->copy;
    }
    return 0;
}

/* Where the call `in` enters `function`: known, already on the way down (recursion), or new. A copy
 * is on no way down: its depth is that of the target's code. */
struct cyclescope_context *cyclescope_find(struct cyclescope_slot *in, unsigned function,
                                           unsigned counters, unsigned slots) {
    for (struct cyclescope_edge *edge = in->edges; edge; edge = edge->next)
        if (edge->to->function == function)
            return in->child = edge->to;
    unsigned copy = copy_entered(in, function);
    struct cyclescope_context *found = in->owner;
    if (copy && copy != found->copy)
        found = NULL;
    while (!copy && found && (found->function != function || found->copy))
        found = found->parent;
    if (!found && made >= MOST_CONTEXTS && in != &cyclescope_root) {
        merged = 1;
        found = cyclescope_find(&cyclescope_root, function, counters, slots);
    }
    if (!found)
        found = make(in, function, counters, slots, copy);
    struct cyclescope_edge *edge = cyclescope_space(sizeof *edge);
    *edge = (struct cyclescope_edge){.to = found, .next = in->edges};
    in->edges = edge;
    return in->child = found;
}

static size_t hash(const long long *value) {
    unsigned long long mixed = 0;
    for (unsigned at = 0; at < VALUES; at++) {
        mixed = (mixed ^ (unsigned long long)value[at]) * 0x9e3779b97f4a7c15u;
        mixed ^= mixed >> 32;
    }
    return (size_t)mixed;
}

/* The entry of these values, or the free one where they belong. */
static struct tuple *place(struct cyclescope_tuples *tuples, const long long *value) {
    for (size_t at = hash(value);; at++) {
        struct tuple *entry = &tuples->entries[at & (tuples->capacity - 1)];
        if (!entry->times || !memcmp(entry->value, value, sizeof entry->value))
            return entry;
    }
}

static void grow(struct cyclescope_tuples *tuples) {
    struct cyclescope_tuples larger = {.used = tuples->used};
    larger.capacity = tuples->capacity ? 4 * tuples->capacity : 16;
    larger.entries = cyclescope_space(larger.capacity * sizeof *larger.entries);
    for (size_t at = 0; at < tuples->capacity; at++)
        if (tuples->entries[at].times)
            *place(&larger, tuples->entries[at].value) = tuples->entries[at];
    *tuples = larger;
}

static long long rounded(long long value) {
    return value > 1 ? 1LL << (63 - __builtin_clzll((unsigned long long)value)) : value;
}

/* Counts so many calls with these parameters. */
static void called(struct cyclescope_slot *slot, long long *value, unsigned long long times) {
    if (!slot->tuples)
        slot->tuples = cyclescope_space(sizeof *slot->tuples);
    struct cyclescope_tuples *tuples = slot->tuples;
    if (!tuples->last || memcmp(tuples->last->value, value, VALUES * sizeof *value)) {
        if (2 * tuples->used >= tuples->capacity)
            grow(tuples);
        tuples->last = place(tuples, value);
        if (!tuples->last->times && tuples->used >= MOST_TUPLES) {
            for (unsigned at = 0; at < VALUES; at++)
                value[at] = rounded(value[at]);
            tuples->last = place(tuples, value);
        }
        if (!tuples->last->times) {
            memcpy(tuples->last->value, value, VALUES * sizeof *value);
            tuples->used++;
        }
    }
    tuples->last->times += times;
}

void cyclescope_called(struct cyclescope_slot *slot, long long a, long long b, long long c,
                       long long d, long long e, long long f) {
    long long value[VALUES] = {a, b, c, d, e, f};
    called(slot, value, 1);
}

void cyclescope_idled(struct cyclescope_slot *slot, int function, long long cycles) {
    long long value[VALUES] = {function};
    called(slot, value, (unsigned long long)cycles);
}

void cyclescope_met(struct cyclescope_slot *slot, unsigned kind, unsigned x,
                    unsigned long long times) {
    long long value[VALUES] = {kind, x};
    called(slot, value, times);
}

long long cyclescope_length(const void *string, long long most) {
    return string ? (long long)strnlen(string, (size_t)most) : 0;
}

long long cyclescope_common(const void *a, const void *b, long long most) {
    const char *left = a, *right = b;
    long long length = 0;
    while (length != most && left[length] == right[length] && (most >= 0 || left[length]))
        length++;
    return length;
}

/* As far as two strings are equal, `folded` in upper and lower case alike. */
long long cyclescope_prefix(const void *a, const void *b, long long most, int folded) {
    const char *left = a, *right = b;
    long long length = 0;
    while (length != most && left[length] &&
           (left[length] == right[length] || (folded && tolower((unsigned char)left[length]) ==
                                                            tolower((unsigned char)right[length]))))
        length++;
    return length;
}

long long cyclescope_searched(const void *string, const void *found, long long most) {
    if (found)
        return (const char *)found - (const char *)string;
    return most >= 0 ? most : cyclescope_length(string, most);
}

/* Digits of an integer in a base, 10 if there is none; a prefix is none of them. */
long long cyclescope_numeral(const void *string, long long base) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    const char *at = string, *found;
    at += strspn(at, " \t\n\v\f\r");
    at += *at == '-' || *at == '+';
    int prefixed = at[0] == '0' && (at[1] | 32) == 'x' && (base == 0 || base == 16);
    if (base <= 0)
        base = prefixed ? 16 : base == 0 && *at == '0' ? 8 : 10;
    at += 2 * prefixed;
    const char *first = at;
    while (*at && (found = strchr(digits, *at >= 'A' && *at <= 'Z' ? *at | 32 : *at)) != NULL &&
           found - digits < base)
        at++;
    return at - first;
}

/* The base of an integer's text: that which is given, or that which the text says. */
long long cyclescope_base(const void *string, long long base) {
    const char *at = string;
    at += strspn(at, " \t\n\v\f\r");
    at += *at == '-' || *at == '+';
    if (base > 0)
        return base;
    return at[0] != '0' ? 10 : (at[1] | 32) == 'x' ? 16 : 8;
}

long long cyclescope_blanks(const void *string) {
    return (long long)strspn(string, " \t\n\v\f\r");
}

long long cyclescope_occurrences(const void *string, long long letter) {
    long long times = 0;
    for (const char *at = string; *at; at++)
        times += *at == (char)letter;
    return times;
}

long long cyclescope_ratio(long long dividend, long long divisor) {
    return divisor ? cyclescope_division(SIGNED(dividend / divisor), SIGNED(divisor)) : 0;
}

/* A broken-down time has its year as the sixth of its integers, from 1900 on. */
long long cyclescope_year(const void *broken_down) {
    return broken_down ? ((const int *)broken_down)[5] - 70 : 0;
}

long long cyclescope_moment(const void *seconds) {
    enum { YEAR_SECONDS = 31556952 };
    return *(const long *)seconds / YEAR_SECONDS;
}

/* Of a format of strftime(): letters, numbers of two digits, years, names, numbers of a week, and
 * days of a year. Some conversions stand for several. */
long long cyclescope_time_format(const void *format, int part) {
    static const char *const of_part[] = {"%nt", "CdegHIklmMSsuwy", "YG", "aAbBhpP", "UVW", "j"};
    static const struct {
        char letter;
        const char *stands_for;
    } several[] = {
        {'F', "%Y-%m-%d"}, {'T', "%H:%M:%S"}, {'R', "%H:%M"},       {'D', "%m/%d/%y"},
        {'x', "%m/%d/%y"}, {'X', "%H:%M:%S"}, {'r', "%I:%M:%S %p"}, {'c', "%a %b %e %H:%M:%S %Y"}};
    long long found = 0;
    for (const char *at = format; *at; at++) {
        if (*at != '%' || !at[1]) {
            found += part == 0;
            continue;
        }
        at++;
        found += strchr(of_part[part], *at) != NULL;
        for (unsigned i = 0; i < sizeof several / sizeof *several; i++)
            if (several[i].letter == *at)
                found += cyclescope_time_format(several[i].stands_for, part);
    }
    return found;
}

/* Of a real number: digits before the point, and behind it. With an exponent, one more than the
 * power of ten of all digits. */
long long cyclescope_real(const void *string, int part) {
    const char *at = string;
    at += strspn(at, " \t\n\v\f\r");
    at += *at == '-' || *at == '+';
    size_t whole = strspn(at, "0123456789"), places = 0;
    at += whole;
    if (*at == '.') {
        places = strspn(at + 1, "0123456789");
        at += 1 + places;
    }
    long long power = 0;
    if (part == 2 && whole + places > 0 && (*at | 32) == 'e') {
        power = strtol(at + 1, NULL, 10) - (long)places;
        power = 1 + (power < 0 ? -power : power);
    }
    return part == 0 ? (long long)whole : part == 1 ? (long long)places : power;
}

/* Delimiters in front of a token, by where the last one ended. */
static const char *behind_token;
static long long token_skipped;

long long cyclescope_skipped(const void *string, const void *token) {
    const char *begin = string ? string : behind_token;
    token_skipped = token && begin ? (const char *)token - begin : 0;
    behind_token = token ? (const char *)token + strlen(token) + 1 : NULL;
    return token_skipped;
}

/* How many delimiters strtok() looks at, besides the first for each letter of a token. Which one
 * ended it is not known then: the middle one. */
long long cyclescope_looked(const void *delimiters, const void *token) {
    long long more = (long long)strlen(delimiters) - 1;
    return token ? more * (long long)strlen(token) + (more + 1) / 2 : 0;
}

/* How many letters of a set are looked at, besides the first for each of so many of a string. */
long long cyclescope_sought(const void *string, const void *set, long length) {
    const char *letters = string;
    long long looked = 0;
    for (long at = 0; at <= length && letters[at]; at++) {
        const char *found = strchr(set, letters[at]);
        long long place = found ? found - (const char *)set : (long long)strlen(set) - 1;
        looked += place > 0 ? place : 0;
    }
    return looked;
}

/* How newlib's strstr() looks for a needle of five letters or more. A table gives the step by the
 * letter behind the place: `letter & 63` decides, and the last one that is alike in the needle. */
enum { STEP_CLASSES = 64, NEEDLE_LEAST = 5, NEEDLE_MOST = 254, READ_FIRST = 512, READ_MORE = 2048 };

struct needle_search {
    long long steps, alike, read;
};

/* Letters that are alike, four at once where both begin at a word. */
static long long compared_alike(const char *a, const char *b) {
    long long alike = cyclescope_prefix(a, b, -1, 0);
    int by_words = (((uintptr_t)a | (uintptr_t)b) & 3) == 0;
    return by_words ? alike / 4 + alike % 4 : alike;
}

static struct needle_search searched_for(const char *text, const char *needle) {
    size_t length = strlen(needle), table[STEP_CLASSES];
    struct needle_search found = {0, 0, 0};
    if (length < NEEDLE_LEAST || length > NEEDLE_MOST)
        return found;
    size_t known = strnlen(text, length | READ_FIRST), at = 0, last;
    found.read = (long long)known;
    if (known < length) {
        found.steps = -1;
        return found;
    }
    for (size_t one = 0; one < STEP_CLASSES; one++)
        table[one] = length + 1;
    for (size_t one = 0; one < length; one++)
        table[needle[one] & (STEP_CLASSES - 1)] = length - one;
    for (last = known - length;; last += known) {
        at += table[text[at + length - 1] & (STEP_CLASSES - 1)] - 1;
        for (; at <= last; at += table[text[at + length] & (STEP_CLASSES - 1)]) {
            if (strncmp(text + at, needle, length) == 0)
                return found;
            found.steps++;
            found.alike += compared_alike(text + at, needle);
        }
        known = text[last + length] ? strnlen(text + last + length, READ_MORE) : 0;
        found.read += (long long)known;
        if (known == 0 || last + known < at)
            return found;
    }
}

/* Part 0: the places that differ, -1 in a text that is shorter than the needle. Part 1: the letters
 * alike in them. Part 2: the letters of the text that were read for its end. */
long long cyclescope_stepped(const void *text, const void *needle, int part) {
    struct needle_search found = searched_for(text, needle);
    return part == 0 ? found.steps : part == 1 ? found.alike : found.read;
}

/* 0 where nothing was found, 2 where that and the needle begin at words, else 1. */
long long cyclescope_placed(const void *found, const void *needle) {
    return found ? 1 + ((((uintptr_t)found | (uintptr_t)needle) & 3) == 0) : 0;
}

long long cyclescope_magnitude(double number) {
    static const double bound[] = {
        0x1p-27,
        0.34657359027997264,
        0.4375,
        0.5,
        0.6875,
        0.78539816339744828,
        1.0,
        1.0397207708399179,
        1.1875,
        2.3561944901923448,
        2.4375,
        22.0,
        201.06192982974676,
        708.0,
        745.13321910194122,
        823549.66464,
    };
    double size = number < 0 ? -number : number;
    long long reached = size > 0 ? 1 : 0;
    for (unsigned at = 0; at < sizeof bound / sizeof bound[0]; at++)
        reached += size >= bound[at];
    if (number == 2)
        return 20;
    return number < 0 ? -reached : reached;
}

/* 0 of zero and what is no number, 1 below one, 2 of a whole number, 3 of one with a fraction; less
 * than zero for negative numbers. */
long long cyclescope_fraction(double number) {
    double size = number < 0 ? -number : number;
    if (!(size > 0) || size > 1e300)
        return 0;
    int kind = size < 1 ? 1 : size == __builtin_floor(size) ? 2 : 3;
    return number < 0 ? -kind : kind;
}

/* Powers that take a shorter way: 1 of 0, 2 of 1, 3 of -1, 4 of 2, 5 of 1/2, else 0. */
long long cyclescope_power(double exponent) {
    static const double shorter[] = {0.0, 1.0, -1.0, 2.0, 0.5};
    for (unsigned at = 0; at < sizeof shorter / sizeof *shorter; at++)
        if (exponent == shorter[at])
            return at + 1;
    return 0;
}

/* Whether a number's exponent is none, so that its logarithm needs no multiple of ln 2. */
long long cyclescope_near_one(double number) {
    return number >= 0.70710678118654752 && number < 1.4142135623730951;
}

long long cyclescope_exponents(double first, double second) {
    int of_first = 0, of_second = 0;
    double absolute[] = {first < 0 ? -first : first, second < 0 ? -second : second};
    if (absolute[0] < absolute[1])
        return -1;
    if (!__builtin_isfinite(first) || !__builtin_isfinite(second) || first == 0 || second == 0)
        return 0;
    frexp(first, &of_first);
    frexp(second, &of_second);
    return of_first > of_second ? of_first - of_second : 0;
}

static void put(int file, const void *bytes, size_t size) {
    for (const char *from = bytes; size;) {
        ssize_t written = write(file, from, size);
        if (written <= 0)
            return;
        from += written;
        size -= (size_t)written;
    }
}

static uint64_t tuples_of(const struct listed *one) {
    uint64_t tuples = 0;
    for (unsigned slot = 0; slot < one->slots; slot++)
        if (one->context->slots[slot].tuples)
            tuples += one->context->slots[slot].tuples->used;
    return tuples;
}

static void put_tuples(int file, const struct listed *one) {
    for (uint64_t slot = 0; slot < one->slots; slot++) {
        const struct cyclescope_tuples *tuples = one->context->slots[slot].tuples;
        for (size_t at = 0; tuples && at < tuples->capacity; at++)
            if (tuples->entries[at].times) {
                put(file, &slot, sizeof slot);
                put(file, &tuples->entries[at], sizeof tuples->entries[at]);
            }
    }
}

/* For each context: number, parent, call in the parent, function, counters, merged, tuples; then
   its counters; then for each tuple the call, its values, and how often. */
static void save(void) {
    static int saved;
    if (saved++ || !path)
        return;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (struct listed *one = first; one; one = one->next) {
        struct cyclescope_context *parent = one->context->parent;
        uint64_t head[FIELDS] = {
            one->context->number,
            parent ? parent->number : UINT64_MAX,
            parent ? (uint64_t)(one->reached_by - parent->slots) : UINT64_MAX,
            one->context->function,
            one->counters,
            (uint64_t)merged,
            tuples_of(one),
        };
        put(file, head, sizeof head);
        put(file, one->context->count, one->counters * sizeof one->context->count[0]);
        put_tuples(file, one);
    }
    close(file);
}

#if defined __i386__
#define PROGRAM_COUNTER REG_EIP
#define STACK_POINTER REG_ESP
#elif defined __x86_64__
#define PROGRAM_COUNTER REG_RIP
#define STACK_POINTER REG_RSP
#endif
#define MOST_RETURNS 256
#define MOST_WORDS 4096
#define PAGE_BYTES 4096

#ifdef PROGRAM_COUNTER
extern char __executable_start, etext;
static const char *at_path;
static uintptr_t *stack_end;

static int is_ours(uintptr_t address) {
    return address >= (uintptr_t)&__executable_start && address < (uintptr_t)&etext;
}

/* Whether memory can be read. A load would be a second signal; the kernel only refuses. */
static int is_there(int file, const void *memory) {
    return write(file, memory, 1) == 1;
}

/* Writes where a signal came, then what looks like return addresses on the stack. If it came in a
   function of the C library, the first of them that has a line is its call. */
static void died(int number, siginfo_t *information, void *interrupted) {
    const greg_t *registers = ((ucontext_t *)interrupted)->uc_mcontext.gregs;
    uintptr_t found[MOST_RETURNS] = {(uintptr_t)registers[PROGRAM_COUNTER] + 1};
    unsigned used = is_ours(found[0]);
    const uintptr_t *stack = (const uintptr_t *)registers[STACK_POINTER];
    int file = open(at_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    /* At the end of the stack, the last frame is where no memory is. */
    while (stack < stack_end && !is_there(file, stack))
        stack = (const uintptr_t *)(((uintptr_t)stack & -(uintptr_t)PAGE_BYTES) + PAGE_BYTES);
    for (unsigned at = 0; at < MOST_WORDS && stack < stack_end && used < MOST_RETURNS; at++) {
        if ((uintptr_t)stack % PAGE_BYTES == 0 && !is_there(file, stack))
            break;
        if (is_ours(*stack))
            found[used++] = *stack;
        stack++;
    }
    (void)information;
    if (ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0)
        put(file, found, used * sizeof found[0]);
    close(file);
    signal(number, SIG_DFL);
    raise(number);
}

static void watch(void) {
    static char alternative[1 << 16];
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGXCPU};
    stack_t stack = {.ss_sp = alternative, .ss_size = sizeof alternative};
    struct sigaction action = {.sa_sigaction = died, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    for (unsigned at = 0; at < sizeof fatal / sizeof *fatal; at++)
        sigaction(fatal[at], &action, NULL);
}
#endif

/* Reads the file that the environment names; without one no call is inlined. */
static void read_inlined(void) {
    const char *name = getenv("CYCLESCOPE_INLINED");
    /* Not by open(), which notes what a program opens. */
    int file = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY) : -1;
    unsetenv("CYCLESCOPE_INLINED");
    if (file < 0)
        return;
    off_t bytes = lseek(file, 0, SEEK_END);
    void *mapped =
        bytes > 0 ? mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (mapped != MAP_FAILED) {
        inlined = mapped;
        calls_inlined = (unsigned)((size_t)bytes / sizeof *inlined);
    }
    close(file);
}

/* As on a board, arguments stand one behind the other from the beginning of a word on: where a
 * text begins decides how the library reads it. */
static void pack_arguments(int count, char **arguments) {
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += strlen(arguments[i]) + 1;
    char *text = malloc(bytes);
    for (int i = 0; text && i < count; i++) {
        size_t length = strlen(arguments[i]) + 1;
        arguments[i] = memcpy(text, arguments[i], length);
        text += length;
    }
}

__attribute__((constructor(101))) static void begin(int count, char **arguments) {
    pack_arguments(count, arguments);
    read_inlined();
    path = getenv("CYCLESCOPE_COUNTS");
    path = path ? strdup(path) : NULL;
    unsetenv("CYCLESCOPE_COUNTS");
#ifdef PROGRAM_COUNTER
    at_path = getenv("CYCLESCOPE_DIED_AT");
    at_path = at_path ? strdup(at_path) : NULL;
    unsetenv("CYCLESCOPE_DIED_AT");
    stack_end = (uintptr_t *)environ;
    if (at_path)
        watch();
#endif
}

__attribute__((destructor(101))) static void end(void) {
    save();
}

/* Ends of the program, called through the linker's --wrap. */
_Noreturn void __real_exit(int status);
_Noreturn void __real__exit(int status);
_Noreturn void __real__Exit(int status);
_Noreturn void __real_quick_exit(int status);
_Noreturn void __real_abort(void);

/* Functions of atexit() have no caller in the program. */
_Noreturn void __wrap_exit(int status) {
    cyclescope_next = &cyclescope_root;
    __real_exit(status);
}

_Noreturn void __wrap__exit(int status) {
    save();
    __real__exit(status);
}

_Noreturn void __wrap__Exit(int status) {
    save();
    __real__Exit(status);
}

_Noreturn void __wrap_quick_exit(int status) {
    save();
    __real_quick_exit(status);
}

_Noreturn void __wrap_abort(void) {
    save();
    __real_abort();
}
