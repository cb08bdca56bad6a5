/* Hears aircraft: squitters of Mode S with their names, positions and speeds. One wrong bit is
 * mended.   traffic SQUITTERS OUTPUT */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 14
#define BITS (8 * BYTES)
#define MOST 24
#define GENERATOR 0xFFF409u
#define ZONES 60

typedef struct {
    uint32_t address;
    unsigned heard, positions;
    char name[9];
    int altitude_ft, speed_kt, track_deg, climb_fpm;
    long cpr[2][2];
    int has[2];
    double latitude, longitude;
} aircraft_t;

static aircraft_t aircraft[MOST];
static uint32_t syndromes[BITS];
static unsigned known, right, mended, wrong;

static uint32_t remainder_of(const uint8_t *message) {
    uint32_t crc = 0;
    for (int i = 0; i < BYTES - 3; i++) {
        crc ^= (uint32_t)message[i] << 16;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x800000 ? crc << 1 ^ GENERATOR : crc << 1;
    }
    crc ^= (uint32_t)message[11] << 16 | (uint32_t)message[12] << 8 | message[13];
    return crc & 0xFFFFFF;
}

static void prepare(void) {
    for (int bit = 0; bit < BITS; bit++) {
        uint8_t message[BYTES] = {0};
        message[bit / 8] = (uint8_t)(0x80 >> bit % 8);
        syndromes[bit] = remainder_of(message);
    }
}

/* Whether the message is right, or can be made so. */
static int check(uint8_t *message) {
    uint32_t rest = remainder_of(message);
    if (rest == 0) {
        right++;
        return 1;
    }
    for (int bit = 0; bit < BITS; bit++) {
        if (syndromes[bit] == rest) {
            message[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            mended++;
            return 1;
        }
    }
    wrong++;
    return 0;
}

static int read_hex(const char *line, uint8_t *message) {
    if (*line++ != '*')
        return 0;
    for (int i = 0; i < 2 * BYTES; i++, line++) {
        if (!isxdigit((unsigned char)*line))
            return 0;
        int digit = *line <= '9' ? *line - '0' : (*line | 32) - 'a' + 10;
        message[i / 2] = (uint8_t)(message[i / 2] << 4 | digit);
    }
    return *line == ';';
}

static long bits(const uint8_t *message, int from, int count) {
    long value = 0;
    for (int bit = from; bit < from + count; bit++)
        value = value << 1 | (message[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

static double modulo(double a, double b) {
    return a - b * floor(a / b);
}

/* How many zones of longitude there are at a latitude. */
static int zones_at(double latitude) {
    double away = fabs(latitude);
    if (away < 1e-9)
        return ZONES - 1;
    if (away > 87)
        return away < 87 + 1e-9 ? 2 : 1;
    double near = cos(M_PI / 180 * away), part = 1 - (1 - cos(M_PI / (ZONES / 2))) / (near * near);
    return (int)floor(2 * M_PI / acos(part));
}

/* The position by an even and an odd message; `odd` is the later one. */
static void locate(aircraft_t *one, int odd) {
    double even_y = one->cpr[0][0] / 131072.0, odd_y = one->cpr[1][0] / 131072.0;
    double even_x = one->cpr[0][1] / 131072.0, odd_x = one->cpr[1][1] / 131072.0;
    double index = floor(59 * even_y - 60 * odd_y + 0.5);
    double south_even = 360.0 / ZONES * (modulo(index, ZONES) + even_y);
    double south_odd = 360.0 / (ZONES - 1) * (modulo(index, ZONES - 1) + odd_y);
    if (south_even >= 270)
        south_even -= 360;
    if (south_odd >= 270)
        south_odd -= 360;
    int zones = zones_at(south_even);
    if (zones != zones_at(south_odd))
        return;
    int count = zones - odd > 1 ? zones - odd : 1;
    double turn = floor(even_x * (zones - 1) - odd_x * zones + 0.5);
    one->latitude = odd ? south_odd : south_even;
    one->longitude = 360.0 / count * (modulo(turn, count) + (odd ? odd_x : even_x));
    if (one->longitude > 180)
        one->longitude -= 360;
    one->positions++;
}

static void name(aircraft_t *one, const uint8_t *message) {
    static const char letters[] =
        "?ABCDEFGHIJKLMNOPQRSTUVWXYZ????? ???????????????0123456789??????";
    for (int i = 0; i < 8; i++)
        one->name[i] = letters[bits(message, 40 + 6 * i, 6)];
    for (int i = 7; i >= 0 && one->name[i] == ' '; i--)
        one->name[i] = 0;
}

static void position(aircraft_t *one, const uint8_t *message) {
    int odd = (int)bits(message, 53, 1);
    long code = bits(message, 40, 12);
    one->altitude_ft = (int)((code >> 5 << 4 | (code & 15)) * 25 - 1000);
    one->cpr[odd][0] = bits(message, 54, 17);
    one->cpr[odd][1] = bits(message, 71, 17);
    one->has[odd] = 1;
    if (one->has[!odd])
        locate(one, odd);
}

static void speed(aircraft_t *one, const uint8_t *message) {
    double east = (double)bits(message, 46, 10) - 1, north = (double)bits(message, 57, 10) - 1;
    if (bits(message, 45, 1))
        east = -east;
    if (bits(message, 56, 1))
        north = -north;
    one->speed_kt = (int)(sqrt(east * east + north * north) + 0.5);
    one->track_deg = (int)(modulo(atan2(east, north) * 180 / M_PI, 360) + 0.5) % 360;
    one->climb_fpm = (int)(bits(message, 69, 9) - 1) * (bits(message, 68, 1) ? -64 : 64);
}

static void hear(const uint8_t *message) {
    uint32_t address = (uint32_t)bits(message, 8, 24);
    unsigned at = 0;
    if (bits(message, 0, 5) != 17)
        return;
    while (at < known && aircraft[at].address != address)
        at++;
    if (at == MOST)
        return;
    if (at == known)
        aircraft[known++].address = address;
    aircraft_t *one = &aircraft[at];
    long kind = bits(message, 32, 5);
    one->heard++;
    if (kind >= 1 && kind <= 4)
        name(one, message);
    else if (kind >= 9 && kind <= 18)
        position(one, message);
    else if (kind == 19)
        speed(one, message);
}

static int by_address(const void *a, const void *b) {
    const aircraft_t *one = a, *two = b;
    return (one->address > two->address) - (one->address < two->address);
}

int main(int argc, char **argv) {
    char line[64];
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    prepare();
    while (fgets(line, sizeof line, input)) {
        uint8_t message[BYTES];
        if (!read_hex(line, message))
            wrong++;
        else if (check(message))
            hear(message);
    }
    qsort(aircraft, known, sizeof *aircraft, by_address);
    for (unsigned i = 0; i < known; i++) {
        const aircraft_t *one = &aircraft[i];
        fprintf(output, "%06lX %-8s %u %u %ld %ld %d ft %d kt %d %+d\n",
                (unsigned long)one->address, one->name, one->heard, one->positions,
                lround(one->latitude * 1e5), lround(one->longitude * 1e5), one->altitude_ft,
                one->speed_kt, one->track_deg, one->climb_fpm);
    }
    printf("%u right, %u mended, %u wrong, %u aircraft\n", right, mended, wrong, known);
    fclose(input);
    return fclose(output) != 0;
}
