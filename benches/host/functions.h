/* Functions whose calls overlap, or cannot: what a call takes depends on whether it must wait. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

typedef unsigned long word;

/* Alone: X(name). Fed back: Y(name, type, where the chain begins). */
#define FUNCTIONS_ALONE(X) X(nothing) X(products) X(sums) X(filled)
#define FUNCTIONS_FED(Y)              \
    Y(same, word, 3)                  \
    Y(chain_8, word, 3)               \
    Y(chain_30, word, 3)              \
    Y(inverse, double, 3.0)           \
    Y(mixed, word, 3)                 \
    Y(stirred, word, 3)               \
    Y(followed, void *, ring_start()) \
    Y(added, word, 0)

#define DECLARE_ALONE(name) void name(void);
#define DECLARE_FED(name, type, first) type name(type);
FUNCTIONS_ALONE(DECLARE_ALONE)
FUNCTIONS_FED(DECLARE_FED)
#undef DECLARE_ALONE
#undef DECLARE_FED
void *ring_start(void);

#endif
