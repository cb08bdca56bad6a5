/* Contexts of a counted program, made when they are first reached and written when it ends. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "counted.h"

/* Beyond so many, a context does not say by which calls it was reached. */
#ifndef CYCLESCOPE_MOST_CONTEXTS
#define CYCLESCOPE_MOST_CONTEXTS 100000
#endif
#define NO_FUNCTION 0xffffffffu
#define PIECE_BYTES ((size_t)1 << 20)
#define FIELDS 6

struct cyclescope_edge {
    struct cyclescope_context *to;
    struct cyclescope_edge *next;
};

struct listed {
    struct cyclescope_context *context;
    struct cyclescope_slot *reached_by;
    unsigned regions;
    struct listed *next;
};

static struct cyclescope_context nothing = {.function = NO_FUNCTION};
static struct cyclescope_slot root = {.child = &nothing};
struct cyclescope_slot *cyclescope_next = &root;
static struct listed *first;
static struct listed **last = &first;
static unsigned made;
static int merged;
static const char *path;

/* Zeroed memory that is never freed; not the program's heap, whose addresses stay as they are. */
static void *room(size_t bytes) {
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
                                       unsigned regions, unsigned slots) {
    struct cyclescope_context *context = room(sizeof *context + regions * sizeof context->count[0]);
    struct listed *entry = room(sizeof *entry);
    context->function = function;
    context->number = made++;
    context->parent = in->owner;
    context->slots = room(slots * sizeof *context->slots);
    for (unsigned slot = 0; slot < slots; slot++) {
        context->slots[slot].child = &nothing;
        context->slots[slot].owner = context;
    }
    *entry = (struct listed){.context = context, .reached_by = in, .regions = regions};
    *last = entry;
    last = &entry->next;
    return context;
}

/* Where the call `in` enters `function`: known, already on the way down (recursion), or new. */
struct cyclescope_context *cyclescope_find(struct cyclescope_slot *in, unsigned function,
                                           unsigned regions, unsigned slots) {
    for (struct cyclescope_edge *edge = in->edges; edge; edge = edge->next)
        if (edge->to->function == function)
            return in->child = edge->to;
    struct cyclescope_context *found = in->owner;
    while (found && found->function != function)
        found = found->parent;
    if (!found && made >= CYCLESCOPE_MOST_CONTEXTS && in != &root) {
        merged = 1;
        found = cyclescope_find(&root, function, regions, slots);
    }
    if (!found)
        found = make(in, function, regions, slots);
    struct cyclescope_edge *edge = room(sizeof *edge);
    *edge = (struct cyclescope_edge){.to = found, .next = in->edges};
    in->edges = edge;
    return in->child = found;
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

/* For each context: number, parent, call in the parent, function, regions, merged, counts. */
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
            one->regions,
            (uint64_t)merged,
        };
        put(file, head, sizeof head);
        put(file, one->context->count, one->regions * sizeof one->context->count[0]);
    }
    close(file);
}

__attribute__((constructor(101))) static void begin(void) {
    path = getenv("CYCLESCOPE_COUNTS");
    path = path ? strdup(path) : NULL;
    unsetenv("CYCLESCOPE_COUNTS");
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
    cyclescope_next = &root;
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
