/* A home computer of 1977: runs what a cassette holds on an emulated 6502, up to its break.
 * arcade CASSETTE THOUSANDS MEMORY */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef union {
    uint8_t raw;
    struct {
        uint8_t carry : 1, zero : 1, masked : 1, decimal : 1, broken : 1, one : 1, overflow : 1,
            negative : 1;
    } flag;
} status_t;

typedef struct {
    uint16_t counter;
    uint8_t a, x, y, stack;
    status_t status;
    uint32_t cycles;
    int stopped;
} cpu_t;

typedef uint16_t (*address_t)(void);
typedef void (*operation_t)(uint16_t);

static uint8_t memory[65536];
static cpu_t cpu;
static int crossed;

static uint8_t fetch(void) {
    return memory[cpu.counter++];
}

static uint16_t word(uint16_t at) {
    return (uint16_t)(memory[at] | memory[(uint16_t)(at + 1)] << 8);
}

static uint16_t none(void) {
    return 0;
}

static uint16_t immediate(void) {
    return cpu.counter++;
}

static uint16_t zero_page(void) {
    return fetch();
}

static uint16_t zero_page_x(void) {
    return (uint8_t)(fetch() + cpu.x);
}

static uint16_t absolute(void) {
    uint16_t at = word(cpu.counter);
    cpu.counter += 2;
    return at;
}

static uint16_t absolute_x(void) {
    uint16_t at = absolute();
    crossed = (at & 255) + cpu.x > 255;
    return (uint16_t)(at + cpu.x);
}

static uint16_t absolute_y(void) {
    uint16_t at = absolute();
    crossed = (at & 255) + cpu.y > 255;
    return (uint16_t)(at + cpu.y);
}

static uint16_t indirect_y(void) {
    uint8_t pointer = fetch();
    uint16_t at = (uint16_t)(memory[pointer] | memory[(uint8_t)(pointer + 1)] << 8);
    crossed = (at & 255) + cpu.y > 255;
    return (uint16_t)(at + cpu.y);
}

static uint16_t relative(void) {
    int8_t by = (int8_t)fetch();
    return (uint16_t)(cpu.counter + by);
}

static void show(uint8_t value) {
    cpu.status.flag.zero = value == 0;
    cpu.status.flag.negative = value >> 7;
}

static void push(uint8_t value) {
    memory[0x100 + cpu.stack--] = value;
}

static uint8_t pull(void) {
    return memory[0x100 + ++cpu.stack];
}

static void add(uint8_t value) {
    unsigned sum = cpu.a + value + cpu.status.flag.carry;
    cpu.status.flag.overflow = (~(cpu.a ^ value) & (cpu.a ^ sum)) >> 7 & 1;
    cpu.status.flag.carry = sum > 255;
    cpu.a = (uint8_t)sum;
    show(cpu.a);
}

static void compare(uint8_t reg, uint8_t value) {
    cpu.status.flag.carry = reg >= value;
    show((uint8_t)(reg - value));
}

static void branch(uint16_t to, int taken) {
    if (taken) {
        cpu.cycles += (to ^ cpu.counter) & 0xFF00 ? 2 : 1;
        cpu.counter = to;
    }
}

#define OPERATION(name, does)       \
    static void name(uint16_t at) { \
        (void)at;                   \
        does;                       \
    }

