/* A function that each unit has for itself. */
static inline int clamped(int value, int most) {
    if (value > most)
        return most;
    return value < 0 ? 0 : value;
}

int shared(int (*function)(int), int value);
