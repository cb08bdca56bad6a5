/* The bands of both equalisers: peaks by their middle, width and gain. */
#ifndef BANDS_H
#define BANDS_H

#define RATE_HZ 8000
#define BANDS 5

struct band {
    float middle_hz, quality, gain_db;
};

static const struct band bands[BANDS] = {
    {120, 0.7f, 4}, {350, 1.0f, -3}, {900, 1.2f, 5}, {1800, 1.4f, -6}, {3000, 0.9f, 3},
};

#endif
