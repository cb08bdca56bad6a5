/* Declarations for the counted functions of a program. They stand in front of preprocessed C: no
 * directives.
 */
struct cyclescope_context;
struct cyclescope_edge;
struct cyclescope_tuples;

/* A call of one context: `child` is where it led last, `edges` lists all that it led to. */
struct cyclescope_slot {
    struct cyclescope_context *child;
    struct cyclescope_edge *edges;
    struct cyclescope_context *owner;
    struct cyclescope_tuples *tuples;
};

/* A function reached by one chain of calls, and how often each of its regions ran there. */
struct cyclescope_context {
    unsigned function;
    unsigned number;
    unsigned copy;
    struct cyclescope_context *parent;
    struct cyclescope_slot *slots;
    unsigned long long count[];
};

extern struct cyclescope_slot *cyclescope_next;
/* The caller of all that nobody in the program calls: main, tasks, functions of atexit(). */
extern struct cyclescope_slot cyclescope_root;
struct cyclescope_context *cyclescope_find(struct cyclescope_slot *in, unsigned function,
                                           unsigned counters, unsigned slots);

/* The context that a call enters; the caller has said in `cyclescope_next` which call it is. */
static inline struct cyclescope_context *cyclescope_enter(unsigned function, unsigned counters,
                                                          unsigned slots) {
    struct cyclescope_context *here = cyclescope_next->child;
    if (__builtin_expect(here->function != function, 0))
        here = cyclescope_find(cyclescope_next, function, counters, slots);
    return here;
}

/* Behind a function that others than the program may call again from the same place. */
static inline void cyclescope_leave(struct cyclescope_slot *const *in) {
    cyclescope_next = *in;
}

/* Counts one more call with these parameters. */
void cyclescope_called(struct cyclescope_slot *slot, long long a, long long b, long long c,
                       long long d, long long e, long long f);

/* Zeroed memory that is never freed, outside the program's heap. */
void *cyclescope_space(__SIZE_TYPE__ bytes);

/* With a kernel: parts of cycles until its next tick, and what each region takes. */
extern long long cyclescope_left;
extern unsigned *cyclescope_costs;
void cyclescope_tick(void);

static inline void cyclescope_pass(unsigned parts) {
    cyclescope_left -= parts;
    if (__builtin_expect(cyclescope_left <= 0, 0))
        cyclescope_tick();
}

/* Records that the processor was idle for so many cycles. */
void cyclescope_idled(struct cyclescope_slot *slot, int function, long long cycles);

/* Counts `times` more of an event that a call met (board/events.h). */
void cyclescope_met(struct cyclescope_slot *slot, unsigned kind, unsigned x,
                    unsigned long long times);

/* Values of strings as they are after the call; `most` bounds what is read, -1 does not. */
long long cyclescope_length(const void *string, long long most);
long long cyclescope_common(const void *a, const void *b, long long most);
long long cyclescope_prefix(const void *a, const void *b, long long most, int folded);
long long cyclescope_searched(const void *string, const void *found, long long most);
long long cyclescope_numeral(const void *string, long long base);
long long cyclescope_base(const void *string, long long base);
long long cyclescope_blanks(const void *string);
long long cyclescope_occurrences(const void *string, long long letter);
long long cyclescope_real(const void *string, int part);
long long cyclescope_skipped(const void *string, const void *token);
long long cyclescope_looked(const void *delimiters, const void *token);
long long cyclescope_sought(const void *string, const void *set, long length);
long long cyclescope_stepped(const void *text, const void *needle, int part);
long long cyclescope_placed(const void *found, const void *needle);

/* Significant bits of a quotient, as cyclescope_division() has them. */
long long cyclescope_ratio(long long dividend, long long divisor);

/* Years since 1970, of a broken-down time and of one in seconds; parts of a format of strftime().
 */
long long cyclescope_year(const void *broken_down);
long long cyclescope_moment(const void *seconds);
long long cyclescope_time_format(const void *format, int part);

