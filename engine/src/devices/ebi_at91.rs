//! External bus interface of the AT91x40 parts: chip selects, their wait states, remap.
//! Follows the AT91X40 data sheet (Atmel 1354), EBI chapter.
//!
//! Wait states leave as levels that the memories' timing takes. Where a chip select answers, and how wide it
//! is, stands in the board file: a register that says otherwise is reported.

use super::no_register;
use crate::bus::Width;
use crate::device::{Device, Output, Port};
use serde::Deserialize;

const PART: &str = "ebi_at91";

const SELECTS: usize = 8;
const REMAP: Output = 0;
const FIRST_WAITS: Output = 1;

// Bits of EBI_CSR.
const WAITS_ENABLED: u32 = 1 << 5;
const FLOAT_TIME: u32 = 7 << 9;
const ENABLED: u32 = 1 << 13;
const WRITABLE: u32 = 0xFFF0_3FBF;
/// After reset the boot memory has all wait states.
const BOOT: u32 = ENABLED | WAITS_ENABLED | 7 << 2;

/// One bit of EBI_MCR, and all that it has.
const EARLY_READ: u32 = 1 << 4;
const CONTROL: u32 = 0x17;

/// The memory behind a chip select.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Select {
    /// Its number.
    number: usize,
    /// Where it answers after the remap.
    base: u32,
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

/// Wait states that EBI_CSR asks for.
fn waits_of(select: u32) -> u32 {
    if select & WAITS_ENABLED == 0 {
        0
    } else {
        (select >> 2 & 7) + 1
    }
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

    fn drive(&self, port: &mut Port) {
        port.drive(REMAP, self.remapped.into());
        for (n, select) in self.selects.iter().enumerate() {
            port.drive(FIRST_WAITS + n, waits_of(*select));
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
        if value >> 20 != there.base >> 20 {
            port.unmodelled(format!(
                "chip select {n} of {PART} at another address: it stays at {:#010x}",
                there.base
            ));
        }
        if value & 3 != code_of(there.width) {
            port.unmodelled(format!(
                "chip select {n} of {PART} of another width: it stays at {} bits",
                there.width
            ));
        }
        if value & FLOAT_TIME != 0 {
            port.unmodelled(format!("the data float time of chip select {n} of {PART}: none"));
        }
    }
}

impl Device for ExternalBus {
    fn outputs(&self) -> &'static [&'static str] {
        &[
            "remap",
            "cs0_waits",
            "cs1_waits",
            "cs2_waits",
            "cs3_waits",
            "cs4_waits",
            "cs5_waits",
            "cs6_waits",
            "cs7_waits",
        ]
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
            0x24 => {
                self.control = value & CONTROL;
                if value & EARLY_READ != 0 {
                    port.unmodelled(format!(
                        "early read of {PART}: a read behind a write does not wait"
                    ));
                }
            }
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
        let select = |number, base, width| Select { number, base, width };
        let chip_selects = vec![select(0, 0x0040_0000, 16), select(1, 0x0100_0000, 8)];
        Rig::new(ExternalBus::new(Parameters { chip_selects }).unwrap())
    }

    #[test]
    fn after_reset_the_boot_memory_has_all_wait_states() {
        let mut rig = interface();
        assert_eq!((rig.read(0x00), rig.read(0x04), rig.read(0x1C)), (0x203D, 1 << 28, 7 << 28));
        assert_eq!(
            (rig.output("cs0_waits"), rig.output("cs1_waits"), rig.output("remap")),
            (8, 0, 0)
        );
    }

    #[test]
    fn wait_states_and_remap_change_at_the_write() {
        let mut rig = interface();
        rig.at(5).write(0x00, 0x0040_2025).at(6).write(0x04, 0x0100_2002).at(7).write(0x20, 1);
        rig.at(8).write(0x20, 0).at(9).write(0x00, 0x0040_2029);
        assert_eq!(rig.changes("cs0_waits"), [(0, 8), (5, 2), (9, 3)]);
        assert_eq!(rig.changes("cs1_waits"), [(0, 0)], "without WSE there are none");
        assert_eq!(rig.changes("remap"), [(0, 0), (7, 1)], "only a reset takes it back");
        assert_eq!(rig.unmodelled(), Vec::<String>::new());
    }

    #[test]
    fn what_the_board_does_not_have_is_reported() {
        let mut rig = interface();
        rig.write(0x00, 0x0050_2001).write(0x00, 0x0040_2002).write(0x08, 0x2000);
        rig.write(0x00, 0x0040_2201).write(0x24, 0x10);
        assert_eq!(rig.unmodelled().len(), 5, "{:?}", rig.unmodelled());
    }

    #[test]
    fn a_width_that_there_is_not_is_refused() {
        let one = Select { number: 1, base: 0, width: 32 };
        let error = ExternalBus::new(Parameters { chip_selects: vec![one] }).unwrap_err();
        assert!(error.contains("32 bits wide"), "{error}");
    }
}
