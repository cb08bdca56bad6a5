//! Names of the registers of ATmega parts, by the offsets of their devices. A board file says which address each
//! offset has. The pages in docs/timing/ have the same tables; a test compares them.

/// Registers of a device: offset and name.
pub type Table = [(u32, &'static str)];

/// The name of the register at an offset.
pub fn name(table: &Table, offset: u32) -> Option<String> {
    table.iter().find(|one| one.0 == offset).map(|one| one.1.to_owned())
}

/// `prescaler_atmega`.
pub const PRESCALER: [(u32, &str); 1] = [(0x00, "GTCCR")];

/// `timer_atmega` with 16 bits.
pub const TIMER_16_BITS: [(u32, &str); 15] = [
    (0x00, "TIFR"),
    (0x01, "TIMSK"),
    (0x10, "TCCRA"),
    (0x11, "TCCRB"),
    (0x12, "TCCRC"),
    (0x14, "TCNTL"),
    (0x15, "TCNTH"),
    (0x16, "ICRL"),
    (0x17, "ICRH"),
    (0x18, "OCRAL"),
    (0x19, "OCRAH"),
    (0x1A, "OCRBL"),
    (0x1B, "OCRBH"),
    (0x1C, "OCRCL"),
    (0x1D, "OCRCH"),
];

/// `timer_atmega` with 8 bits. The last is there with `asynchronous` alone.
pub const TIMER_8_BITS: [(u32, &str); 8] = [
    (0x00, "TIFR"),
    (0x01, "TIMSK"),
    (0x10, "TCCRA"),
    (0x11, "TCCRB"),
    (0x12, "TCNT"),
    (0x13, "OCRA"),
    (0x14, "OCRB"),
    (0x16, "ASSR"),
];

/// `ports_atmega`, but for PINx, DDRx and PORTx.
pub const PIN_INTERRUPTS: [(u32, &str); 9] = [
    (0x15, "PCIFR"),
    (0x16, "EIFR"),
    (0x17, "EIMSK"),
    (0x18, "PCICR"),
    (0x19, "EICRA"),
    (0x1A, "EICRB"),
    (0x1B, "PCMSK0"),
    (0x1C, "PCMSK1"),
    (0x1D, "PCMSK2"),
];

/// `usart_atmega`.
pub const USART: [(u32, &str); 6] = [
    (0x00, "UCSRA"),
    (0x01, "UCSRB"),
    (0x02, "UCSRC"),
    (0x04, "UBRRL"),
    (0x05, "UBRRH"),
    (0x06, "UDR"),
];

/// `eeprom_atmega`.
pub const EEPROM: [(u32, &str); 4] =
    [(0x00, "EECR"), (0x01, "EEDR"), (0x02, "EEARL"), (0x03, "EEARH")];

/// `wd_atmega`.
pub const WATCHDOG: [(u32, &str); 1] = [(0x00, "WDTCSR")];

/// `system_atmega`.
pub const SYSTEM: [(u32, &str); 13] = [
    (0x00, "SMCR"),
    (0x01, "MCUSR"),
    (0x02, "MCUCR"),
    (0x04, "SPMCSR"),
    (0x11, "CLKPR"),
    (0x14, "PRR0"),
    (0x15, "PRR1"),
    (0x16, "OSCCAL"),
    (0x20, "GPIOR0"),
    (0x21, "GPIOR1"),
    (0x22, "GPIOR2"),
    (0x24, "XMCRA"),
    (0x25, "XMCRB"),
];