/* How many bounds, at which newlib's functions go other ways, a number reaches; negative like it.
 */
long long cyclescope_magnitude(double number);

/* Kinds of numbers and of powers for which functions go shorter ways. */
long long cyclescope_fraction(double number);
long long cyclescope_power(double exponent);
long long cyclescope_near_one(double number);

/* How many bits the first number's exponent is above that of the second; 0 if it is not, and -1 if
 * the first number is smaller. */
long long cyclescope_exponents(double first, double second);

/* Parts of what the last qsort() or bsearch() did (sort.h). */
long long cyclescope_sorted(int part);

/* How newlib-nano's heap would find, free and resize these blocks (heap_model.h). */
long long cyclescope_taken(unsigned long long size, const void *host);
long long cyclescope_freed(const void *host);
long long cyclescope_resized(const void *old, unsigned long long size, const void *host);

/* Calls of streams, files and formatted text, which go through a board's beside (board/shadow.c).
 */
void *cyclescope_fopen(struct cyclescope_slot *in, const char *path, const char *mode);
int cyclescope_fclose(struct cyclescope_slot *in, void *stream);
unsigned long cyclescope_fread(struct cyclescope_slot *in, void *to, unsigned long size,
                               unsigned long count, void *stream);
unsigned long cyclescope_fwrite(struct cyclescope_slot *in, const void *from, unsigned long size,
                                unsigned long count, void *stream);
int cyclescope_fgetc(struct cyclescope_slot *in, void *stream);
int cyclescope_getchar(struct cyclescope_slot *in);
int cyclescope_fputc(struct cyclescope_slot *in, int byte, void *stream);
int cyclescope_putc(struct cyclescope_slot *in, int byte, void *stream);
int cyclescope_putchar(struct cyclescope_slot *in, int byte);
int cyclescope_ungetc(struct cyclescope_slot *in, int byte, void *stream);
char *cyclescope_fgets(struct cyclescope_slot *in, char *to, int most, void *stream);
int cyclescope_fputs(struct cyclescope_slot *in, const char *text, void *stream);
int cyclescope_puts(struct cyclescope_slot *in, const char *text);
int cyclescope_fseek(struct cyclescope_slot *in, void *stream, long offset, int whence);
void cyclescope_rewind(struct cyclescope_slot *in, void *stream);
long cyclescope_ftell(struct cyclescope_slot *in, void *stream);
int cyclescope_feof(struct cyclescope_slot *in, void *stream);
int cyclescope_fflush(struct cyclescope_slot *in, void *stream);
int cyclescope_setvbuf(struct cyclescope_slot *in, void *stream, char *buffer, int mode,
                       unsigned long size);
int cyclescope_printf(struct cyclescope_slot *in, const char *format, ...);
int cyclescope_fprintf(struct cyclescope_slot *in, void *stream, const char *format, ...);
int cyclescope_vprintf(struct cyclescope_slot *in, const char *format, __builtin_va_list values);
int cyclescope_vfprintf(struct cyclescope_slot *in, void *stream, const char *format,
                        __builtin_va_list values);
int cyclescope_sprintf(struct cyclescope_slot *in, char *to, const char *format, ...);
int cyclescope_snprintf(struct cyclescope_slot *in, char *to, unsigned long most,
                        const char *format, ...);
int cyclescope_vsprintf(struct cyclescope_slot *in, char *to, const char *format,
                        __builtin_va_list values);
int cyclescope_vsnprintf(struct cyclescope_slot *in, char *to, unsigned long most,
                         const char *format, __builtin_va_list values);
