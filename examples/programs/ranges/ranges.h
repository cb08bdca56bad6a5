/* A coder of bits by ranges (Martin, 1979); each bit's chance is learnt by the byte before. */
enum { CONTEXTS = 256, CODES = 256, BITS = 12, RATE = 4 };

typedef unsigned short chances_of_zero[CONTEXTS][CODES];

static inline unsigned middle(unsigned low, unsigned high, unsigned chance) {
    return low + ((high - low) >> BITS) * chance;
}

static inline void learn(unsigned short *chance, int bit) {
    if (bit)
        *chance -= *chance >> RATE;
    else
        *chance += (unsigned short)((1 << BITS) - *chance) >> RATE;
}

static inline void begin(chances_of_zero chances) {
    for (int i = 0; i < CONTEXTS; i++)
        for (int code = 0; code < CODES; code++)
            chances[i][code] = 1 << (BITS - 1);
}
