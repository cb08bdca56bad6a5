//! External bus interface of the AT91x40 parts: chip selects and remap.
//! Follows the AT91X40 data sheet (Atmel 1354), EBI chapter.
//!
//! Where a chip select answers leaves as a level for its memory's place, its register as one for its memory's
//! timing (`timing/ebi_at91.rs`). The width of a memory stands in the board file: a register that says otherwise is
//! reported.

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Output, Port};
use serde::Deserialize;

const PART: &str = "ebi_at91";

const SELECTS: usize = 8;
const REMAP: Output = 0;
const CONTROL: Output = 1;
const FIRST_SELECT: Output = 2;
const FIRST_PLACE: Output = FIRST_SELECT + SELECTS;

// Bits of EBI_CSR.
const WAITS_ENABLED: u32 = 1 << 5;
const ENABLED: u32 = 1 << 13;
const BASE: u32 = 0xFFF0_0000;
const WRITABLE: u32 = BASE | 0x3FBF;
/// After reset the boot memory has all wait states.
const BOOT: u32 = ENABLED | WAITS_ENABLED | 7 << 2;
/// MiB of a chip select, by PAGES.
const PAGE_MIB: [u32; 4] = [1, 4, 16, 64];

/// All bits of EBI_MCR.
const WRITABLE_CONTROL: u32 = 0x17;

/// First and last address that chip selects can have: beside them lies what is on the chip.
const EXTERNAL: std::ops::Range<u32> = 0x0040_0000..0xFFC0_0000;

/// The memory behind a chip select.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Select {
    /// Its number.
    number: usize,
    /// Bits of its bus: 8 or 16.
    width: u32,
}

/// Keys of the interface in the board file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    #[serde(default)]
    chip_selects: Vec<Select>,
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct ExternalBus {
    parameters: Parameters,
    selects: [u32; SELECTS],
    control: u32,
    remapped: bool,
}

/// EBI_CSR's code of a bus.
fn code_of(width: u32) -> u32 {
    if width == 8 {
        2
    } else {
        1
    }
}

/// MiB that EBI_CSR lets a chip select answer for.
fn page_mib(select: u32) -> u32 {
    PAGE_MIB[select as usize >> 7 & 3]
}

/// The first address that EBI_CSR gives a chip select: a multiple of its page.
fn base_of(select: u32) -> u32 {
    select & BASE & !((page_mib(select) << 20) - 1)
}

impl ExternalBus {
    /// An interface in reset, or a sentence that says what is wrong with its chip selects.
    ///
    /// # Errors
    /// A chip select of another number or width than there are.
    pub fn new(parameters: Parameters) -> Result<Self, String> {
        for one in &parameters.chip_selects {
            if one.number >= SELECTS || ![8, 16].contains(&one.width) {
                return Err(format!(
                    "chip select {} of {PART}, {} bits wide: numbers are 0 to 7, widths 8 and 16",
                    one.number, one.width
                ));
            }
        }
        Ok(Self::in_reset(parameters))
    }

    fn in_reset(parameters: Parameters) -> Self {
        let mut selects = std::array::from_fn(|n| (n as u32) << 28);
        let boot = parameters.chip_selects.iter().find(|one| one.number == 0);
        selects[0] = BOOT | code_of(boot.map_or(16, |one| one.width));
        ExternalBus { parameters, selects, control: 0, remapped: false }
    }

    /// Where a chip select answers, as a memory's place: nowhere before the remap.
    fn place(&self, select: u32) -> u32 {
        let answers = self.remapped && select & ENABLED != 0;
        if answers && EXTERNAL.contains(&base_of(select)) {
            base_of(select) | page_mib(select)
        } else {
            0
        }
    }

    fn drive(&self, port: &mut Port) {
        port.drive(REMAP, self.remapped.into());
        port.drive(CONTROL, self.control);
        for (n, select) in self.selects.iter().enumerate() {
            port.drive(FIRST_SELECT + n, *select);
            port.drive(FIRST_PLACE + n, self.place(*select));
        }
    }

    fn write_select(&mut self, n: usize, value: u32, port: &mut Port) {
        self.selects[n] = value & WRITABLE;
        if value & ENABLED == 0 {
            return;
        }
        let Some(there) = self.parameters.chip_selects.iter().find(|one| one.number == n) else {
            port.unmodelled(format!("chip select {n} of {PART}: the board has nothing behind it"));
            return;
        };
        if !EXTERNAL.contains(&base_of(value)) {
            port.unmodelled(format!(
                "chip select {n} of {PART} where something on the chip answers: it answers nowhere"
            ));
        }
        if value & 3 != code_of(there.width) {
            port.unmodelled(format!(
                "chip select {n} of {PART} of another width: it stays at {} bits",
                there.width
            ));
        }
    }
}

