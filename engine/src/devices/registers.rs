//! Names of registers, as the manuals have them. The pages in docs/timing/ have the same tables; a test
//! compares them.

/// One register, or several of one name in a row, which are numbered from 0.
pub struct Register {
    /// Offset of the first.
    pub first: u32,
    /// Offset of the last.
    pub last: u32,
    /// The name, without a number.
    pub name: &'static str,
}

/// A register.
const fn one(at: u32, name: &'static str) -> Register {
    Register { first: at, last: at, name }
}

/// Registers of 4 bytes from `first` to `last`.
const fn row(first: u32, last: u32, name: &'static str) -> Register {
    Register { first, last, name }
}

/// The name of the register that holds the byte at an offset.
pub fn name(table: &[Register], offset: u32) -> Option<String> {
    let offset = offset & !3;
    let found = table.iter().find(|one| (one.first..=one.last).contains(&offset))?;
    if found.first == found.last {
        return Some(found.name.to_owned());
    }
    Some(format!("{}{}", found.name, (offset - found.first) / 4))
}

/// `aic_at91`.
pub const AIC: [Register; 14] = [
    row(0x000, 0x07C, "AIC_SMR"),
    row(0x080, 0x0FC, "AIC_SVR"),
    one(0x100, "AIC_IVR"),
    one(0x104, "AIC_FVR"),
    one(0x108, "AIC_ISR"),
    one(0x10C, "AIC_IPR"),
    one(0x110, "AIC_IMR"),
    one(0x114, "AIC_CISR"),
    one(0x120, "AIC_IECR"),
    one(0x124, "AIC_IDCR"),
    one(0x128, "AIC_ICCR"),
    one(0x12C, "AIC_ISCR"),
    one(0x130, "AIC_EOICR"),
    one(0x134, "AIC_SPU"),
];

/// `ebi_at91`.
pub const EBI: [Register; 3] =
    [row(0x00, 0x1C, "EBI_CSR"), one(0x20, "EBI_RCR"), one(0x24, "EBI_MCR")];

/// `pio_at91`.
pub const PIO: [Register; 17] = [
    one(0x00, "PIO_PER"),
    one(0x04, "PIO_PDR"),
    one(0x08, "PIO_PSR"),
    one(0x10, "PIO_OER"),
    one(0x14, "PIO_ODR"),
    one(0x18, "PIO_OSR"),
    one(0x20, "PIO_IFER"),
    one(0x24, "PIO_IFDR"),
    one(0x28, "PIO_IFSR"),
    one(0x30, "PIO_SODR"),
    one(0x34, "PIO_CODR"),
    one(0x38, "PIO_ODSR"),
    one(0x3C, "PIO_PDSR"),
    one(0x40, "PIO_IER"),
    one(0x44, "PIO_IDR"),
    one(0x48, "PIO_IMR"),
    one(0x4C, "PIO_ISR"),
];

/// `ps_at91`.
pub const PS: [Register; 4] =
    [one(0x00, "PS_CR"), one(0x04, "PS_PCER"), one(0x08, "PS_PCDR"), one(0x0C, "PS_PCSR")];

/// `sf_at91`.
pub const SF: [Register; 5] = [
    one(0x00, "SF_CIDR"),
    one(0x04, "SF_EXID"),
    one(0x08, "SF_RSR"),
    one(0x0C, "SF_MMR"),
    one(0x18, "SF_PMR"),
];

/// `tc_at91`.
pub const TC: [Register; 32] = [
    one(0x00, "TC0_CCR"),
    one(0x04, "TC0_CMR"),
    one(0x10, "TC0_CV"),
    one(0x14, "TC0_RA"),
    one(0x18, "TC0_RB"),
    one(0x1C, "TC0_RC"),
    one(0x20, "TC0_SR"),
    one(0x24, "TC0_IER"),
    one(0x28, "TC0_IDR"),
    one(0x2C, "TC0_IMR"),
    one(0x40, "TC1_CCR"),
    one(0x44, "TC1_CMR"),
    one(0x50, "TC1_CV"),
    one(0x54, "TC1_RA"),
    one(0x58, "TC1_RB"),
    one(0x5C, "TC1_RC"),
    one(0x60, "TC1_SR"),
    one(0x64, "TC1_IER"),
    one(0x68, "TC1_IDR"),
    one(0x6C, "TC1_IMR"),
    one(0x80, "TC2_CCR"),
    one(0x84, "TC2_CMR"),
    one(0x90, "TC2_CV"),
    one(0x94, "TC2_RA"),
    one(0x98, "TC2_RB"),
    one(0x9C, "TC2_RC"),
    one(0xA0, "TC2_SR"),
    one(0xA4, "TC2_IER"),
    one(0xA8, "TC2_IDR"),
    one(0xAC, "TC2_IMR"),
    one(0xC0, "TC_BCR"),
    one(0xC4, "TC_BMR"),
];

