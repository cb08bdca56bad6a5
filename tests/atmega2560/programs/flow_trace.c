/* Host program that runs an ELF file in simavr, instruction by instruction. It prints cycle and
 * address before each, then the state behind the last: r0 to r31, SREG, SP, and the RAM.
 * usage: flow_trace FILE.elf INSTRUCTIONS CORRECTED < CAUSES
 *
 * A line of CAUSES is "CYCLE PORT BIT LEVEL": an instruction boundary sees the pin so from a cycle
 * on. With V for PORT, it sees the flag of vector BIT, which is enabled, and LEVEL means nothing.
 *
 * With CORRECTED 1 the response to interrupts is that of the data sheet, where simavr has another:
 * it takes cycles, more of them behind a sleep, and one instruction executes behind SEI and RETI.
 * Then no timer of simavr runs.
 */

#include <simavr/avr_ioport.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>
#include <stdio.h>
#include <stdlib.h>

#define RESPONSE_CYCLES 5
#define SLEEPER_CYCLES 5
#define OPCODE_SLEEP 0x9588
#define OPCODE_SEI 0x9478
#define OPCODE_RETI 0x9518
#define RAM_FIRST 0x200
#define SREG_PLACE 0x5F

struct change {
    unsigned long long seen;
    char port;
    unsigned bit, level;
};

static struct change next;
static int more, corrected;

static void read_change(void) {
    more = scanf("%llu %c %u %u", &next.seen, &next.port, &next.bit, &next.level) == 4;
}

static void raise_vector(avr_t *chip, unsigned number) {
    for (int at = 0; at < chip->interrupts.vector_count; at++)
        if (chip->interrupts.vector[at]->vector == number)
            avr_raise_interrupt(chip, chip->interrupts.vector[at]);
}

static void cause(avr_t *chip) {
    for (; more && next.seen <= chip->cycle; read_change())
        if (next.port == 'V')
            raise_vector(chip, next.bit);
        else
            avr_raise_irq(avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(next.port), (int)next.bit),
                          next.level);
}

/* An instruction is over: what happens outside, the end of a sleep, an interrupt. */
static void pass_boundary(avr_t *chip, int opcode) {
    cause(chip);
    while (chip->state == cpu_Sleeping && more) {
        chip->cycle = next.seen;
        cause(chip);
    }
    if (opcode == OPCODE_SLEEP && corrected && chip->state == cpu_Running) {
        chip->cycle += SLEEPER_CYCLES;
        cause(chip);
    }
    /* simavr counts up to 0, here for the first time. It does not count where I was set. */
    int delays = opcode == OPCODE_SEI || opcode == OPCODE_RETI || chip->interrupt_state == -2;
    if (corrected && delays)
        chip->interrupt_state = -1;
    avr_flashaddr_t pc = chip->pc;
    avr_service_interrupts(chip);
    if (corrected && chip->pc != pc)
        chip->cycle += RESPONSE_CYCLES;
}

static void print_state(avr_t *chip) {
    for (int bit = 0; bit < 8; bit++)
        chip->data[SREG_PLACE] =
            (uint8_t)((chip->data[SREG_PLACE] & ~(1 << bit)) | chip->sreg[bit] << bit);
    printf("state %llu %x ", (unsigned long long)chip->cycle, chip->pc);
    for (int at = 0; at <= chip->ramend; at++)
        if (at < 32 || at >= RAM_FIRST || (at >= R_SPL && at <= R_SREG))
            printf("%02x", chip->data[at]);
    printf("\n");
}

int main(int count, char **given) {
    elf_firmware_t program = {0};
    if (count != 4 || elf_read_firmware(given[1], &program) != 0)
        return 2;
    program.frequency = 16000000;
    corrected = atoi(given[3]);
    avr_t *chip = avr_make_mcu_by_name("atmega2560");
    avr_init(chip);
    chip->log = LOG_NONE;
    avr_load_firmware(chip, &program);
    read_change();
    unsigned long left = strtoul(given[2], NULL, 0);
    while (chip->state == cpu_Running && left--) {
        printf("%llu %x\n", (unsigned long long)chip->cycle, chip->pc);
        int opcode = chip->flash[chip->pc] | chip->flash[chip->pc + 1] << 8;
        avr_flashaddr_t pc = avr_run_one(chip);
        if (!corrected)
            avr_cycle_timer_process(chip);
        chip->pc = pc;
        if (left)
            pass_boundary(chip, opcode);
    }
    print_state(chip);
    return 0;
}