OPERATION(adc, add(memory[at]))
OPERATION(sbc, add((uint8_t)~memory[at]))
OPERATION(and, show(cpu.a &= memory[at]))
OPERATION(ora, show(cpu.a |= memory[at]))
OPERATION(eor, show(cpu.a ^= memory[at]))
OPERATION(lda, show(cpu.a = memory[at]))
OPERATION(ldx, show(cpu.x = memory[at]))
OPERATION(ldy, show(cpu.y = memory[at]))
OPERATION(sta, memory[at] = cpu.a)
OPERATION(stx, memory[at] = cpu.x)
OPERATION(sty, memory[at] = cpu.y)
OPERATION(tax, show(cpu.x = cpu.a))
OPERATION(txa, show(cpu.a = cpu.x))
OPERATION(tay, show(cpu.y = cpu.a))
OPERATION(tya, show(cpu.a = cpu.y))
OPERATION(inx, show(++cpu.x))
OPERATION(dex, show(--cpu.x))
OPERATION(iny, show(++cpu.y))
OPERATION(dey, show(--cpu.y))
OPERATION(inc, show(++memory[at]))
OPERATION(dec, show(--memory[at]))
OPERATION(cmp, compare(cpu.a, memory[at]))
OPERATION(cpx, compare(cpu.x, memory[at]))
OPERATION(cpy, compare(cpu.y, memory[at]))
OPERATION(clc, cpu.status.flag.carry = 0)
OPERATION(sec, cpu.status.flag.carry = 1)
OPERATION(bne, branch(at, !cpu.status.flag.zero))
OPERATION(beq, branch(at, cpu.status.flag.zero))
OPERATION(bcc, branch(at, !cpu.status.flag.carry))
OPERATION(bcs, branch(at, cpu.status.flag.carry))
OPERATION(bpl, branch(at, !cpu.status.flag.negative))
OPERATION(bmi, branch(at, cpu.status.flag.negative))
OPERATION(jmp, cpu.counter = at)
OPERATION(pha, push(cpu.a))
OPERATION(pla, show(cpu.a = pull()))
OPERATION(nop, (void)0)
OPERATION(brk, cpu.stopped = 1)

static void asl(uint16_t at) {
    cpu.status.flag.carry = memory[at] >> 7;
    show(memory[at] = (uint8_t)(memory[at] << 1));
}

static void rol(uint16_t at) {
    uint8_t in = cpu.status.flag.carry;
    cpu.status.flag.carry = memory[at] >> 7;
    show(memory[at] = (uint8_t)(memory[at] << 1 | in));
}

static void lsr(uint16_t at) {
    cpu.status.flag.carry = memory[at] & 1;
    show(memory[at] >>= 1);
}

static void ror(uint16_t at) {
    uint8_t in = cpu.status.flag.carry;
    cpu.status.flag.carry = memory[at] & 1;
    show(memory[at] = (uint8_t)(memory[at] >> 1 | in << 7));
}

static void asl_a(uint16_t at) {
    (void)at;
    cpu.status.flag.carry = cpu.a >> 7;
    show(cpu.a = (uint8_t)(cpu.a << 1));
}

static void jsr(uint16_t at) {
    uint16_t back = (uint16_t)(cpu.counter - 1);
    push((uint8_t)(back >> 8));
    push((uint8_t)back);
    cpu.counter = at;
}

static void rts(uint16_t at) {
    (void)at;
    cpu.counter = pull();
    cpu.counter = (uint16_t)((cpu.counter | pull() << 8) + 1);
}

