/* A slave of Modbus RTU: reads frames as a master sent them, each behind its length, and writes
 * what it answers.   slave ADDRESS INPUT OUTPUT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COILS 256u
#define REGISTERS 128u
#define MAX_FRAME 256u

enum function {
    READ_COILS = 0x01,
    READ_REGISTERS = 0x03,
    WRITE_COIL = 0x05,
    WRITE_REGISTER = 0x06,
    WRITE_COILS = 0x0F,
    WRITE_REGISTERS = 0x10,
    READ_WRITE = 0x17,
};

enum exception { NONE, ILLEGAL_FUNCTION, ILLEGAL_ADDRESS, ILLEGAL_VALUE };

static uint8_t coils[COILS / 8];
static uint16_t registers[REGISTERS];
static uint16_t crc_table[256];
static uint8_t reply[MAX_FRAME];
static uint16_t reply_length;
static uint32_t answered, refused, ignored, broken;

static void make_crc_table(void) {
    for (uint16_t i = 0; i < 256; i++) {
        uint16_t crc = i;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (crc & 1u) ? (uint16_t)((crc >> 1) ^ 0xA001u) : (uint16_t)(crc >> 1);
        crc_table[i] = crc;
    }
}

static uint16_t crc16(const uint8_t *data, uint16_t length) {
    uint16_t crc = 0xFFFFu;
    while (length--)
        crc = (uint16_t)((crc >> 8) ^ crc_table[(crc ^ *data++) & 0xFFu]);
    return crc;
}

static uint16_t get16(const uint8_t *at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}

static void put8(uint8_t value) {
    reply[reply_length++] = value;
}

static void put16(uint16_t value) {
    put8((uint8_t)(value >> 8));
    put8((uint8_t)value);
}

static bool coil(uint16_t number) {
    return coils[number >> 3] >> (number & 7u) & 1u;
}

static void set_coil(uint16_t number, bool on) {
    uint8_t mask = (uint8_t)(1u << (number & 7u));
    if (on)
        coils[number >> 3] |= mask;
    else
        coils[number >> 3] &= (uint8_t)~mask;
}

static enum exception read_coils(uint16_t from, uint16_t count) {
    if (count == 0 || count > 2000)
        return ILLEGAL_VALUE;
    if (from + count > COILS)
        return ILLEGAL_ADDRESS;
    put8((uint8_t)((count + 7u) / 8u));
    for (uint16_t i = 0; i < count; i += 8) {
        uint8_t packed = 0;
        for (uint16_t k = i; k < count && k < i + 8; k++)
            packed |= (uint8_t)(coil((uint16_t)(from + k)) << (k - i));
        put8(packed);
    }
    return NONE;
}

static enum exception read_registers(uint16_t from, uint16_t count) {
    if (count == 0 || count > 125)
        return ILLEGAL_VALUE;
    if (from + count > REGISTERS)
        return ILLEGAL_ADDRESS;
    put8((uint8_t)(2 * count));
    while (count--)
        put16(registers[from++]);
    return NONE;
}

static enum exception write_registers(uint16_t from, uint16_t count, const uint8_t *values,
                                      uint8_t bytes) {
    if (count == 0 || bytes != 2 * count)
        return ILLEGAL_VALUE;
    if (from + count > REGISTERS)
        return ILLEGAL_ADDRESS;
    for (; count--; values += 2)
        registers[from++] = get16(values);
    return NONE;
}

static enum exception write_coils(uint16_t from, uint16_t count, const uint8_t *values,
                                  uint8_t bytes) {
    if (count == 0 || bytes != (count + 7u) / 8u)
        return ILLEGAL_VALUE;
    if (from + count > COILS)
        return ILLEGAL_ADDRESS;
    for (uint16_t i = 0; i < count; i++)
        set_coil((uint16_t)(from + i), values[i >> 3] >> (i & 7u) & 1u);
    return NONE;
}

static enum exception serve(const uint8_t *pdu, uint16_t length) {
    uint16_t first = length >= 3 ? get16(pdu + 1) : 0, second = length >= 5 ? get16(pdu + 3) : 0;
    enum exception failure;
    if (length < 5)
        return ILLEGAL_VALUE;
    put8(pdu[0]);
    switch (pdu[0]) {
    case READ_COILS:
        return read_coils(first, second);
    case READ_REGISTERS:
        return read_registers(first, second);
    case WRITE_COIL:
        if (second != 0xFF00u && second != 0)
            return ILLEGAL_VALUE;
        if (first >= COILS)
            return ILLEGAL_ADDRESS;
        set_coil(first, second != 0);
        break;
    case WRITE_REGISTER:
        if (first >= REGISTERS)
            return ILLEGAL_ADDRESS;
        registers[first] = second;
        break;
    case WRITE_COILS:
    case WRITE_REGISTERS:
        if (length < 6 || length != 6u + pdu[5])
            return ILLEGAL_VALUE;
        failure = pdu[0] == WRITE_COILS ? write_coils(first, second, pdu + 6, pdu[5])
                                        : write_registers(first, second, pdu + 6, pdu[5]);
        if (failure != NONE)
            return failure;
        break;
    case READ_WRITE:
        if (length < 10 || length != 10u + pdu[9])
            return ILLEGAL_VALUE;
        failure = write_registers(get16(pdu + 5), get16(pdu + 7), pdu + 10, pdu[9]);
        return failure != NONE ? failure : read_registers(first, second);
    default:
        return ILLEGAL_FUNCTION;
    }
    put16(first);
    put16(second);
    return NONE;
}

static void on_frame(const uint8_t *frame, uint16_t length, uint8_t address, FILE *out) {
    if (length < 4 || crc16(frame, length) != 0) {
        broken++;
        return;
    }
    if (frame[0] != address && frame[0] != 0) {
        ignored++;
        return;
    }
    reply_length = 0;
    put8(address);
    enum exception failure = serve(frame + 1, (uint16_t)(length - 3));
    if (failure != NONE) {
        reply_length = 1;
        put8(frame[1] | 0x80u);
        put8((uint8_t)failure);
        refused++;
    } else
        answered++;
    if (frame[0] == 0)
        return;
    uint16_t crc = crc16(reply, reply_length);
    put8((uint8_t)crc);
    put8((uint8_t)(crc >> 8));
    fputc(reply_length, out);
    fwrite(reply, 1, reply_length, out);
}

int main(int argc, char **argv) {
    static uint8_t frame[MAX_FRAME];
    int length;
    if (argc != 4)
        return 2;
    FILE *in = fopen(argv[2], "rb"), *out = fopen(argv[3], "wb");
    if (in == NULL || out == NULL)
        return 1;
    make_crc_table();
    while ((length = fgetc(in)) != EOF) {
        if (fread(frame, 1, (size_t)length, in) != (size_t)length)
            break;
        on_frame(frame, (uint16_t)length, (uint8_t)atoi(argv[1]), out);
    }
    printf("%u answered, %u refused, %u of others, %u broken\n", (unsigned)answered,
           (unsigned)refused, (unsigned)ignored, (unsigned)broken);
    printf("registers %04X, coils %04X\n", crc16((const uint8_t *)registers, sizeof registers),
           crc16(coils, sizeof coils));
    fclose(in);
    return fclose(out) != 0;
}
