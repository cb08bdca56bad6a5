//! Clocks and resets of the peripherals.

use super::*;
use crate::devices::gate_stm32::{IN_RESET, NO_CLOCK};

/// Bits of APB2ENR, APB1ENR and AHBENR that the value line has.
pub(super) const APB2: u32 = 0x0007_5A7D;
pub(super) const APB1: u32 = 0x7866_4837;
pub(super) const AHB: u32 = 0x0000_0055;

/// Index into the enables: which register, and the bit of the peripheral.
pub(super) const GATES: [(usize, u32); 19] = [
    (0, 0), // AFIO
    (0, 2), // GPIOA to GPIOE
    (0, 3),
    (0, 4),
    (0, 5),
    (0, 6),
    (0, 14), // USART1
    (1, 0),  // TIM2 to TIM4
    (1, 1),
    (1, 2),
    (1, 17), // USART2, USART3
    (1, 18),
    (1, 28), // PWR
    (2, 0),  // DMA1
    (1, 4),  // TIM6, TIM7
    (1, 5),
    (0, 11), // TIM1
    (0, 9),  // ADC1
    (0, 12), // SPI1
];

/// The names of the outputs.
pub(super) const OUTPUTS: &[&str] = &[
    "core_hz",
    "pclk1_divider",
    "pclk2_divider",
    "timer1_divider",
    "interrupt",
    "ahb_enabled",
    "apb1_enabled",
    "apb2_enabled",
    "afio_halted",
    "gpioa_halted",
    "gpiob_halted",
    "gpioc_halted",
    "gpiod_halted",
    "gpioe_halted",
    "usart1_halted",
    "timer2_halted",
    "timer3_halted",
    "timer4_halted",
    "usart2_halted",
    "usart3_halted",
    "pwr_halted",
    "dma1_halted",
    "timer6_halted",
    "timer7_halted",
    "timer1_halted",
    "adc1_halted",
    "spi1_halted",
];

impl ResetAndClock {
    pub(super) fn write_gates(&mut self, change: impl FnOnce(&mut Self), port: &mut Port) {
        change(self);
        self.drive_gates(port);
    }

    pub(super) fn drive_gates(&mut self, port: &mut Port) {
        for (index, (register, bit)) in GATES.into_iter().enumerate() {
            let clocked = self.enables[register] >> bit & 1 != 0;
            let resets = self.resets.get(register).is_some_and(|resets| resets >> bit & 1 != 0);
            let level = if clocked { 0 } else { NO_CLOCK } | if resets { IN_RESET } else { 0 };
            if self.gates[index] != level {
                self.gates[index] = level;
                port.drive(FIRST_GATE + index, level);
            }
        }
        port.drive(APB2_ENABLED, self.enables[0]);
        port.drive(APB1_ENABLED, self.enables[1]);
        port.drive(AHB_ENABLED, self.enables[2]);
    }
}
