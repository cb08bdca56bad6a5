//! Names of the registers of STM32F1 parts, and of the system timer of their cores. The pages in docs/timing/ have the same tables; a test compares them.

/// Registers of a device: offset and name.
pub type Table = [(u32, &'static str)];

/// The name of the register that holds the byte at an offset.
pub fn name(table: &Table, offset: u32) -> Option<String> {
    table.iter().find(|one| one.0 == offset & !3).map(|one| one.1.to_owned())
}

/// `afio_stm32f1`.
pub const AFIO: [(u32, &str); 7] = [
    (0x00, "EVCR"),
    (0x04, "MAPR"),
    (0x08, "EXTICR1"),
    (0x0C, "EXTICR2"),
    (0x10, "EXTICR3"),
    (0x14, "EXTICR4"),
    (0x1C, "MAPR2"),
];

/// `dma_stm32f1`.
pub const DMA: [(u32, &str); 30] = [
    (0x00, "ISR"),
    (0x04, "IFCR"),
    (0x08, "CCR1"),
    (0x0C, "CNDTR1"),
    (0x10, "CPAR1"),
    (0x14, "CMAR1"),
    (0x1C, "CCR2"),
    (0x20, "CNDTR2"),
    (0x24, "CPAR2"),
    (0x28, "CMAR2"),
    (0x30, "CCR3"),
    (0x34, "CNDTR3"),
    (0x38, "CPAR3"),
    (0x3C, "CMAR3"),
    (0x44, "CCR4"),
    (0x48, "CNDTR4"),
    (0x4C, "CPAR4"),
    (0x50, "CMAR4"),
    (0x58, "CCR5"),
    (0x5C, "CNDTR5"),
    (0x60, "CPAR5"),
    (0x64, "CMAR5"),
    (0x6C, "CCR6"),
    (0x70, "CNDTR6"),
    (0x74, "CPAR6"),
    (0x78, "CMAR6"),
    (0x80, "CCR7"),
    (0x84, "CNDTR7"),
    (0x88, "CPAR7"),
    (0x8C, "CMAR7"),
];

/// `exti_stm32f1`.
pub const EXTI: [(u32, &str); 6] =
    [(0x00, "IMR"), (0x04, "EMR"), (0x08, "RTSR"), (0x0C, "FTSR"), (0x10, "SWIER"), (0x14, "PR")];

/// `flash_stm32f1`.
pub const FLASH: [(u32, &str); 8] = [
    (0x00, "ACR"),
    (0x04, "KEYR"),
    (0x08, "OPTKEYR"),
    (0x0C, "SR"),
    (0x10, "CR"),
    (0x14, "AR"),
    (0x1C, "OBR"),
    (0x20, "WRPR"),
];

/// `gpio_stm32f1`.
pub const GPIO: [(u32, &str); 7] = [
    (0x00, "CRL"),
    (0x04, "CRH"),
    (0x08, "IDR"),
    (0x0C, "ODR"),
    (0x10, "BSRR"),
    (0x14, "BRR"),
    (0x18, "LCKR"),
];

/// `pwr_stm32f1`.
pub const PWR: [(u32, &str); 2] = [(0x00, "CR"), (0x04, "CSR")];

/// `rcc_stm32f1`.
pub const RCC: [(u32, &str); 11] = [
    (0x00, "CR"),
    (0x04, "CFGR"),
    (0x08, "CIR"),
    (0x0C, "APB2RSTR"),
    (0x10, "APB1RSTR"),
    (0x14, "AHBENR"),
    (0x18, "APB2ENR"),
    (0x1C, "APB1ENR"),
    (0x20, "BDCR"),
    (0x24, "CSR"),
    (0x2C, "CFGR2"),
];

/// `systick_armv7m`.
pub const SYSTICK: [(u32, &str); 4] = [(0x0, "CSR"), (0x4, "RVR"), (0x8, "CVR"), (0xC, "CALIB")];

/// `timer_stm32f1`.
pub const TIMER: [(u32, &str); 18] = [
    (0x00, "CR1"),
    (0x04, "CR2"),
    (0x08, "SMCR"),
    (0x0C, "DIER"),
    (0x10, "SR"),
    (0x14, "EGR"),
    (0x18, "CCMR1"),
    (0x1C, "CCMR2"),
    (0x20, "CCER"),
    (0x24, "CNT"),
    (0x28, "PSC"),
    (0x2C, "ARR"),
    (0x34, "CCR1"),
    (0x38, "CCR2"),
    (0x3C, "CCR3"),
    (0x40, "CCR4"),
    (0x48, "DCR"),
    (0x4C, "DMAR"),
];

/// `usart_stm32f1`.
pub const USART: [(u32, &str); 7] = [
    (0x00, "SR"),
    (0x04, "DR"),
    (0x08, "BRR"),
    (0x0C, "CR1"),
    (0x10, "CR2"),
    (0x14, "CR3"),
    (0x18, "GTPR"),
];
