/* Memory: shared by name, mapped, touched. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "posix_case.h"

enum { MODE = 0600 };

static int shared = -1;
static void *mapped = MAP_FAILED;

/* By name. */

static bool open_shared(int flags) {
    return made("shm_open", shared = shm_open(shared_name, O_RDWR | flags, MODE));
}

static bool make_closed(const struct series *series) {
    return open_shared(O_CREAT | O_EXCL) && MADE(close(shared));
}

static bool close_opened(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(close((int)result));
}

static bool unlink_opened(const struct series *series, uintptr_t result) {
    return close_opened(series, result) && MADE(shm_unlink(shared_name));
}

static bool make_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && make_closed(series);
}

static void unlink_shared(const struct series *series) {
    shm_unlink(shared_name);
}

TIMED_CASE(shm_open, create, shm_open, shm_open(shared_name, O_RDWR | O_CREAT | O_EXCL, MODE),
           LIBRARY, .condition = "a new name", .after = unlink_opened, .tear_down = unlink_shared)

TIMED_CASE(shm_open, existing, shm_open, shm_open(shared_name, O_RDWR, MODE), LIBRARY,
           .condition = "the name exists", .set_up = make_closed, .after = close_opened,
           .tear_down = unlink_shared)

TIMED_CASE(shm_unlink, closed, shm_unlink, shm_unlink(shared_name), LIBRARY,
           .condition = "not open, empty", .set_up = make_closed, .after = make_again,
           .tear_down = unlink_shared)

/* Its size. The name goes at once. */

#ifndef MOST_BYTES_MAPPED
#define MOST_BYTES_MAPPED 262144
#endif
#define OVER_BYTES X_FROM_TO(4096, MOST_BYTES_MAPPED), .parameter = "size", .unit = "byte"

static bool make_shared(const struct series *series) {
    return open_shared(O_CREAT | O_EXCL) && MADE(shm_unlink(shared_name));
}

static bool make_sized(const struct series *series) {
    return make_shared(series) && MADE(ftruncate(shared, series->x));
}

static bool cut_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(ftruncate(shared, 0));
}

static void close_shared(const struct series *series) {
    close(shared);
}

TIMED_CASE(ftruncate, grow, ftruncate, ftruncate(shared, series->x), LIBRARY,
           .condition = "shared memory, from 0 to x bytes", OVER_BYTES, .set_up = make_shared,
           .after = cut_again, .tear_down = close_shared)

/* Mapped. */

static bool is_mapped(void) {
    return done("mmap", mapped == MAP_FAILED ? errno : 0);
}

static bool unmap_made(const struct series *series, uintptr_t result) {
    mapped = (void *)result;
    return is_mapped() && MADE(munmap(mapped, series->x));
}

TIMED_CASE(mmap, shared, mmap, mmap(NULL, series->x, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0),
           LIBRARY, .condition = "x bytes of shared memory, none touched", OVER_BYTES,
           .set_up = make_sized, .after = unmap_made, .tear_down = close_shared)

TIMED_CASE(mmap, anonymous, mmap,
           mmap(NULL, series->x, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
           LIBRARY, .condition = "x bytes of its own, none touched", OVER_BYTES,
           .after = unmap_made)

static bool map(const struct series *series) {
    mapped = mmap(NULL, series->x, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return is_mapped();
}

static bool map_touched(const struct series *series) {
    return map(series) && memset(mapped, 1, series->x) != NULL;
}

static bool map_touched_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && map_touched(series);
}

static void unmap(const struct series *series) {
    if (mapped != MAP_FAILED)
        munmap(mapped, series->x);
    mapped = MAP_FAILED;
}

TIMED_CASE(munmap, touched, munmap, munmap(mapped, series->x), LIBRARY,
           .condition = "x bytes of its own, all pages touched", OVER_BYTES, .set_up = map_touched,
           .after = map_touched_again, .tear_down = unmap)

/* One page and its first touch: a store that enters the system by a page fault. */

static long page_bytes;
static volatile char *page;

static bool map_page(const struct series *series) {
    page_bytes = sysconf(_SC_PAGESIZE);
    mapped =
        mmap(NULL, (size_t)page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page = mapped;
    return is_mapped();
}

static bool forget_page(const struct series *series, uintptr_t result) {
    return MADE(madvise(mapped, (size_t)page_bytes, MADV_DONTNEED));
}

/* Without an MMU a page is there from the first, and nothing happens when it is touched. */
static bool comes_when_touched(void) {
#ifdef SYSTEM_WITHOUT_MMU
    return done("a page fault", ENOSYS);
#else
    return true;
#endif
}

static bool map_untouched_page(const struct series *series) {
    return comes_when_touched() && map_page(series);
}

static bool map_touched_page(const struct series *series) {
    return map_page(series) && (*page = 1);
}

static void unmap_page(const struct series *series) {
    if (mapped != MAP_FAILED)
        munmap(mapped, (size_t)page_bytes);
    mapped = MAP_FAILED;
}

TIMED_INSTRUCTION(touch, first, "store", *page = 1, LIBRARY,
                  .condition = "a page of its own that was never touched",
                  .set_up = map_untouched_page, .after = forget_page, .tear_down = unmap_page)

static bool map_and_touch_page(const struct series *series) {
    return map_untouched_page(series) && (*page = 1);
}

TIMED_INSTRUCTION(touch, again, "store", *page = 1, LIBRARY,
                  .condition = "a page of its own that was touched before",
                  .set_up = map_and_touch_page, .tear_down = unmap_page)

static bool allow_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) &&
           MADE(mprotect(mapped, (size_t)page_bytes, PROT_READ | PROT_WRITE));
}

TIMED_CASE(mprotect, page, mprotect, mprotect(mapped, (size_t)page_bytes, PROT_READ), LIBRARY,
           .condition = "a page that was touched, to reading only", .set_up = map_touched_page,
           .after = allow_again, .tear_down = unmap_page)

static bool unlock_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(munlock(mapped, (size_t)page_bytes));
}

TIMED_CASE(mlock, page, mlock, mlock(mapped, (size_t)page_bytes), LIBRARY,
           .condition = "a page that was touched", .set_up = map_touched_page,
           .after = unlock_again, .tear_down = unmap_page)

static bool map_shared_page(const struct series *series) {
    page_bytes = sysconf(_SC_PAGESIZE);
    if (!make_shared(series) || !MADE(ftruncate(shared, page_bytes)))
        return false;
    mapped = mmap(NULL, (size_t)page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    return is_mapped() && memset(mapped, 1, 1) != NULL;
}

static void unmap_and_close(const struct series *series) {
    unmap_page(series);
    close_shared(series);
}

TIMED_CASE(msync, page, msync, msync(mapped, (size_t)page_bytes, MS_SYNC), LIBRARY,
           .condition = "a page of shared memory that was touched", .set_up = map_shared_page,
           .after = was_made, .tear_down = unmap_and_close)
