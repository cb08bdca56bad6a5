//! Names of the registers of a console. The pages in docs/timing/ have the same tables; a test compares them.

/// Registers of a device: offset and name. A register ends where its halfwords do: `bytes` of them.
pub type Table = [(u32, u32, &'static str)];

/// The name of the register that holds the byte at an offset.
pub fn name(table: &Table, offset: u32) -> Option<String> {
    let found = table.iter().find(|(at, bytes, _)| (*at..at + bytes).contains(&offset))?;
    Some(found.2.to_owned())
}

/// `dma_console`.
pub const DMA: [(u32, u32, &str); 16] = [
    (0x00, 4, "DMA0SAD"),
    (0x04, 4, "DMA0DAD"),
    (0x08, 2, "DMA0CNT_L"),
    (0x0A, 2, "DMA0CNT_H"),
    (0x0C, 4, "DMA1SAD"),
    (0x10, 4, "DMA1DAD"),
    (0x14, 2, "DMA1CNT_L"),
    (0x16, 2, "DMA1CNT_H"),
    (0x18, 4, "DMA2SAD"),
    (0x1C, 4, "DMA2DAD"),
    (0x20, 2, "DMA2CNT_L"),
    (0x22, 2, "DMA2CNT_H"),
    (0x24, 4, "DMA3SAD"),
    (0x28, 4, "DMA3DAD"),
    (0x2C, 2, "DMA3CNT_L"),
    (0x2E, 2, "DMA3CNT_H"),
];

/// `interrupt_console`.
pub const INTERRUPT: [(u32, u32, &str); 3] = [(0x00, 2, "IE"), (0x02, 2, "IF"), (0x08, 2, "IME")];

/// `timer_console`.
pub const TIMER: [(u32, u32, &str); 8] = [
    (0x00, 2, "TM0CNT_L"),
    (0x02, 2, "TM0CNT_H"),
    (0x04, 2, "TM1CNT_L"),
    (0x06, 2, "TM1CNT_H"),
    (0x08, 2, "TM2CNT_L"),
    (0x0A, 2, "TM2CNT_H"),
    (0x0C, 2, "TM3CNT_L"),
    (0x0E, 2, "TM3CNT_H"),
];

/// `waits_console`.
pub const WAITS: [(u32, u32, &str); 1] = [(0x00, 2, "WAITCNT")];
