/* Plays the samples that come over UART0, one each 100 us, and reports over UART0. */
#include "FreeRTOS.h"
#include "task.h"

#include "player.h"
#include "uart.h"
#include "variant.h"

enum { SAMPLES = 500, PERIOD_PCLK = 6000 };
enum { PLLCON_ENABLE = 1, PLLCON_CONNECT = 2, PLLSTAT_LOCK = 1 << 10, PCON_IDLE = 1 };
enum { PLL_TIMES_5 = 4, PLL_BY_2 = 1 << 5, MAM_FULL = 2, MAM_CYCLES = 3, VECTORS_IN_FLASH = 1 };

void finished(void);
void exception_taken(void);
void vApplicationIdleHook(void);

static uint16_t crc16(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)(byte << 8);
    for (int bit = 0; bit < 8; bit++)
        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    return crc;
}

/* Writes `digits` digits of a number, the last one at `end`. */
static void format(char *end, uint32_t value, uint32_t base, int digits) {
    for (; digits > 0; digits--, value /= base)
        *end-- = "0123456789ABCDEF"[value % base];
}

static void report(uint32_t count, uint16_t crc) {
    static char text[] = "played 000, crc 0000 of 0000, underruns 000, lost 000\n";
    format(&text[9], count, 10, 3);
    format(&text[19], player_crc(), 16, 4);
    format(&text[27], crc, 16, 4);
    format(&text[42], player_underruns(), 10, 3);
    format(&text[52], uart_lost(), 10, 3);
    uart_write((const uint8_t *)text, sizeof text - 1);
    vTaskDelay(2); /* until the last byte has left */
}

/* The end of what is measured (cyclescope run --until symbol=finished). */
__attribute__((noinline)) void finished(void) {
    for (;;)
        vTaskSuspend(NULL);
}

static void play(void *unused) {
    uint8_t samples[BLOCK_BYTES];
    uint16_t crc = 0xFFFF;
    (void)unused;
    uart_start();
    player_start(SAMPLES, PERIOD_PCLK);
    for (uint32_t count = 0; count < SAMPLES;) {
        size_t came = uart_read(samples, sizeof samples);
        for (size_t i = 0; i < came; i++)
            crc = crc16(crc, samples[i]);
        player_write(samples, came);
        count += came;
    }
    player_finish();
    report(SAMPLES, crc);
    finished();
}

static void feed_pll(void) {
    PLL0FEED = 0xAA;
    PLL0FEED = 0x55;
}

/* 60 MHz from the crystal of 12 MHz, the flash accelerator on, the peripherals as fast as the core.
 */
static void start_clock(void) {
    MAMCR = 0;
    MAMTIM = MAM_CYCLES;
    MAMCR = MAM_FULL;
    PLL0CFG = PLL_TIMES_5 | PLL_BY_2;
    PLL0CON = PLLCON_ENABLE;
    feed_pll();
    while (!(PLL0STAT & PLLSTAT_LOCK))
        ;
    VPBDIV = 1;
    PLL0CON = PLLCON_ENABLE | PLLCON_CONNECT;
    feed_pll();
    MEMMAP = VECTORS_IN_FLASH;
}

int main(void) {
    start_clock();
    xTaskCreate(play, "play", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}

void vApplicationIdleHook(void) {
    PCON = PCON_IDLE;
}

/* Of start.S: an exception that nothing handles. */
void exception_taken(void) {
    for (;;)
        ;
}