/// `usart_at91`.
pub const USART: [Register; 15] = [
    one(0x00, "US_CR"),
    one(0x04, "US_MR"),
    one(0x08, "US_IER"),
    one(0x0C, "US_IDR"),
    one(0x10, "US_IMR"),
    one(0x14, "US_CSR"),
    one(0x18, "US_RHR"),
    one(0x1C, "US_THR"),
    one(0x20, "US_BRGR"),
    one(0x24, "US_RTOR"),
    one(0x28, "US_TTGR"),
    one(0x30, "US_RPR"),
    one(0x34, "US_RCR"),
    one(0x38, "US_TPR"),
    one(0x3C, "US_TCR"),
];

/// `wd_at91`.
pub const WD: [Register; 4] =
    [one(0x00, "WD_OMR"), one(0x04, "WD_CMR"), one(0x08, "WD_CR"), one(0x0C, "WD_SR")];

/// `timer_lpc2000`.
pub const TIMER: [Register; 11] = [
    one(0x00, "IR"),
    one(0x04, "TCR"),
    one(0x08, "TC"),
    one(0x0C, "PR"),
    one(0x10, "PC"),
    one(0x14, "MCR"),
    row(0x18, 0x24, "MR"),
    one(0x28, "CCR"),
    row(0x2C, 0x38, "CR"),
    one(0x3C, "EMR"),
    one(0x70, "CTCR"),
];

/// `uart_16550`.
pub const UART: [Register; 9] = [
    one(0x00, "RBR/THR/DLL"),
    one(0x04, "IER/DLM"),
    one(0x08, "IIR/FCR"),
    one(0x0C, "LCR"),
    one(0x14, "LSR"),
    one(0x1C, "SCR"),
    one(0x20, "ACR"),
    one(0x28, "FDR"),
    one(0x30, "TER"),
];

/// `scb_lpc2000`.
pub const SCB: [Register; 20] = [
    one(0x000, "MAMCR"),
    one(0x004, "MAMTIM"),
    one(0x040, "MEMMAP"),
    one(0x080, "PLLCON"),
    one(0x084, "PLLCFG"),
    one(0x088, "PLLSTAT"),
    one(0x08C, "PLLFEED"),
    one(0x0A0, "PLL48CON"),
    one(0x0A4, "PLL48CFG"),
    one(0x0A8, "PLL48STAT"),
    one(0x0AC, "PLL48FEED"),
    one(0x0C0, "PCON"),
    one(0x0C4, "PCONP"),
    one(0x100, "VPBDIV"),
    one(0x140, "EXTINT"),
    one(0x144, "INTWAKE"),
    one(0x148, "EXTMODE"),
    one(0x14C, "EXTPOLAR"),
    one(0x180, "RSIR"),
    one(0x1A0, "SCS"),
];

/// `pinsel_lpc2000`.
pub const PINSEL: [Register; 3] =
    [one(0x00, "PINSEL0"), one(0x04, "PINSEL1"), one(0x14, "PINSEL2")];

/// `gpio_lpc2000`.
pub const GPIO: [Register; 18] = [
    one(0x000, "IO0PIN"),
    one(0x004, "IO0SET"),
    one(0x008, "IO0DIR"),
    one(0x00C, "IO0CLR"),
    one(0x010, "IO1PIN"),
    one(0x014, "IO1SET"),
    one(0x018, "IO1DIR"),
    one(0x01C, "IO1CLR"),
    one(0x100, "FIO0DIR"),
    one(0x110, "FIO0MASK"),
    one(0x114, "FIO0PIN"),
    one(0x118, "FIO0SET"),
    one(0x11C, "FIO0CLR"),
    one(0x120, "FIO1DIR"),
    one(0x130, "FIO1MASK"),
    one(0x134, "FIO1PIN"),
    one(0x138, "FIO1SET"),
    one(0x13C, "FIO1CLR"),
];

/// `vic_pl190`.
pub const VIC: [Register; 13] = [
    one(0x000, "VICIRQStatus"),
    one(0x004, "VICFIQStatus"),
    one(0x008, "VICRawIntr"),
    one(0x00C, "VICIntSelect"),
    one(0x010, "VICIntEnable"),
    one(0x014, "VICIntEnClr"),
    one(0x018, "VICSoftInt"),
    one(0x01C, "VICSoftIntClear"),
    one(0x020, "VICProtection"),
    one(0x030, "VICVectAddr"),
    one(0x034, "VICDefVectAddr"),
    row(0x100, 0x13C, "VICVectAddr"),
    row(0x200, 0x23C, "VICVectCntl"),
];
