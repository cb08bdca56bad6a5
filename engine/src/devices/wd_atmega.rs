//! Watchdog of the ATmega640/1280/2560. Follows the data sheet (Atmel 2549), section 12.4.

use super::no_register;
use super::opened_atmega::Window;
use super::registers_atmega as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use crate::time::Cycle;

const PART: &str = "wd_atmega";

const INTERRUPT: Output = 0;
const RESET: Output = 1;
/// WDR, MCUSR.WDRF, and the core's clock.
const RESTART: Input = 0;
const FORCED: Input = 1;
const CORE_HZ: Input = 2;
const ENDS: Tag = 0;

// WDTCSR.
const WDIF: u8 = 1 << 7;
const WDIE: u8 = 1 << 6;
const WDP3: u8 = 1 << 5;
const WDCE: u8 = 1 << 4;
const WDE: u8 = 1 << 3;
const PRESCALE: u8 = WDP3 | 7;

const OSCILLATOR_HZ: u64 = 128_000;
/// The shortest time-out, in cycles of the oscillator, as a power of two; each WDP doubles it.
const SHORTEST_SHIFT: u32 = 11;
const LARGEST_PRESCALE: u8 = 9;

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Watchdog {
    /// WDIF, WDIE, WDE and WDP.
    control: u8,
    forced: bool,
    /// WDCE is set, and WDE and WDP may change.
    opened: Window,
    hz: u32,
    /// The time-out counts from this cycle on, at the clock of now. It may lie before power-on.
    since: i64,
    ends: Option<Cycle>,
}

impl Watchdog {
    /// Cycles of the core from a restart to the time-out.
    fn period(&self) -> Cycle {
        let prescale = (self.control & WDP3) >> 2 | self.control & 7;
        let ticks = 1_u64 << (SHORTEST_SHIFT + u32::from(prescale.min(LARGEST_PRESCALE)));
        (ticks * u64::from(self.hz)).div_ceil(OSCILLATOR_HZ).max(1)
    }

    fn runs(&self) -> bool {
        self.control & (WDE | WDIE) != 0
    }

    fn restart(&mut self, port: &Port) {
        self.since = port.now() as i64;
        self.expect(port.now());
    }

    /// Works out when the time-out comes.
    fn expect(&mut self, now: Cycle) {
        let ends = Cycle::try_from(self.since + self.period() as i64).unwrap_or(0);
        self.ends = self.runs().then(|| ends.max(now + 1));
    }

    fn settle(&self, port: &mut Port) {
        match self.ends {
            Some(at) => port.schedule(ENDS, at),
            None => port.cancel(ENDS),
        }
        let requests = self.control & WDIF != 0 && self.control & WDIE != 0;
        port.drive(INTERRUPT, requests.into());
    }

    fn write_control(&mut self, value: u8, port: &mut Port) {
        let open = self.opened.close(port.now());
        let ran = self.runs();
        let mut control = self.control & !(WDIE | WDIF & value) | value & WDIE;
        if value & (WDCE | WDE) == WDCE | WDE {
            self.opened.open(port.now());
        } else if open {
            control = control & !(WDE | PRESCALE) | value & (WDE | PRESCALE);
            if value & WDP3 != 0 && value & 7 > LARGEST_PRESCALE & 7 {
                port.unmodelled("WDTCSR: a reserved WDP, the time-out is the longest");
            }
        }
        control |= value & WDE;
        self.control = control | if self.forced { WDE } else { 0 };
        if ran {
            self.expect(port.now());
        } else {
            self.restart(port);
        }
    }
}

