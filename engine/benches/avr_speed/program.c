/* Work without an end for an ATmega2560: sums, sorting, recursion, strings and tables in flash. */
#include <avr/pgmspace.h>
#include <stdint.h>
#include <string.h>

static volatile uint16_t result;

static const uint16_t powers[16] PROGMEM = {1,   2,   4,    8,    16,   32,   64,    128,
                                            256, 512, 1024, 2048, 4096, 8192, 16384, 32768};

static uint16_t checksum(const uint8_t *bytes, uint16_t count) {
    uint16_t sum = 0xFFFF;
    while (count--) {
        sum ^= *bytes++;
        for (uint8_t bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xA001 : sum >> 1;
    }
    return sum;
}

static void sort(uint8_t *bytes, uint8_t count) {
    for (uint8_t i = 1; i < count; i++) {
        uint8_t moved = bytes[i], place = i;
        for (; place && bytes[place - 1] > moved; place--)
            bytes[place] = bytes[place - 1];
        bytes[place] = moved;
    }
}

static uint16_t __attribute__((noinline)) fibonacci(uint8_t n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint32_t product(const uint8_t *bytes, uint8_t count) {
    uint32_t sum = 0;
    for (uint8_t i = 0; i < count; i++)
        sum += (uint32_t)bytes[i] * (uint32_t)pgm_read_word(&powers[bytes[i] & 15]);
    return sum;
}

int main(void) {
    static uint8_t bytes[200], copy[200];
    for (uint8_t round = 1;; round++) {
        for (uint8_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(i * 73 + round);
        memcpy(copy, bytes, sizeof copy);
        sort(copy, sizeof copy);
        result +=
            checksum(bytes, sizeof bytes) + fibonacci(10) + (uint16_t)product(copy, sizeof copy);
    }
}