int cyclescope_sscanf(struct cyclescope_slot *in, const char *text, const char *format, ...);
int cyclescope_fscanf(struct cyclescope_slot *in, void *stream, const char *format, ...);
int cyclescope_open(struct cyclescope_slot *in, const char *path, int flags, ...);
int cyclescope_close(struct cyclescope_slot *in, int number);
long cyclescope_read(struct cyclescope_slot *in, int number, void *to, unsigned long size);
long cyclescope_write(struct cyclescope_slot *in, int number, const void *from, unsigned long size);
long cyclescope_lseek(struct cyclescope_slot *in, int number, long offset, int whence);
int cyclescope_fsync(struct cyclescope_slot *in, int number);
int cyclescope_unlink(struct cyclescope_slot *in, const char *path);
int cyclescope_remove(struct cyclescope_slot *in, const char *path);
int cyclescope_rename(struct cyclescope_slot *in, const char *old, const char *new);
int cyclescope_mkdir(struct cyclescope_slot *in, const char *path, unsigned mode);

/* Significant bytes of a factor less one: 0 to 3. Leading bits that are all alike count as none. */
static inline unsigned cyclescope_bytes(long value) {
    unsigned bits = (unsigned)value ^ (unsigned)((int)value >> 31);
    return (bits > 0xffu) + (bits > 0xffffu) + (bits > 0xffffffu);
}

/* Significant bits of a quotient, 0 to 64. A divisor that is a power of two gives 65, and 66 if it
 * is one: functions that divide have shorter ways for these. */
static inline unsigned cyclescope_division(unsigned long long quotient,
                                           unsigned long long divisor) {
    if (quotient == 0)
        return 0;
    if ((divisor & (divisor - 1)) == 0)
        return divisor == 1 ? 66 : 65;
    return 64 - (unsigned)__builtin_clzll(quotient);
}

#define OPERATIONS(name, type, absolute)                                                          \
    static inline type cyclescope_multiply_##name(unsigned long long *count, type a, type b) {    \
        ++count[4 * cyclescope_bytes((long)a) + cyclescope_bytes((long)b)];                       \
        return a * b;                                                                             \
    }                                                                                             \
    static inline type cyclescope_multiply_by_##name(unsigned long long *count, type a, type b) { \
        ++count[4 * cyclescope_bytes((long)a) + cyclescope_bytes((long)b)];                       \
        return b;                                                                                 \
    }                                                                                             \
    static inline type cyclescope_divide_##name(unsigned long long *count, type a, type b) {      \
        type quotient = a / b;                                                                    \
        ++count[cyclescope_division(absolute(quotient), absolute(b))];                            \
        return quotient;                                                                          \
    }                                                                                             \
    static inline type cyclescope_divide_by_##name(unsigned long long *count, type a, type b) {   \
        type quotient = a / b;                                                                    \
        ++count[cyclescope_division(absolute(quotient), absolute(b))];                            \
        return b;                                                                                 \
    }                                                                                             \
    static inline type cyclescope_remain_##name(unsigned long long *count, type a, type b) {      \
        type quotient = a / b;                                                                    \
        ++count[cyclescope_division(absolute(quotient), absolute(b))];                            \
        return a % b;                                                                             \
    }                                                                                             \
    static inline type cyclescope_remain_by_##name(unsigned long long *count, type a, type b) {   \
        return cyclescope_divide_by_##name(count, a, b);                                          \
    }
#define SIGNED(value) ((unsigned long long)((value) < 0 ? -(value) : (value)))
#define UNSIGNED(value) ((unsigned long long)(value))

OPERATIONS(int, int, SIGNED)
OPERATIONS(long, long, SIGNED)
OPERATIONS(llong, long long, SIGNED)
OPERATIONS(uint, unsigned, UNSIGNED)
OPERATIONS(ulong, unsigned long, UNSIGNED)
OPERATIONS(ullong, unsigned long long, UNSIGNED)

/* Operators of floating point. Functions that stand for them have shorter ways for some operands;
 * those that divide go on for each significant bit of the quotient, 53 at most. */
union cyclescope_bits {
    double value;
    unsigned long long bits;
};
#define CYCLESCOPE_FRACTION 0xfffffffffffffull

