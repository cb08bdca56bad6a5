/* The library's variables lie together (link.ld). They are its data, which the first reset keeps a
 * copy of, with what it has for the one thread there is, and its zeroes. */
#include "library.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __PICOLIBC__
#include <picotls.h>

/* The linker gives the thread's block no memory of its own if all of it is zeroes; this is not. */
static _Thread_local volatile char not_zero = 1;
#endif

#include "arena.h"
#include "board.h"
#include "kernel.h"

extern char library_data_begin[], library_data_end[], library_data_kept[];
extern char library_bss_begin[], library_bss_end[];

static bool kept;

void library_reset(void) {
    size_t bytes = (size_t)(library_data_end - library_data_begin);
    if (!kept)
        memcpy(library_data_kept, library_data_begin, bytes);
    kept = true;
    memcpy(library_data_begin, library_data_kept, bytes);
    memset(library_bss_begin, 0, (size_t)(library_bss_end - library_bss_begin));
#ifdef __PICOLIBC__
    extern char thread_begin[];
    _set_tls(thread_begin);
    not_zero = 1;
#endif
}

static void never_comes(void) {}

/* Interrupts are let through, as in any program: what masks them is seen. */
void kernel_begin_series(void) {
    board_attach_interrupt(never_comes);
    board_unmask_interrupts(true);
    arena_reset();
    library_reset();
}
