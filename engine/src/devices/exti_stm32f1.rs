//! External interrupts and events of STM32F1 parts, value line: 18 lines. Follows ST's RM0041, chapter 8, as recalled.

use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port};

const PART: &str = "exti_stm32f1";

/// Lines 0 to 15 are pins, 16 is the voltage detector, 17 the alarm of the real-time clock.
const LINES: u32 = 0x3_FFFF;
const EVENT: Output = 9;

const PORTS: usize = 5;
const FIRST_SELECT: Input = PORTS;
const FIRST_LINE: Input = PORTS + 4;

/// The lines behind each interrupt output.
const GROUPS: [u32; 9] = [1, 2, 4, 8, 16, 0x3E0, 0xFC00, 1 << 16, 1 << 17];

/// The device. `event` is 1 from an event until the core acknowledges it; the other outputs are requests to the
/// interrupt controller.
#[derive(Clone, Debug, Default)]
pub struct ExternalInterrupts {
    interrupt_mask: u32,
    event_mask: u32,
    rising: u32,
    falling: u32,
    software: u32,
    pending: u32,
    /// Levels of ports A to E, EXTICR1 to 4, and levels of lines 16 and 17.
    ports: [u32; PORTS],
    select: [u32; 4],
    others: u32,
    /// Levels of the lines as seen last.
    levels: u32,
}

impl ExternalInterrupts {
    /// The level of each line now.
    fn lines(&self) -> u32 {
        let mut lines = self.others << 16;
        for pin in 0..16 {
            let port = self.select[pin / 4] >> (4 * (pin % 4)) & 15;
            let levels = self.ports.get(port as usize).copied().unwrap_or(0);
            lines |= levels & 1 << pin;
        }
        lines
    }

    /// Edges of lines since the last look.
    fn look(&mut self, port: &mut Port) {
        let now = self.lines();
        let rose = now & !self.levels & self.rising;
        let fell = self.levels & !now & self.falling;
        self.levels = now;
        self.request(rose | fell, port);
    }

    fn request(&mut self, lines: u32, port: &mut Port) {
        self.pending |= lines & self.interrupt_mask;
        if lines & self.event_mask != 0 {
            port.drive(EVENT, 1);
        }
        self.drive(port);
    }

    fn drive(&self, port: &mut Port) {
        let requests = self.pending & self.interrupt_mask;
        for (output, group) in GROUPS.into_iter().enumerate() {
            port.drive(output, u32::from(requests & group != 0));
        }
    }
}

impl Device for ExternalInterrupts {
    fn outputs(&self) -> &'static [&'static str] {
        &[
            "exti0",
            "exti1",
            "exti2",
            "exti3",
            "exti4",
            "exti9_5",
            "exti15_10",
            "line16",
            "line17",
            "event",
        ]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &[
            "port_a", "port_b", "port_c", "port_d", "port_e", "select1", "select2", "select3",
            "select4", "line16", "line17",
        ]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::EXTI, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = ExternalInterrupts::default();
        port.drive(EVENT, 0);
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset & !3 {
            0x00 => self.interrupt_mask,
            0x04 => self.event_mask,
            0x08 => self.rising,
            0x0C => self.falling,
            0x10 => self.software,
            0x14 => self.pending,
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
        let value = value & LINES;
        match offset & !3 {
            0x00 => self.interrupt_mask = value,
            0x04 => self.event_mask = value,
            0x08 => self.rising = value,
            0x0C => self.falling = value,
            0x10 => {
                let new = value & !self.software;
                self.software |= value;
                return self.request(new, port);
            }
            0x14 => {
                self.pending &= !value;
                self.software &= !value;
            }
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }

    fn acknowledged(&mut self, output: Output, port: &mut Port) {
        if output == EVENT {
            port.drive(EVENT, 0);
        }
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        if input < PORTS {
            self.ports[input] = level;
        } else if input < FIRST_LINE {
            self.select[input - FIRST_SELECT] = level;
        } else {
            let bit = 1 << (input - FIRST_LINE);
            self.others = if level != 0 { self.others | bit } else { self.others & !bit };
        }
        self.look(port);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::rig::Rig;

    const IMR: u32 = 0x00;
    const EMR: u32 = 0x04;
    const RTSR: u32 = 0x08;
    const FTSR: u32 = 0x0C;
    const SWIER: u32 = 0x10;
    const PR: u32 = 0x14;

    fn made() -> Rig {
        Rig::new(ExternalInterrupts::default())
    }

    #[test]
    fn each_edge_of_each_line_requests_at_its_output() {
        let names = ["exti0", "exti1", "exti2", "exti3", "exti4"];
        for line in 0..16 {
            for (rising, level) in [(true, 1), (false, 0)] {
                let mut rig = made();
                rig.input("port_b", (1 - level) << line).input("select1", 0x1111);
                for select in ["select2", "select3", "select4"] {
                    rig.input(select, 0x1111);
                }
                rig.write(IMR, 1 << line).write(if rising { RTSR } else { FTSR }, 1 << line);
                assert_eq!(rig.read(PR), 0);
                rig.input("port_a", 0xFFFF).input("port_a", 0);
                assert_eq!(rig.read(PR), 0, "another port");
                rig.input("port_b", level << line);
                assert_eq!(rig.read(PR), 1 << line);
                let name = match line {
                    0..=4 => names[line],
                    5..=9 => "exti9_5",
                    _ => "exti15_10",
                };
                for other in names.iter().chain(&["exti9_5", "exti15_10"]) {
                    assert_eq!(rig.output(other), u32::from(*other == name), "{line} {other}");
                }
                assert_eq!(rig.write(PR, 1 << line).output(name), 0);
            }
        }
    }

    #[test]
    fn a_masked_line_is_not_remembered() {
        let mut rig = made();
        rig.write(RTSR, 1).input("port_a", 1).write(IMR, 1);
        assert_eq!((rig.read(PR), rig.output("exti0")), (0, 0));
    }

    #[test]
    fn software_requests_once_until_the_request_is_cleared() {
        let mut rig = made();
        rig.write(IMR, 0x20).write(SWIER, 0x60);
        assert_eq!((rig.read(PR), rig.output("exti9_5"), rig.read(SWIER)), (0x20, 1, 0x60));
        rig.write(PR, 0x20).write(SWIER, 0x40);
        assert_eq!((rig.read(PR), rig.read(SWIER)), (0, 0x40));
        assert_eq!(rig.write(SWIER, 0x20).read(PR), 0x20);
    }

    #[test]
    fn events_last_until_the_core_takes_them_and_leave_no_request() {
        let mut rig = made();
        rig.write(EMR, 1).write(RTSR, 1).write(FTSR, 1);
        rig.at(3).input("port_a", 1).at(5).acknowledge("event").at(9).input("port_a", 0);
        assert_eq!(rig.changes("event"), [(0, 0), (3, 1), (5, 0), (9, 1)]);
        assert_eq!((rig.read(PR), rig.output("exti0")), (0, 0));
    }

    #[test]
    fn lines_behind_the_pins() {
        let mut rig = made();
        rig.write(IMR, !0).write(RTSR, !0).input("line16", 1).input("line17", 1);
        assert_eq!((rig.output("line16"), rig.output("line17")), (1, 1));
        assert_eq!((rig.read(IMR), rig.read(PR)), (LINES, 3 << 16));
    }
}
