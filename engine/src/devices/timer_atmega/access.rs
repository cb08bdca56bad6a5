//! Registers of a timer, as the CPU accesses them.

use super::super::no_register;
use super::mode::{self, Top};
use super::{Timer, CANCELER_CYCLES, CAPTURE_CYCLES, CAPTURE_FLAG, OWN, PART, SHARED};
use crate::device::Port;
use crate::time::Cycle;

// Offsets: the flags and their mask, then the block that begins with TCCRnA.
const TIFR: u32 = 0x00;
const TIMSK: u32 = 0x01;
const TCCRA: u32 = 0x10;
const TCCRB: u32 = 0x11;
// Of 8 bits.
const TCNT: u32 = 0x12;
const OCRA: u32 = 0x13;
const OCRB: u32 = 0x14;
const ASSR: u32 = 0x16;
// Of 16 bits.
const TCCRC: u32 = 0x12;
const TCNTL: u32 = 0x14;
const TCNTH: u32 = 0x15;
const ICRL: u32 = 0x16;
const ICRH: u32 = 0x17;
const OCRAL: u32 = 0x18;
const OCRCH: u32 = 0x1D;

// Bits of TCCRnB.
const CANCELS_NOISE: u8 = 1 << 7;
const RISING: u8 = 1 << 6;
/// FOC0A and FOC0B of a timer of 8 bits.
const FORCES: u8 = 0xC0;
/// EXCLK and AS2.
const OTHER_CLOCKS: u8 = 0x60;

/// Whether the register at `offset` counts by itself.
pub fn is_count(offset: u32, wide: bool) -> bool {
    if wide {
        [TCNTL, ICRL].contains(&offset)
    } else {
        offset == TCNT
    }
}

/// Whether ones written to the register at `offset` act, and zeros do nothing.
pub fn acts_by_ones(offset: u32) -> bool {
    offset == TIFR
}

impl Timer {
    pub(super) fn read_register(&mut self, offset: u32, port: &mut Port) -> u32 {
        self.pass(port.now());
        let counter = &self.state.counter;
        let value = match (offset, self.is_wide()) {
            (TIFR, _) => {
                if !std::mem::replace(&mut self.polled, true) {
                    self.settle(port);
                }
                self.state.flags.into()
            }
            (TIMSK, _) => self.mask.into(),
            (TCCRA, _) => self.control[0].into(),
            (TCCRB, false) => (self.control[1] & !FORCES).into(),
            (TCCRB, true) => self.control[1].into(),
            (TCNT, false) => counter.value,
            (OCRA | OCRB, false) => counter.buffer[(offset - OCRA) as usize],
            (ASSR, false) if self.parameters.asynchronous => self.assr.into(),
            (TCCRC, true) => 0,
            (TCNTL, true) => self.latch(counter.value),
            (ICRL, true) => self.latch(counter.capture),
            (TCNTH | ICRH, true) => self.temporary.into(),
            (OCRAL..=OCRCH, true) => {
                let value = counter.buffer[((offset - OCRAL) / 2) as usize];
                value >> (8 * (offset & 1)) & 0xFF
            }
            _ => {
                no_register(PART, offset, port);
                0
            }
        };
        value.into()
    }

    /// The low byte of a value, whose high byte waits to be read.
    fn latch(&mut self, value: u16) -> u16 {
        self.temporary = (value >> 8) as u8;
        value & 0xFF
    }

