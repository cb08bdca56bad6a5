/* Host program that runs an ELF file in simavr. It prints cycle and level of each change of a pin,
 * up to a cycle. usage: pin_trace FILE.elf PORT BIT CYCLES */

#include <simavr/avr_ioport.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>

static avr_t *chip;

static void note(struct avr_irq_t *signal, uint32_t level, void *unused) {
    (void)signal;
    (void)unused;
    printf("%llu %u\n", (unsigned long long)chip->cycle, level);
}

int main(int count, char **given) {
    elf_firmware_t program = {0};
    if (count != 5 || elf_read_firmware(given[1], &program) != 0)
        return 2;
    program.frequency = 16000000;
    chip = avr_make_mcu_by_name("atmega2560");
    avr_init(chip);
    avr_load_firmware(chip, &program);
    avr_irq_t *pin = avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(given[2][0]), atoi(given[3]));
    avr_irq_register_notify(pin, note, NULL);
    avr_cycle_count_t end = strtoull(given[4], NULL, 0);
    while (chip->cycle < end) {
        int state = avr_run(chip);
        if (state == cpu_Done || state == cpu_Crashed)
            return 1;
    }
    return 0;
}
