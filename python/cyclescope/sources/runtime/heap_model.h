/* The heap that newlib-nano would have: its free list, by first fit, in ascending addresses.
 *
 * The cost of malloc() and free() is decided by how many free blocks they pass and by what they
 * find. Sizes are those of nano-mallocr.c: a word in front of each block, blocks aligned to 8.
 */
#define HEAD_BYTES 4
#define PADDING_BYTES 4
#define LEAST_BYTES 12
#define BUCKETS 65536u

enum { FIRST_EVER, GROWS, FITS, SPLITS, EXHAUSTED };
enum {
    NOTHING_FREED,
    LIST_EMPTY,
    BEFORE,
    JOINS_NEXT,
    BEHIND,
    JOINS_PREVIOUS,
    JOINS_BOTH,
    BEHIND_JOINS_NEXT
};
#define KINDS 8 /* a condition is passed blocks times KINDS plus its kind */

struct model_block {
    const void *host;
    uint32_t address, bytes;
    struct model_block *next;
};

static struct model_block *model_free, *model_spare, *model_used[BUCKETS];
static uint32_t model_end;

static struct model_block **used_at(const void *host) {
    return &model_used[((uintptr_t)host >> 3) * 2654435761u >> 16 & (BUCKETS - 1)];
}

static struct model_block *new_block(void) {
    struct model_block *block = model_spare;
    if (block)
        model_spare = block->next;
    else
        block = cyclescope_space(sizeof *block);
    return block;
}

static long long model_take(unsigned long long size, const void *host) {
    if (!host)
        return EXHAUSTED;
    uint32_t bytes = (((uint32_t)size + 3) & ~3u) + PADDING_BYTES + HEAD_BYTES;
    bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
    struct model_block *taken = NULL, **link = &model_free;
    long long passed = 0, kind;
    while (*link && (*link)->bytes < bytes) {
        link = &(*link)->next;
        passed++;
    }
    if (!*link) {
        kind = model_end ? GROWS : FIRST_EVER;
        taken = new_block();
        taken->address = model_end ? model_end : 8;
        model_end = taken->address + bytes;
    } else if ((*link)->bytes - bytes >= LEAST_BYTES) {
        kind = SPLITS;
        taken = new_block();
        (*link)->bytes -= bytes;
        taken->address = (*link)->address + (*link)->bytes;
    } else {
        kind = FITS;
        taken = *link;
        *link = taken->next;
        bytes = taken->bytes;
    }
    taken->host = host;
    taken->bytes = bytes;
    struct model_block **used = used_at(host);
    taken->next = *used;
    *used = taken;
    return passed * KINDS + kind;
}

static struct model_block *model_found(const void *host) {
    struct model_block *block = *used_at(host);
    while (block && block->host != host)
        block = block->next;
    return block;
}

static long long model_give(const void *host) {
    struct model_block **used = used_at(host);
    while (*used && (*used)->host != host)
        used = &(*used)->next;
    struct model_block *block = *used;
    if (!host || !block)
        return NOTHING_FREED;
    *used = block->next;
    struct model_block *before = NULL, *behind = model_free;
    long long passed = 0;
    while (behind && behind->address <= block->address) {
        before = behind;
        behind = behind->next;
        passed++;
    }
    int follows = before && before->address + before->bytes == block->address;
    int leads = behind && block->address + block->bytes == behind->address;
    long long kind = !model_free        ? LIST_EMPTY
                     : follows && leads ? JOINS_BOTH
                     : follows          ? JOINS_PREVIOUS
                     : leads            ? (before ? BEHIND_JOINS_NEXT : JOINS_NEXT)
                                        : (before ? BEHIND : BEFORE);
    if (leads) {
        block->bytes += behind->bytes;
        block->next = behind->next;
        behind->next = model_spare;
        model_spare = behind;
    } else {
        block->next = behind;
    }
    if (follows) {
        before->bytes += block->bytes;
        before->next = block->next;
        block->next = model_spare;
        model_spare = block;
    } else if (before) {
        before->next = block;
    } else {
        model_free = block;
    }
    return passed * KINDS + kind;
}

long long cyclescope_taken(unsigned long long size, const void *host) {
    return model_take(size, host);
}

long long cyclescope_freed(const void *host) {
    return model_give(host);
}

/* A block that moves, or -1: how the new one is found times 2^20, and how the old one is freed. */
long long cyclescope_resized(const void *old, unsigned long long size, const void *host) {
    struct model_block *block = old ? model_found(old) : NULL;
    if (!host && size)
        return -1;
    if (block && block->bytes - PADDING_BYTES - HEAD_BYTES >= size && size) {
        struct model_block **used = used_at(old);
        while (*used != block)
            used = &(*used)->next;
        *used = block->next;
        block->host = host;
        block->next = *used_at(host);
        *used_at(host) = block;
        return -1;
    }
    if (!size)
        return model_give(old);
    /* The old block is still in use while the new one is sought. */
    if (block)
        block->host = &model_end;
    if (block) {
        struct model_block **used = used_at(old);
        while (*used != block)
            used = &(*used)->next;
        *used = block->next;
        block->next = *used_at(&model_end);
        *used_at(&model_end) = block;
    }
    long long found = model_take(size, host);
    return found << 20 | (block ? model_give(&model_end) : 0);
}
