/* The surroundings of a user's program: it starts the board, mounts the disk, calls main() with its
 * arguments, and ends the run. The lab writes disk and arguments into memory before the run, stops
 * at the functions below that say so, and reads what they are given. */
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "board.h"
#include "files.h"
#include "system_call.h"
#include "wire.h"

/* With a kernel, interrupts have the stack whose memory is a guard without one. */
#ifdef APPLICATION_WITHOUT_KERNEL
enum { INTERRUPTS_HAVE_STACK = 0 };
#else
enum { INTERRUPTS_HAVE_STACK = 1 };
#endif

struct application_arguments application_arguments;
uint8_t application_disk[DISK_BYTES] __attribute__((aligned(8)));

/* The linker sends the call of main() in start.S to __wrap_main() (ld: --wrap). */
int __real_main(int argc, char **argv);
int __wrap_main(void);

/* Names of newlib's own. */
void *_sbrk(ptrdiff_t change);
int _kill(int process, int signal);
int _getpid(void);
int _gettimeofday(struct timeval *now, void *zone);
clock_t _times(struct tms *spent);

/* Where littlefs would begin to look for free blocks depends on what is on the disk. Looked for
 * here, they cost the program nothing. */
static void mount(void) {
    disk_use(application_disk);
    if (lfs_mount(&file_system.lfs, &disk) || lfs_fs_gc(&file_system.lfs))
        wire_fault(FAULT_CHECK, 0, "the disk cannot be mounted");
}

static void close_files(void) {
    for (int index = 0; index < FILES_OPEN_AT_ONCE; index++)
        if (file_system.descriptors[index].open)
            close(FILES_FIRST_DESCRIPTOR + index);
}

int __wrap_main(void) {
    static char *argv[APPLICATION_ARGUMENTS + 1];
    board_start();
    if (!INTERRUPTS_HAVE_STACK)
        board_guard_stack();
    mount();
    char *text = application_arguments.text;
    int argc = (int)application_arguments.count;
    for (int i = 0; i < argc; i++) {
        argv[i] = text;
        while (*text++)
            ;
    }
    exit(__real_main(argc, argv));
}

void *_sbrk(ptrdiff_t change) {
    static uint8_t application_memory[APPLICATION_HEAP_BYTES] __attribute__((aligned(8)));
    static size_t taken;
    if (change > 0 ? (size_t)change > sizeof application_memory - taken : (size_t)-change > taken) {
        errno = ENOMEM;
        return (void *)-1;
    }
    void *before = application_memory + taken;
    taken += (size_t)change;
    return before;
}

/* abort() ends with these. */
int _kill(int process, int signal) {
    application_ended(128 + signal);
}

int _getpid(void) {
    return 1;
}

/* There is no clock: time() and clock() give -1. */
int _gettimeofday(struct timeval *now, void *zone) {
    errno = ENOSYS;
    return -1;
}

clock_t _times(struct tms *spent) {
    errno = ENOSYS;
    return (clock_t)-1;
}

void _exit(int status) {
    if (!INTERRUPTS_HAVE_STACK && !board_stack_sound())
        wire_fault(FAULT_STACK, 0, "its stack has overflowed");
    close_files();
    application_ended(status);
}

/* The lab stops at these two. */
void application_ended(int status) {
    __asm volatile("" : : "r"(status));
    for (;;)
        ;
}

__attribute__((noinline)) void wire_fault(enum wire_fault cause, uint32_t address,
                                          const char *text) {
    __asm volatile("" : : "r"(cause), "r"(address), "r"(text));
    for (;;)
        ;
}