impl Device for ExternalBus {
    fn outputs(&self) -> &'static [&'static str] {
        &[
            "remap",
            "control",
            "cs0",
            "cs1",
            "cs2",
            "cs3",
            "cs4",
            "cs5",
            "cs6",
            "cs7",
            "cs0_place",
            "cs1_place",
            "cs2_place",
            "cs3_place",
            "cs4_place",
            "cs5_place",
            "cs6_place",
            "cs7_place",
        ]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::EBI, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = ExternalBus::in_reset(self.parameters.clone());
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset {
            at @ 0x00..=0x1C => self.selects[at as usize / 4],
            0x20 => 0,
            0x24 => self.control,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn steady(&self, _offset: u32) -> bool {
        true
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        match offset {
            at @ 0x00..=0x1C => self.write_select(at as usize / 4, value, port),
            // Only a reset takes it back.
            0x20 => self.remapped |= value & 1 != 0,
            0x24 => self.control = value & WRITABLE_CONTROL,
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    fn interface() -> Rig {
        let select = |number, width| Select { number, width };
        let chip_selects = vec![select(0, 16), select(1, 8)];
        Rig::new(ExternalBus::new(Parameters { chip_selects }).unwrap())
    }

    #[test]
    fn after_reset_the_boot_memory_alone_is_enabled() {
        let mut rig = interface();
        assert_eq!((rig.read(0x00), rig.read(0x04), rig.read(0x1C)), (0x203D, 1 << 28, 7 << 28));
        let levels = ["cs0", "cs1", "control", "remap", "cs0_place"].map(|name| rig.output(name));
        assert_eq!(levels, [0x203D, 1 << 28, 0, 0, 0]);
    }

    #[test]
    fn registers_and_remap_take_effect_at_the_write() {
        let mut rig = interface();
        rig.at(5).write(0x00, 0x0040_2025).at(6).write(0x24, 0x10).at(7).write(0x20, 1);
        rig.at(8).write(0x20, 0);
        assert_eq!(rig.changes("cs0"), [(0, 0x203D), (5, 0x0040_2025)]);
        assert_eq!(rig.changes("control"), [(0, 0), (6, 0x10)]);
        assert_eq!(rig.changes("remap"), [(0, 0), (7, 1)], "only a reset takes it back");
        assert_eq!(rig.changes("cs0_place"), [(0, 0), (7, 0x0040_0001)]);
        assert_eq!(rig.unmodelled(), Vec::<String>::new());
    }

    #[test]
    fn a_chip_select_answers_where_its_register_says_after_the_remap() {
        let mut rig = interface();
        rig.write(0x20, 1);
        // (EBI_CSR, place): pages of 1, 4, 16 and 64 MiB, whose bases are their multiples; disabled.
        let table = [
            (0x1230_2002, 0x1230_0001),
            (0x1230_2082, 0x1200_0004),
            (0x1230_2102, 0x1200_0010),
            (0x1630_2182, 0x1400_0040),
            (0x1230_0002, 0),
            (0xFFB0_2002, 0xFFB0_0001),
        ];
        for (select, place) in table {
            rig.write(0x04, select);
            assert_eq!(rig.output("cs1_place"), place, "{select:#x}");
        }
        assert_eq!(rig.unmodelled(), Vec::<String>::new());
        for select in [0x2002, 0x0030_2002, 0x0070_2102, 0xFFC0_2002] {
            rig.write(0x04, select);
            assert_eq!(rig.output("cs1_place"), 0, "{select:#x}");
        }
        assert_eq!(rig.unmodelled().len(), 1, "{:?}", rig.unmodelled());
    }

    #[test]
    fn what_the_board_does_not_have_is_reported() {
        let mut rig = interface();
        rig.write(0x00, 0x0040_2002).write(0x08, 0x2000_2000);
        assert_eq!(rig.unmodelled().len(), 2, "{:?}", rig.unmodelled());
    }

    #[test]
    fn a_width_that_there_is_not_is_refused() {
        let one = Select { number: 1, width: 32 };
        let error = ExternalBus::new(Parameters { chip_selects: vec![one] }).unwrap_err();
        assert!(error.contains("32 bits wide"), "{error}");
    }
}