    pub(super) fn write_register(&mut self, offset: u32, value: u8, port: &mut Port) {
        self.pass(port.now());
        let wide = u16::from(self.temporary) << 8 | u16::from(value);
        let is_wide = self.is_wide();
        let counter = &mut self.state.counter;
        match (offset, is_wide) {
            (TIFR, _) => {
                let (edge, raised) = self.state.raised;
                let kept = if edge == port.now() { raised } else { 0 };
                self.state.flags = self.state.flags & !value | kept;
            }
            (TIMSK, _) => self.mask = value & if is_wide { 0x2F } else { 0x07 },
            (TCCRA, _) => {
                self.control[0] = value;
                self.set_mode(port);
            }
            (TCCRB, _) => {
                self.control[1] = value;
                self.set_mode(port);
                self.select_clock(port);
                if !is_wide {
                    self.force(value);
                }
            }
            (TCCRC, true) => self.force(value),
            (TCNT, false) => counter.set_value(value.into()),
            (OCRA | OCRB, false) => counter.set_compare((offset - OCRA) as usize, value.into()),
            (ASSR, false) if self.parameters.asynchronous => {
                self.assr = value & OTHER_CLOCKS;
                if self.assr != 0 {
                    port.unmodelled("ASSR: the timer keeps the I/O clock, others are not modelled");
                }
            }
            (TCNTL, true) => counter.set_value(wide),
            (ICRL, true) if counter.mode.top == Top::Capture => counter.capture = wide,
            // Without ICRn as TOP it is read only.
            (ICRL, true) => {}
            (TCNTH | ICRH, true) => self.temporary = value,
            (OCRAL..=OCRCH, true) if offset & 1 != 0 => self.temporary = value,
            (OCRAL..=OCRCH, true) => counter.set_compare(((offset - OCRAL) / 2) as usize, wide),
            _ => no_register(PART, offset, port),
        }
        self.settle(port);
    }

    /// COMnx and WGMn, of both control registers.
    fn set_mode(&mut self, port: &mut Port) {
        let [a, b] = self.control;
        let modes: &[_] = if self.is_wide() { &mode::OF_16_BITS } else { &mode::OF_8_BITS };
        let high = if self.is_wide() { b >> 3 & 3 } else { b >> 3 & 1 };
        match modes[usize::from(high << 2 | a & 3)] {
            Some(mode) => self.state.counter.set_mode(mode),
            None => port.unmodelled("TCCRnA and TCCRnB: a reserved WGM, the mode stays as it was"),
        }
        for channel in 0..self.state.counter.channels {
            self.state.pins.select[channel] = a >> (6 - 2 * channel) & 3;
        }
    }

    /// CS2:0 of TCCRnB.
    fn select_clock(&mut self, port: &mut Port) {
        let select = usize::from(self.control[1] & 7);
        let divider = match (self.parameters.asynchronous, select) {
            (true, _) => OWN[select],
            (false, 6 | 7) => {
                port.unmodelled("TCCRnB: a clock from the pin Tn, the timer stands still");
                0
            }
            (false, _) => SHARED[select],
        };
        self.clock.select(divider);
    }

    /// FOCnx: the pins behave as after a match, in the modes without PWM.
    fn force(&mut self, bits: u8) {
        let mode = self.state.counter.mode;
        if mode.slope != mode::Slope::Plain {
            return;
        }
        for channel in 0..self.state.counter.channels {
            if bits << channel & 0x80 != 0 {
                self.state.pins.compare(channel, false, &mode);
            }
        }
    }

    /// The capture pin has a new level.
    pub(super) fn sense(&mut self, level: bool, edge: Cycle) {
        let changed = std::mem::replace(&mut self.capture_level, level) != level;
        let is_edge = level == (self.control[1] & RISING != 0);
        let canceled = self.control[1] & CANCELS_NOISE != 0;
        if changed && is_edge {
            let delay = CAPTURE_CYCLES + Cycle::from(canceled) * CANCELER_CYCLES;
            self.captures = Some(edge + delay);
        } else if changed && canceled {
            self.captures = None;
        }
    }

    /// Keeps this count: that before the edge at which the capture happens.
    pub(super) fn capture(&mut self, value: u16, edge: Cycle) {
        if self.state.counter.mode.top == Top::Capture {
            return;
        }
        self.state.counter.capture = value;
        self.state.flags |= CAPTURE_FLAG;
        self.state.raised = (edge, self.state.raised.1 | CAPTURE_FLAG);
    }
}