impl Device for Watchdog {
    fn outputs(&self) -> &'static [&'static str] {
        &["interrupt", "reset"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["restart", "forced", "core_hz"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::WATCHDOG, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Watchdog { hz: if port.now() > 0 { self.hz } else { 0 }, ..Watchdog::default() };
        self.settle(port);
        port.drive(RESET, 0);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        if offset != 0 {
            no_register(PART, offset, port);
            return 0;
        }
        let open = if self.opened.shows(port.now()) { WDCE } else { 0 };
        (self.control | open).into()
    }

    fn steady(&self, _offset: u32) -> bool {
        // WDCE goes without an event.
        !self.opened.may_close()
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        if offset != 0 {
            return no_register(PART, offset, port);
        }
        self.write_control(value as u8, port);
        self.settle(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        if self.control & WDIE != 0 {
            self.control |= WDIF;
            self.restart(port);
        } else {
            self.ends = None;
            port.drive(RESET, 1);
        }
        self.settle(port);
    }

    fn acknowledged(&mut self, _output: Output, port: &mut Port) {
        self.control &= !WDIF;
        if self.control & WDE != 0 {
            // Interrupt and system reset mode: the next time-out resets.
            self.control &= !WDIE;
        }
        self.settle(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        match input {
            RESTART if level != 0 => self.restart(port),
            FORCED => {
                self.forced = level != 0;
                if self.forced && self.control & WDE == 0 {
                    self.control |= WDE;
                    self.restart(port);
                }
            }
            CORE_HZ => {
                let now = port.now() as i64;
                let passed = i128::from(now - self.since) * i128::from(level);
                let passed = passed.checked_div(self.hz.into()).unwrap_or(0);
                (self.since, self.hz) = (now - i64::try_from(passed).unwrap_or(0), level);
                self.expect(port.now());
            }
            _ => {}
        }
        self.settle(port);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    fn rig() -> Rig {
        let mut rig = Rig::new(Watchdog::default());
        rig.input("core_hz", 16_000_000);
        rig
    }

    /// Opens WDTCSR and writes it two cycles later.
    fn set(rig: &mut Rig, value: u8) {
        rig.write(0, (WDCE | WDE).into());
        rig.at(rig.now() + 2).write(0, value.into());
    }

    #[test]
    fn a_time_out_resets_or_interrupts_after_its_ticks() {
        // Table 12-2: 2048 cycles of 128 kHz and their doubles, 256,000 cycles at 16 MHz.
        for (prescale, ticks) in
            [(0, 2048_u64), (1, 4096), (7, 262_144), (0x20, 524_288), (0x21, 1_048_576)]
        {
            let mut rig = rig();
            set(&mut rig, WDE | prescale);
            rig.at(ticks * 125);
            assert_eq!(rig.changes("reset"), [(0, 0), (ticks * 125, 1)]);
            let mut rig = self::rig();
            set(&mut rig, WDIE | prescale);
            rig.at(2 * ticks * 125);
            assert_eq!(rig.changes("interrupt"), [(0, 0), (ticks * 125, 1)]);
            assert_eq!(
                (rig.output("reset"), rig.acknowledge("interrupt").output("interrupt")),
                (0, 0)
            );
        }
    }

    #[test]
    fn both_modes_interrupt_first_and_reset_then() {
        let mut rig = rig();
        rig.write(0, (WDE | WDIE).into()).at(256_000);
        assert_eq!((rig.output("interrupt"), rig.output("reset")), (1, 0));
        assert_eq!(rig.read(0) as u8, WDIF | WDE | WDIE);
        assert_eq!(rig.acknowledge("interrupt").read(0) as u8, WDE);
        assert_eq!(rig.at(512_000).output("reset"), 1);
    }

    #[test]
    fn a_restart_begins_the_time_out_anew() {
        let mut rig = rig();
        rig.write(0, WDE.into()).at(255_999).input("restart", 1).input("restart", 0);
        assert_eq!((rig.at(511_998).output("reset"), rig.at(511_999).output("reset")), (0, 1));
    }

    #[test]
    fn it_is_switched_off_and_slowed_by_a_timed_sequence_alone() {
        for late in 1..8 {
            let mut rig = rig();
            rig.write(0, WDE.into()).at(100).write(0, (WDCE | WDE).into());
            assert_eq!(rig.at(100 + late - 1).read(0) as u8 & WDCE != 0, late <= 4);
            rig.at(100 + late).write(0, 0);
            assert_eq!(rig.read(0) as u8 & WDE != 0, late > 4);
            assert_eq!(rig.at(300_000).output("reset"), u32::from(late > 4));
        }
        let mut rig = rig();
        rig.write(0, (WDE | 5).into());
        assert_eq!(rig.read(0) as u8, WDE, "WDP needs the sequence, WDE set does not");
    }

    #[test]
    fn a_watchdog_reset_keeps_it_on_until_its_flag_is_cleared() {
        let mut rig = rig();
        rig.input("forced", 1);
        set(&mut rig, 0);
        assert_eq!(rig.read(0) as u8, WDE);
        rig.input("forced", 0);
        set(&mut rig, 0);
        assert_eq!((rig.read(0), rig.next_event()), (0, crate::time::NEVER));
    }

    #[test]
    fn its_time_does_not_follow_the_clock_of_the_core() {
        let mut rig = rig();
        rig.write(0, WDE.into()).at(128_000).input("core_hz", 1_000_000);
        assert_eq!(rig.next_event(), 128_000 + 8_000);
    }
}