static inline int cyclescope_exponent(double value) {
    union cyclescope_bits of = {value};
    return (int)(of.bits >> 52 & 0x7ff);
}

static inline int cyclescope_is_power(double value) {
    union cyclescope_bits of = {value};
    return !(of.bits & CYCLESCOPE_FRACTION);
}

static inline int cyclescope_significant(double value) {
    union cyclescope_bits of = {value};
    return 53 - __builtin_ctzll((of.bits & CYCLESCOPE_FRACTION) | 1ull << 52);
}

/* A division ends early where nothing remains. Then the product with the divisor is exact. */
static inline unsigned cyclescope_quotient(double a, double b, double quotient, int digits) {
    int significant = cyclescope_significant(quotient);
    if (quotient == 0)
        return 0;
    if (cyclescope_is_power(b))
        return 54;
    if (significant + cyclescope_significant(b) > 54 || quotient * b != a)
        return (unsigned)digits;
    return (unsigned)significant;
}

static inline unsigned cyclescope_product(double a, double b) {
    if (a == 0 || b == 0)
        return 1;
    return cyclescope_is_power(a) || cyclescope_is_power(b) ? 2 : 0;
}

/* Of an operand that is too small to change the other, the larger is the sum. Where leading digits
 * cancel, the sum is shifted by more than a place. */
static inline unsigned cyclescope_sum(double a, double b, double sum, int digits) {
    int first = cyclescope_exponent(a), second = cyclescope_exponent(b);
    int greater = first > second ? first : second;
    if (a == 0 || b == 0)
        return 1;
    if (a == -b)
        return 2;
    if (a == b)
        return 3;
    if (greater - (first > second ? second : first) > digits + 1)
        return 4;
    return greater - cyclescope_exponent(sum) > 1 ? 5 : 0;
}

#define REAL(name, operator, type, magnitude)                                                     \
    static inline type cyclescope_##name##_##type(unsigned long long *count, type a, type b) {    \
        type result = a operator b;                                                               \
        ++count[magnitude];                                                                       \
        return result;                                                                            \
    }                                                                                             \
    static inline type cyclescope_##name##_by_##type(unsigned long long *count, type a, type b) { \
        type result = a operator b;                                                               \
        ++count[magnitude];                                                                       \
        (void)result;                                                                             \
        return b;                                                                                 \
    }
/* Significant bits of an integer without its sign, 0 to 64. */
static inline unsigned cyclescope_integer_bits(unsigned long long value) {
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

#define CONVERSIONS(name, type, real, absolute)                                                    \
    static inline real cyclescope_convert_##name##_##real(unsigned long long *count, type value) { \
        ++count[cyclescope_integer_bits(absolute(value))];                                         \
        return (real)value;                                                                        \
    }                                                                                              \
    static inline type cyclescope_convert_##real##_##name(unsigned long long *count, real value) { \
        type whole = (type)value;                                                                  \
        ++count[cyclescope_integer_bits(absolute(whole))];                                         \
        return whole;                                                                              \
    }
#define CONVERSIONS_OF(real)                    \
    CONVERSIONS(int, int, real, SIGNED)         \
    CONVERSIONS(uint, unsigned, real, UNSIGNED) \
    CONVERSIONS(llong, long long, real, SIGNED) \
    CONVERSIONS(ullong, unsigned long long, real, UNSIGNED)
CONVERSIONS_OF(float)
CONVERSIONS_OF(double)

#define REALS(type, digits)                                          \
    REAL(multiply, *, type, cyclescope_product(a, b))                \
    REAL(twice, *, type, a == 0 || b == 0 ? 1 : 3)                   \
    REAL(divide, /, type, cyclescope_quotient(a, b, result, digits)) \
    REAL(halve, /, type, cyclescope_product(a, b))                   \
    REAL(add, +, type, cyclescope_sum(a, b, result, digits))         \
    REAL(subtract, -, type, cyclescope_sum(a, -b, result, digits))
REALS(float, 24)
REALS(double, 53)
