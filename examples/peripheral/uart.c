#include "uart.h"

#include "FreeRTOS.h"
#include "stream_buffer.h"
#include "task.h"

#include "interrupts.h"
#include "variant.h"

#define UART0 ((struct uart_registers *)0xE000C000)
struct uart_registers {
    union {
        volatile uint32_t rbr, thr, dll;
    };
    union {
        volatile uint32_t ier, dlm;
    };
    union {
        volatile uint32_t iir, fcr;
    };
    volatile uint32_t lcr, mcr, lsr, msr, scr, acr, icr, fdr;
};
enum { IER_RECEIVE = 1, IER_TRANSMIT = 2 };
enum { IIR_NONE = 1, IIR_CAUSE = 0xE, IIR_TRANSMIT = 2 };
enum { FCR_ENABLE_AND_RESET = 7, FCR_TRIGGER_1 = 0 << 6, FCR_TRIGGER_8 = 2 << 6 };
enum { LCR_8N1 = 3, LCR_DIVISOR = 1 << 7, LSR_RECEIVED = 1 };
/* 60 MHz / (16 x 19 x (1 + 5 / 7)) = 115,132 baud, 0.06 % below 115,200. */
enum { DIVISOR = 19, FRACTION = 5 | 7 << 4 };
enum { DEPTH = 16, SEND_BYTES = BLOCK_BYTES == 1 ? 1 : DEPTH, BUFFER_BYTES = 256 };

static StreamBufferHandle_t received;
static uint32_t lost;
static const uint8_t *sending;
static size_t left;
static TaskHandle_t sender;

void uart_start(void) {
    received = xStreamBufferCreate(BUFFER_BYTES, 1);
    PINSEL0 = (PINSEL0 & ~0xFu) | 0x5u; /* P0.0 is TXD0, P0.1 RXD0 */
    UART0->lcr = LCR_8N1 | LCR_DIVISOR;
    UART0->dll = DIVISOR;
    UART0->dlm = 0;
    UART0->fdr = FRACTION;
    UART0->lcr = LCR_8N1;
    UART0->fcr = FCR_ENABLE_AND_RESET | (BLOCK_BYTES == 1 ? FCR_TRIGGER_1 : FCR_TRIGGER_8);
    UART0->ier = IER_RECEIVE;
    attach_interrupt(1, UART0_SOURCE, uart_entered);
}

size_t uart_read(uint8_t *bytes, size_t space) {
    return xStreamBufferReceive(received, bytes, space, portMAX_DELAY);
}

uint32_t uart_lost(void) {
    return lost;
}

static void send_more(void) {
    for (size_t i = 0; i < SEND_BYTES && left > 0; i++, left--)
        UART0->thr = *sending++;
}

void uart_write(const uint8_t *bytes, size_t count) {
    sender = xTaskGetCurrentTaskHandle();
    sending = bytes;
    left = count;
    send_more(); /* only then is the transmit interrupt let in */
    UART0->ier = IER_RECEIVE | IER_TRANSMIT;
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

static void receive(BaseType_t *woken) {
    uint8_t bytes[DEPTH];
    size_t count = 0;
#ifdef BLOCKS
    while (count < DEPTH && UART0->lsr & LSR_RECEIVED)
        bytes[count++] = (uint8_t)UART0->rbr;
#else
    bytes[count++] = (uint8_t)UART0->rbr;
#endif
    lost += count - xStreamBufferSendFromISR(received, bytes, count, woken);
}

void uart_interrupt(void) {
    BaseType_t woken = pdFALSE;
    if ((UART0->iir & IIR_CAUSE) != IIR_TRANSMIT) {
        receive(&woken);
    } else if (left > 0) {
        send_more();
    } else {
        UART0->ier = IER_RECEIVE;
        vTaskNotifyGiveFromISR(sender, &woken);
    }
    end_interrupt(woken);
}
