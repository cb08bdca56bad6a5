//! Timers of the ATmega640/1280/2560: Timer/Counter0 and 2 with 8 bits, 1, 3, 4 and 5 with 16.
//! Follows the data sheet (Atmel 2549), chapters 16, 17, 18 and 20.
//!
//! Cycle `k` of the board is the edge of the I/O clock that ends it. A write in cycle `k` acts at that edge, behind what
//! the timer counts there. A read in cycle `k` sees what the edge has left.

mod access;
#[cfg(test)]
mod circuit;
mod clock;
mod counter;
mod mode;
mod pins;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod silicon;
mod state;
#[cfg(test)]
mod tests;

use super::registers_atmega as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use crate::time::Cycle;
use clock::Clock;
use counter::{Counter, CHANNELS};
use mode::{Mode, Top};
use pins::Pins;
use serde::Deserialize;
use state::{flags, State};

const PART: &str = "timer_atmega";

/// Its keys in the board file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// 8 or 16.
    bits: u32,
    /// It has a prescaler of its own, with the divisions of Timer/Counter2, and ASSR.
    #[serde(default)]
    asynchronous: bool,
}

const INPUTS: &[&str] = &["prescaler", "halted", "stopped", "capture"];
const PRESCALER: Input = 0;
const HALTED: Input = 1;
const STOPPED: Input = 2;
const CAPTURE: Input = 3;

/// The next count that somebody hears of.
const NEXT: Tag = 0;
/// The edge on the capture pin has passed its synchroniser.
const CAPTURED: Tag = 1;

// Bits of TIFRn and TIMSKn. A channel x has OVERFLOW << 1 + x.
const OVERFLOW: u8 = 1 << 0;
const MATCH_A: u8 = 1 << 1;
const CAPTURE_FLAG: u8 = 1 << 5;
/// The flags in the order of their outputs.
const FLAGS: [u8; 5] = [OVERFLOW, MATCH_A, MATCH_A << 1, MATCH_A << 2, CAPTURE_FLAG];

/// Divisions by CS2:0 behind the shared prescaler; 0: none.
const SHARED: [Cycle; 6] = [0, 1, 8, 64, 256, 1024];
/// The same of Timer/Counter2.
const OWN: [Cycle; 8] = [0, 1, 8, 32, 64, 128, 256, 1024];

/// Cycles from an edge on the capture pin to the capture, and those of the noise canceler.
const CAPTURE_CYCLES: Cycle = 3;
const CANCELER_CYCLES: Cycle = 4;

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct Timer {
    parameters: Parameters,
    clock: Clock,
    state: State,
    mask: u8,
    /// TIFRn was read: the program hears of flags by itself.
    polled: bool,
    control: [u8; 2],
    /// The high byte of a 16-bit access under way.
    temporary: u8,
    capture_level: bool,
    /// When an edge on the capture pin has passed its synchroniser.
    captures: Option<Cycle>,
    /// ASSR.
    assr: u8,
}

impl Timer {
    /// A timer of this width.
    ///
    /// # Errors
    /// A clause, if there is none of so many bits.
    pub fn new(parameters: Parameters) -> Result<Self, String> {
        if ![8, 16].contains(&parameters.bits) {
            return Err(format!("`bits` is {}: a timer has 8 or 16", parameters.bits));
        }
        Ok(Self::made(parameters))
    }

    fn made(parameters: Parameters) -> Self {
        let wide = parameters.bits == 16;
        let (max, channels) = if wide { (0xFFFF, 3) } else { (0xFF, 2) };
        let plain = mode::OF_8_BITS[0].map(|mode| Mode { top: Top::Fixed(max), ..mode });
        let plain = plain.expect("the first mode is there");
        let counter = Counter::new(plain, max, channels);
        let pins = Pins::default();
        Timer {
            parameters,
            clock: Clock::default(),
            state: State { counter, pins, flags: 0, edge: 0, raised: (0, 0) },
            mask: 0,
            polled: false,
            control: [0; 2],
            temporary: 0,
            capture_level: false,
            captures: None,
            assr: 0,
        }
    }

    fn is_wide(&self) -> bool {
        self.parameters.bits == 16
    }

