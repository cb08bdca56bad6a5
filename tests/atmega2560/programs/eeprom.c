/* A byte of the image, then one written and read back, each timed by timer 1. */

#include <avr/eeprom.h>
#include <avr/io.h>

uint8_t EEMEM kept = 0x5A;
uint8_t EEMEM fresh;

volatile uint8_t read_kept, read_fresh, read_erased;
volatile uint16_t read_counts, write_counts;

void __attribute__((noinline)) done(void) {
    for (;;) {
    }
}

int main(void) {
    TCCR1B = _BV(CS10);
    read_kept = eeprom_read_byte(&kept);
    read_erased = eeprom_read_byte((uint8_t *)0xFFF);
    EEAR = (uint16_t)&kept;
    uint16_t before = TCNT1;
    EECR |= _BV(EERE);
    read_counts = TCNT1 - before;
    eeprom_write_byte(&fresh, 0xC3);
    before = TCNT1;
    eeprom_busy_wait();
    write_counts = TCNT1 - before;
    read_fresh = eeprom_read_byte(&fresh);
    done();
    return 0;
}
