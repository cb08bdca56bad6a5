/* setjmp.h. A jump ends where setjmp() returns for the second time: there is its stopping probe, as
 * at the return of a call that ends in another task (docs/reference/cases.md). */
#include <setjmp.h>

#include "library_case.h"
#include "returns_twice.h"

/* By names of which the compiler does not know that they return twice and not at all. It shall keep
 * the registers of a timed function as in all others. */
extern int setjmp_as_any(jmp_buf) __asm__("setjmp");
extern void longjmp_as_any(jmp_buf, int) __asm__("longjmp");
#undef setjmp
#define setjmp setjmp_as_any
#define longjmp longjmp_as_any

static jmp_buf context;

AFTER(is_zero, result == 0)

TIMED_CASE(setjmp, first_return, setjmp, setjmp(context), LIBRARY,
           .condition = "saves the registers, returns 0", .after = is_zero)

/* Kept before the jump, which leaves the function. */
static volatile uint32_t begun;

__attribute__((noinline)) static void jump(const struct series *series, struct timing *timing);
TIMED_FUNCTION(jump, "longjmp.back.real", , begun = start_; longjmp(context, 1))

extern __typeof__(longjmp) nowhere __asm__("empty_call");
TIMED_FUNCTION(longjmp_back_empty, "longjmp.back.empty",
               __typeof__(&longjmp) const longjmp = nowhere, begun = start_;
               longjmp(context, 1))

/* setjmp() returns twice: 0, then what longjmp() is given. */
static void longjmp_back_real(const struct series *series, struct timing *timing) {
    CALL_SETJMP(context, "longjmp.back.real.moved");
    if (returned_ == 0)
        jump(series, timing);
    *timing = (struct timing){whole_start(begun), 0, returned_};
    moved_stop = whole_stop(stop_);
    moved = true;
}

AFTER(is_one, result == 1)

DECLARE_CASE(longjmp_back, "longjmp.back", "longjmp(context, 1)", "longjmp", LIBRARY,
             .condition = "to the caller of the caller, from its setjmp()", .flags = CASE_MOVES,
             .after = is_one)
