//! Interrupt controller of a console, as far as timers and DMA need it: flags, their mask, and one switch.
//! `docs/timing/interrupt_console.md` marks what confirms each rule.

use super::{halfwords, no_register, registers_console};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};

const PART: &str = "interrupt_console";

const CORE: Output = 0;
const OPEN: Output = 1;
const REQUESTS: Output = 2;

/// The sources, and the first bits of IE and IF that four of them have.
const SOURCES: usize = 8;
const TIMER_SHIFT: u32 = 3;
const DMA_SHIFT: u32 = 8;
/// Bits that IE has; the other sources are not on this board.
const WRITABLE: u32 = 0x3FFF;

/// Cycles from a change of the registers until the core's input follows.
const DELAY_CYCLES: u64 = 1;
const FOLLOW: Tag = 0;

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Interrupts {
    enable: u32,
    flags: u32,
    open: bool,
}

/// The bit of IE and IF of an input.
fn bit(input: Input) -> u32 {
    let shift = if input < 4 { TIMER_SHIFT + input as u32 } else { DMA_SHIFT + input as u32 - 4 };
    1 << shift
}

impl Interrupts {
    /// Sources that request and are enabled, one bit for each input.
    fn requests(&self) -> u32 {
        let both = self.enable & self.flags;
        (0..SOURCES).filter(|&input| both & bit(input) != 0).map(|input| 1 << input).sum()
    }

    fn passed(&self) -> u32 {
        u32::from(self.open) * self.requests()
    }

    fn drive(&self, port: &mut Port) {
        port.drive(REQUESTS, self.requests());
        port.drive(OPEN, self.passed());
        port.schedule(FOLLOW, port.now() + DELAY_CYCLES);
    }

    fn write_half(&mut self, offset: u32, mask: u32, value: u32, port: &mut Port) {
        match offset {
            0 => {
                self.enable = halfwords::merged(self.enable, mask, value) & WRITABLE;
                if (0..SOURCES).fold(self.enable, |left, input| left & !bit(input)) != 0 {
                    port.unmodelled(format!("a source of {PART} that is no timer and no DMA"));
                }
            }
            2 => self.flags &= !value,
            8 => self.open = halfwords::merged(self.open.into(), mask, value) & 1 != 0,
            _ => {}
        }
    }
}

impl Device for Interrupts {
    fn outputs(&self) -> &'static [&'static str] {
        &["core", "open", "requests"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["timer0", "timer1", "timer2", "timer3", "dma0", "dma1", "dma2", "dma3"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers_console::name(&registers_console::INTERRUPT, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Interrupts::default();
        port.cancel(FOLLOW);
        (CORE..=REQUESTS).for_each(|output| port.drive(output, 0));
    }

    fn read(&mut self, offset: u32, width: Width, port: &mut Port) -> u32 {
        if !matches!(offset, 0..4 | 8..12) {
            no_register(PART, offset, port);
        }
        halfwords::read(offset, width, |halfword| match halfword {
            0 => self.enable,
            2 => self.flags,
            8 => self.open.into(),
            _ => 0,
        })
    }

    fn steady(&self, _offset: u32) -> bool {
        true
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, width: Width, value: u32, port: &mut Port) {
        if !matches!(offset, 0..4 | 8..12) {
            no_register(PART, offset, port);
            return;
        }
        for (halfword, mask, value) in halfwords::written(offset, width, value) {
            self.write_half(halfword, mask, value, port);
        }
        self.drive(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        port.drive(CORE, (self.passed() != 0).into());
    }

    /// A source asks: each value that it sends sets its flag.
    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        if level != 0 && input < SOURCES {
            self.flags |= bit(input);
            self.drive(port);
        }
    }

    fn passing(&self) -> Option<Output> {
        Some(OPEN)
    }

    fn requesting(&self) -> Option<Output> {
        Some(REQUESTS)
    }

    fn requester(&self, _output: Output) -> Option<Input> {
        let passed = self.passed();
        (passed != 0).then(|| passed.trailing_zeros() as Input)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    fn open(enable: u32) -> Rig {
        let mut rig = Rig::new(Interrupts::default());
        rig.write(0, enable).write(8, 1);
        rig
    }

    #[test]
    fn a_request_reaches_the_core_a_cycle_later_and_stays_until_its_flag_is_cleared() {
        let mut rig = open(1 << 3);
        rig.at(10).input("timer0", 1);
        assert_eq!(rig.read_as(2, Width::Half), 1 << 3);
        rig.at(20).write_as(2, Width::Half, 1 << 3);
        rig.at(30);
        assert_eq!(rig.changes("core"), [(0, 0), (11, 1), (21, 0)]);
        assert_eq!(rig.changes("open"), [(0, 0), (10, 1), (20, 0)]);
    }

    #[test]
    fn each_source_has_its_bit() {
        for (name, bit) in [("timer0", 3), ("timer3", 6), ("dma0", 8), ("dma3", 11)] {
            let mut rig = open(1 << bit);
            let input = rig.inputs().iter().position(|one| *one == name).unwrap();
            rig.at(5).input(name, 1).at(9);
            assert_eq!((rig.read(0) >> 16, rig.output("core")), (1 << bit, 1), "{name}");
            assert_eq!(rig.output("requests"), 1 << input, "{name}");
        }
    }

    #[test]
    fn mask_and_switch_keep_a_flag_from_the_core() {
        for (enable, switch) in [(0, 1), (1 << 3, 0), (1 << 4, 1)] {
            let mut rig = Rig::new(Interrupts::default());
            rig.write(0, enable).write(8, switch).input("timer0", 1).at(9);
            assert_eq!((rig.output("core"), rig.read(0) >> 16), (0, 1 << 3));
            rig.write(8, 1).write_as(0, Width::Half, 1 << 3).at(20);
            assert_eq!(rig.output("core"), 1, "the flag waits");
        }
    }

    #[test]
    fn a_flag_is_cleared_by_a_one_of_any_width() {
        let mut rig = open(0);
        rig.input("timer0", 1).input("dma0", 1).input("dma3", 1);
        rig.write_as(3, Width::Byte, 1);
        assert_eq!(rig.read_as(2, Width::Half), 1 << 3 | 1 << 11);
        rig.write(0, 1 << 27);
        assert_eq!(rig.read_as(2, Width::Half), 1 << 3);
    }

    #[test]
    fn sources_that_the_board_lacks_are_reported() {
        assert_eq!(open(1 << 3 | 1 << 11).unmodelled(), Vec::<String>::new());
        assert_eq!(open(1).unmodelled().len(), 1);
    }
}