    /// Flags that somebody hears of when they are set.
    fn heard(&self) -> u8 {
        let wanted = if self.polled { !0 } else { self.mask };
        wanted & !self.state.flags
    }

    /// Passes all edges up to this one.
    fn pass(&mut self, edge: Cycle) {
        if let Some(at) = self.captures.filter(|at| *at <= edge) {
            self.captures = None;
            self.state.pass(&self.clock, at - 1);
            let value = self.state.counter.value;
            self.state.pass(&self.clock, at);
            self.capture(value, at);
        }
        self.state.pass(&self.clock, edge);
    }

    /// Schedules the next count that anybody hears of, and drives the outputs.
    fn settle(&mut self, port: &mut Port) {
        match self.next_heard() {
            Some(at) => port.schedule(NEXT, at),
            None => port.cancel(NEXT),
        }
        match self.captures {
            Some(at) => port.schedule(CAPTURED, at),
            None => port.cancel(CAPTURED),
        }
        let outputs = if self.is_wide() { 5 } else { 3 };
        for (output, flag) in FLAGS.into_iter().enumerate().take(outputs) {
            port.drive(output, u32::from(self.state.flags & self.mask & flag != 0));
        }
        let State { counter, pins, .. } = &self.state;
        for channel in 0..counter.channels {
            port.drive(outputs + channel, pins.driven(channel, &counter.mode));
        }
    }

    /// The edge of the next count that sets a flag that is heard of, or may change a pin.
    fn next_heard(&self) -> Option<Cycle> {
        let heard = self.heard();
        let pins = self.state.pins.is_used(&self.state.counter.mode);
        if !self.clock.runs() || heard == 0 && !pins {
            return None;
        }
        let mut state = self.state.clone();
        let mut counts = 0;
        // Within a few ways up or down, everything happens that can happen.
        for _ in 0..4 * (CHANNELS + 2) {
            let next = state.counter.to_next();
            state.counter.step(next - 1);
            let count = state.counter.count();
            counts += next;
            let any = count.matched.contains(&true) || count.restarted;
            if flags(&count, &state.counter) & heard != 0 || pins && any {
                return Some(self.clock.edge(self.state.edge, counts));
            }
        }
        None
    }
}

impl Device for Timer {
    fn outputs(&self) -> &'static [&'static str] {
        if self.is_wide() {
            &["ovf", "compa", "compb", "compc", "capt", "oca", "ocb", "occ"]
        } else {
            &["ovf", "compa", "compb", "oca", "ocb"]
        }
    }

    fn inputs(&self) -> &'static [&'static str] {
        INPUTS
    }

    fn register(&self, offset: u32) -> Option<String> {
        let table: &[_] = match (self.is_wide(), self.parameters.asynchronous) {
            (true, _) => &registers::TIMER_16_BITS,
            (false, true) => &registers::TIMER_8_BITS,
            (false, false) => &registers::TIMER_8_BITS[..registers::TIMER_8_BITS.len() - 1],
        };
        registers::name(table, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Self::made(self.parameters);
        self.state.edge = port.now();
        self.clock.hold(false, port.now());
        self.settle(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.read_register(offset, port)
    }

    fn steady(&self, offset: u32) -> bool {
        // Behind a read of TIFRn, every flag that is set is an event.
        !access::is_count(offset, self.is_wide()) || !self.clock.runs()
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.write_register(offset, value as u8, port);
    }

    fn write_bits(&mut self, offset: u32, width: Width, mask: u32, value: u32, port: &mut Port) {
        let old = if access::acts_by_ones(offset) { 0 } else { self.read(offset, width, port) };
        self.write(offset, width, old & !mask | value, port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.pass(port.now());
        self.settle(port);
    }

    fn acknowledged(&mut self, output: Output, port: &mut Port) {
        self.pass(port.now());
        self.state.flags &= !FLAGS[output];
        self.settle(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        let (now, on) = (port.now(), level != 0);
        self.pass(now);
        match input {
            PRESCALER => self.clock.hold(on, now),
            HALTED => self.clock.halt(on),
            STOPPED => self.clock.stop(on, now),
            CAPTURE => self.sense(on, now),
            _ => {}
        }
        self.settle(port);
    }
}
