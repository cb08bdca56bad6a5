//! Parallel I/O of the AT91x40 parts: 32 lines.
//! Follows the AT91X40 data sheet (Atmel 1354), PIO chapter.

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port};

const PART: &str = "pio_at91";

const LINES: usize = 32;
const INTERRUPT: Output = LINES;
/// The outputs; the lines are inputs too.
const NAMES: [&str; LINES + 1] = [
    "p0",
    "p1",
    "p2",
    "p3",
    "p4",
    "p5",
    "p6",
    "p7",
    "p8",
    "p9",
    "p10",
    "p11",
    "p12",
    "p13",
    "p14",
    "p15",
    "p16",
    "p17",
    "p18",
    "p19",
    "p20",
    "p21",
    "p22",
    "p23",
    "p24",
    "p25",
    "p26",
    "p27",
    "p28",
    "p29",
    "p30",
    "p31",
    "interrupt",
];
/// Lines that a peripheral has after reset: all but those that address lines and chip selects share.
const CONTROLLED_AT_RESET: u32 = 0x01FF_FFFF;

/// The device. Its outputs are the lines that it drives; a line that a peripheral drives is that one's.
#[derive(Clone, Debug, Default)]
pub struct ParallelIo {
    /// PSR: lines of the controller, not of a peripheral.
    controlled: u32,
    /// OSR, IFSR, ODSR and IMR.
    outputs: u32,
    filtered: u32,
    data: u32,
    mask: u32,
    /// ISR: lines that changed since it was read.
    changes: u32,
    /// Levels from outside.
    inputs: u32,
}

impl ParallelIo {
    fn driven(&self) -> u32 {
        self.controlled & self.outputs
    }

    /// PDSR.
    fn levels(&self) -> u32 {
        let driven = self.driven();
        self.data & driven | self.inputs & !driven
    }

    /// Makes a change, which may move lines, and drives what it moves.
    fn change(&mut self, port: &mut Port, change: impl FnOnce(&mut Self)) {
        let before = self.levels();
        change(self);
        self.changes |= before ^ self.levels();
        self.drive(port);
    }

    fn drive(&self, port: &mut Port) {
        let lines = self.data & self.driven();
        for line in 0..LINES {
            port.drive(line, lines >> line & 1);
        }
        port.drive(INTERRUPT, u32::from(self.changes & self.mask != 0));
    }
}

impl Device for ParallelIo {
    fn outputs(&self) -> &'static [&'static str] {
        &NAMES
    }

    fn inputs(&self) -> &'static [&'static str] {
        &NAMES[..LINES]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::PIO, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = ParallelIo { controlled: CONTROLLED_AT_RESET, ..ParallelIo::default() };
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset {
            0x08 => self.controlled,
            0x18 => self.outputs,
            0x28 => self.filtered,
            0x38 => self.data,
            0x3C => self.levels(),
            0x48 => self.mask,
            0x4C => {
                let changes = std::mem::take(&mut self.changes);
                self.drive(port);
                changes
            }
            0x00 | 0x04 | 0x10 | 0x14 | 0x20 | 0x24 | 0x30 | 0x34 | 0x40 | 0x44 => 0,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn steady(&self, offset: u32) -> bool {
        offset != 0x4C
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        match offset {
            0x00 => self.change(port, |this| this.controlled |= value),
            0x04 => self.change(port, |this| this.controlled &= !value),
            0x10 => self.change(port, |this| this.outputs |= value),
            0x14 => self.change(port, |this| this.outputs &= !value),
            // A pulse that the filter would drop is shorter than a cycle: there is none.
            0x20 => self.filtered |= value,
            0x24 => self.filtered &= !value,
            0x30 => self.change(port, |this| this.data |= value),
            0x34 => self.change(port, |this| this.data &= !value),
            0x40 => self.change(port, |this| this.mask |= value),
            0x44 => self.change(port, |this| this.mask &= !value),
            0x08 | 0x18 | 0x28 | 0x38 | 0x3C | 0x48 | 0x4C => {}
            _ => no_register(PART, offset, port),
        }
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        let bit = 1 << input;
        self.change(port, |this| {
            this.inputs = if level != 0 { this.inputs | bit } else { this.inputs & !bit };
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    const OER: u32 = 0x10;
    const SODR: u32 = 0x30;
    const CODR: u32 = 0x34;
    const PDSR: u32 = 0x3C;
    const IER: u32 = 0x40;
    const ISR: u32 = 0x4C;

    #[test]
    fn pairs_of_registers_set_and_clear_a_third() {
        for (enable, reset) in
            [(0x00, CONTROLLED_AT_RESET), (0x10, 0), (0x20, 0), (0x30, 0), (0x40, 0)]
        {
            let mut rig = Rig::new(ParallelIo::default());
            assert_eq!(rig.read(enable + 8), reset);
            assert_eq!(rig.write(enable, 0xF000_00FF).read(enable + 8), reset | 0xF000_00FF);
            assert_eq!(rig.write(enable + 4, 0xF000_000F).read(enable + 8), (reset | 0xF0) & !0xF);
            assert_eq!(rig.write(enable + 8, !0).read(enable + 8), (reset | 0xF0) & !0xF);
        }
    }

    #[test]
    fn a_line_is_driven_where_it_is_an_output_of_the_controller() {
        let mut rig = Rig::new(ParallelIo::default());
        rig.at(5).write(SODR, 1 << 3).at(6).write(OER, 1 << 3).at(8).write(CODR, 1 << 3);
        assert_eq!(rig.changes("p3"), [(0, 0), (6, 1), (8, 0)]);
        rig.at(9).write(SODR, 1 << 3).at(10).write(0x04, 1 << 3);
        assert_eq!(rig.output("p3"), 0, "a peripheral has it");
    }

    #[test]
    fn a_change_of_a_line_interrupts_until_it_is_read() {
        let mut rig = Rig::new(ParallelIo::default());
        rig.write(IER, 1 << 7).at(4).input("p6", 1).at(5).input("p7", 1).at(6).input("p7", 0);
        assert_eq!((rig.output("interrupt"), rig.read(PDSR)), (1, 1 << 6));
        assert_eq!((rig.at(9).read(ISR), rig.read(ISR)), (3 << 6, 0));
        assert_eq!(rig.changes("interrupt"), [(0, 0), (5, 1), (9, 0)]);
        rig.write(OER, 1 << 7).write(SODR, 1 << 7);
        assert_eq!((rig.read(PDSR), rig.read(ISR)), (3 << 6, 1 << 7), "outputs are seen too");
    }
}
