/* Executes cases in simavr, for the tests of the AVR core. Reads cases from standard input and
 * writes records to standard output, all in the host's byte order (see cases.rs). The argument is
 * the content of the flash.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

#define FLASH_BYTES 0x40000
#define RAM_FIRST 0x200
#define RAM_END 0x2200
#define IO_FIRST 0x20
#define SREG 0x5F

struct begin {
    uint32_t steps, pc, patches;
    uint16_t sp, seed;
    uint8_t r[32], sreg, rampz, eind, fill;
};

struct patch {
    uint32_t word, value;
};

struct record {
    uint64_t cycle;
    uint32_t pc;
    uint32_t ram_hash;
    uint16_t sp;
    uint8_t r[32], sreg, rampz, eind, reserved[3];
};

static void must(int done, const char *what) {
    if (!done) {
        fprintf(stderr, "simavr driver: %s\n", what);
        exit(1);
    }
}

static uint32_t hash_of(const uint8_t *bytes, uint32_t count) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

static void put_word(avr_t *avr, uint32_t word, uint32_t value) {
    avr->flash[2 * word] = (uint8_t)value;
    avr->flash[2 * word + 1] = (uint8_t)(value >> 8);
}

static void write_record(avr_t *avr, int last) {
    struct record record = {.cycle = avr->cycle, .pc = avr->pc / 2};
    for (int bit = 0; bit < 8; bit++)
        record.sreg |= (uint8_t)(avr->sreg[bit] << bit);
    memcpy(record.r, avr->data, sizeof record.r);
    record.sp = (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
    record.rampz = avr->data[avr->rampz];
    record.eind = avr->data[avr->eind];
    if (last)
        record.ram_hash = hash_of(avr->data + RAM_FIRST, RAM_END - RAM_FIRST);
    must(fwrite(&record, sizeof record, 1, stdout) == 1, "cannot write");
}

static void begin_case(avr_t *avr, const struct begin *begin) {
    avr->cycle = 0;
    avr->state = cpu_Running;
    avr->pc = 2 * begin->pc;
    memcpy(avr->data, begin->r, sizeof begin->r);
    for (int bit = 0; bit < 8; bit++)
        avr->sreg[bit] = begin->sreg >> bit & 1;
    avr->data[R_SPL] = (uint8_t)begin->sp;
    avr->data[R_SPH] = (uint8_t)(begin->sp >> 8);
    avr->data[avr->rampz] = begin->rampz;
    avr->data[avr->eind] = begin->eind;
    for (uint32_t at = RAM_FIRST; at < RAM_END; at++)
        avr->data[at] = (uint8_t)(at * 37 + begin->seed);
    /* The three general purpose registers. */
    avr->data[0x3E] = avr->data[0x4A] = avr->data[0x4B] = begin->fill;
}

int main(int argc, char **argv) {
    avr_t *avr = avr_make_mcu_by_name("atmega2560");
    must(argc == 2 && avr != NULL && avr_init(avr) == 0, "no atmega2560");
    avr->log = LOG_NONE;
    FILE *flash = fopen(argv[1], "rb");
    must(flash != NULL && fread(avr->flash, 1, FLASH_BYTES, flash) == FLASH_BYTES, "no flash");
    avr->codeend = FLASH_BYTES;
    struct begin begin;
    while (fread(&begin, sizeof begin, 1, stdin) == 1) {
        for (uint32_t i = 0; i < begin.patches; i++) {
            struct patch patch;
            must(fread(&patch, sizeof patch, 1, stdin) == 1, "a patch is cut short");
            put_word(avr, patch.word, patch.value);
        }
        begin_case(avr, &begin);
        for (uint32_t step = 1; step <= begin.steps; step++) {
            avr->pc = avr_run_one(avr);
            avr->state = cpu_Running;
            write_record(avr, step == begin.steps);
        }
    }
    return 0;
}
