/* Runs an ELF file in simavr for so many cycles, and prints the seconds of the processor that this
 * takes and the cycles that it ran. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    elf_firmware_t firmware = {0};
    avr_t *avr = avr_make_mcu_by_name("atmega2560");
    if (argc != 3 || !avr || avr_init(avr) || elf_read_firmware(argv[1], &firmware))
        return 1;
    avr->log = LOG_NONE;
    firmware.frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    avr_cycle_count_t cycles = strtoull(argv[2], NULL, 10);
    double begun = now();
    while (avr->cycle < cycles)
        if (avr_run(avr) != cpu_Running)
            return 2;
    printf("%.9f %llu\n", now() - begun, (unsigned long long)avr->cycle);
    return 0;
}