static const struct {
    operation_t operation;
    address_t mode;
    uint8_t cycles, page;
} codes[256] = {
    [0x00] = {brk, none, 7, 0},        [0x05] = {ora, zero_page, 3, 0},
    [0x06] = {asl, zero_page, 5, 0},   [0x09] = {ora, immediate, 2, 0},
    [0x0A] = {asl_a, none, 2, 0},      [0x10] = {bpl, relative, 2, 0},
    [0x18] = {clc, none, 2, 0},        [0x20] = {jsr, absolute, 6, 0},
    [0x25] = {and, zero_page, 3, 0},   [0x26] = {rol, zero_page, 5, 0},
    [0x29] = {and, immediate, 2, 0},   [0x30] = {bmi, relative, 2, 0},
    [0x38] = {sec, none, 2, 0},        [0x45] = {eor, zero_page, 3, 0},
    [0x46] = {lsr, zero_page, 5, 0},   [0x48] = {pha, none, 3, 0},
    [0x49] = {eor, immediate, 2, 0},   [0x4C] = {jmp, absolute, 3, 0},
    [0x60] = {rts, none, 6, 0},        [0x65] = {adc, zero_page, 3, 0},
    [0x66] = {ror, zero_page, 5, 0},   [0x68] = {pla, none, 4, 0},
    [0x69] = {adc, immediate, 2, 0},   [0x71] = {adc, indirect_y, 5, 1},
    [0x79] = {adc, absolute_y, 4, 1},  [0x7D] = {adc, absolute_x, 4, 1},
    [0x84] = {sty, zero_page, 3, 0},   [0x85] = {sta, zero_page, 3, 0},
    [0x86] = {stx, zero_page, 3, 0},   [0x88] = {dey, none, 2, 0},
    [0x8A] = {txa, none, 2, 0},        [0x8D] = {sta, absolute, 4, 0},
    [0x90] = {bcc, relative, 2, 0},    [0x91] = {sta, indirect_y, 6, 0},
    [0x95] = {sta, zero_page_x, 4, 0}, [0x98] = {tya, none, 2, 0},
    [0x99] = {sta, absolute_y, 5, 0},  [0x9D] = {sta, absolute_x, 5, 0},
    [0xA0] = {ldy, immediate, 2, 0},   [0xA2] = {ldx, immediate, 2, 0},
    [0xA4] = {ldy, zero_page, 3, 0},   [0xA5] = {lda, zero_page, 3, 0},
    [0xA6] = {ldx, zero_page, 3, 0},   [0xA8] = {tay, none, 2, 0},
    [0xA9] = {lda, immediate, 2, 0},   [0xAA] = {tax, none, 2, 0},
    [0xAD] = {lda, absolute, 4, 0},    [0xB0] = {bcs, relative, 2, 0},
    [0xB1] = {lda, indirect_y, 5, 1},  [0xB5] = {lda, zero_page_x, 4, 0},
    [0xB9] = {lda, absolute_y, 4, 1},  [0xBD] = {lda, absolute_x, 4, 1},
    [0xC0] = {cpy, immediate, 2, 0},   [0xC5] = {cmp, zero_page, 3, 0},
    [0xC6] = {dec, zero_page, 5, 0},   [0xC8] = {iny, none, 2, 0},
    [0xC9] = {cmp, immediate, 2, 0},   [0xCA] = {dex, none, 2, 0},
    [0xD0] = {bne, relative, 2, 0},    [0xDD] = {cmp, absolute_x, 4, 1},
    [0xE0] = {cpx, immediate, 2, 0},   [0xE5] = {sbc, zero_page, 3, 0},
    [0xE6] = {inc, zero_page, 5, 0},   [0xE8] = {inx, none, 2, 0},
    [0xE9] = {sbc, immediate, 2, 0},   [0xEA] = {nop, none, 2, 0},
    [0xEE] = {inc, absolute, 6, 0},    [0xF0] = {beq, relative, 2, 0},
};

int main(int argc, char **argv) {
    uint8_t head[4];
    uint32_t instructions = 0;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[3], "wb");
    uint32_t most = (uint32_t)atoi(argv[2]) * 1000;
    if (!input || !output)
        return 1;
    while (fread(head, 1, 4, input) == 4)
        fread(memory + (head[0] | head[1] << 8), 1, (size_t)(head[2] | head[3] << 8), input);
    cpu.counter = word(0xFFFC);
    cpu.stack = 0xFF;
    cpu.status.raw = 0x24;
    while (!cpu.stopped && instructions < most) {
        uint8_t code = fetch();
        if (!codes[code].operation) {
            printf("no instruction %02x at %04x\n", code, cpu.counter - 1);
            return 1;
        }
        crossed = 0;
        uint16_t at = codes[code].mode();
        codes[code].operation(at);
        cpu.cycles += codes[code].cycles + (unsigned)(crossed & codes[code].page);
        instructions++;
    }
    fwrite(memory + 0x300, 1, 0x500, output);
    printf("%lu instructions, %lu cycles, a %02x\n", (unsigned long)instructions,
           (unsigned long)cpu.cycles, cpu.a);
    fclose(input);
    return fclose(output) != 0 || !cpu.stopped;
}
