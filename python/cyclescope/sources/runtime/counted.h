/* Declarations for the counted functions of a program. They stand in front of preprocessed C: no
 * directives.
 */
struct cyclescope_context;
struct cyclescope_edge;

/* A call of one context: `child` is where it led last, `edges` lists all that it led to. */
struct cyclescope_slot {
    struct cyclescope_context *child;
    struct cyclescope_edge *edges;
    struct cyclescope_context *owner;
};

/* A function reached by one chain of calls, and how often each of its regions ran there. */
struct cyclescope_context {
    unsigned function;
    unsigned number;
    struct cyclescope_context *parent;
    struct cyclescope_slot *slots;
    unsigned long long count[];
};

extern struct cyclescope_slot *cyclescope_next;
struct cyclescope_context *cyclescope_find(struct cyclescope_slot *in, unsigned function,
                                           unsigned regions, unsigned slots);

/* The context that a call enters; the caller has said in `cyclescope_next` which call it is. */
static inline struct cyclescope_context *cyclescope_enter(unsigned function, unsigned regions,
                                                          unsigned slots) {
    struct cyclescope_context *here = cyclescope_next->child;
    if (__builtin_expect(here->function != function, 0))
        here = cyclescope_find(cyclescope_next, function, regions, slots);
    return here;
}

/* Behind a function that others than the program may call again from the same place. */
static inline void cyclescope_leave(struct cyclescope_slot *const *in) {
    cyclescope_next = *in;
}
