/* Three lives: a watchdog reset ends the first two. The watchdog is off in the third. */

#include <avr/io.h>
#include <avr/wdt.h>

volatile uint8_t causes[3] __attribute__((section(".noinit")));
volatile uint8_t lives __attribute__((section(".noinit")));

void __attribute__((noinline)) done(void) {
    for (;;) {
    }
}

int main(void) {
    uint8_t cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
    if (cause & _BV(PORF)) {
        lives = 0;
    }
    causes[lives++] = cause;
    if (lives < 3) {
        wdt_enable(WDTO_15MS);
        for (;;) {
        }
    }
    done();
    return 0;
}
