//! A channel: compare with its output, or capture.

use super::counter::Shadowed;
use super::{Timer, DMA};
use crate::device::Port;

/// One channel; `mode` is its byte of CCMR1 or CCMR2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    /// Its half of CCMRx.
    pub mode: u32,
    /// CCRx.
    pub compare: Shadowed,
    /// OCxREF.
    pub level: bool,
}

impl Channel {
    pub fn is_input(&self) -> bool {
        self.mode & 3 != 0
    }

    pub fn is_output(&self) -> bool {
        !self.is_input()
    }

    /// OCxPE.
    pub fn preloads(&self) -> bool {
        self.is_output() && self.mode & 1 << 3 != 0
    }

    /// OCxM.
    fn action(&self) -> u32 {
        self.mode >> 4 & 7
    }

    /// Whether the count moves its output.
    pub fn moves_its_pin(&self) -> bool {
        self.is_output() && matches!(self.action(), 1..=3 | 6 | 7)
    }

    /// The count came to CCRx.
    pub fn matched(&mut self) {
        self.level = match self.action() {
            1 => true,
            2 => false,
            3 => !self.level,
            _ => self.level,
        };
    }

    /// Levels that follow from mode and count.
    pub fn settle(&mut self, count: u32, down: bool) {
        if self.is_input() {
            return;
        }
        // PWM mode 1 counting up is active below CCRx, counting down up to CCRx.
        let inside = if down { count <= self.compare.active } else { count < self.compare.active };
        self.level = match self.action() {
            4 => false,
            5 => true,
            6 => inside,
            7 => !inside,
            _ => self.level,
        };
    }

    /// Events that make one capture: ICxPSC.
    fn every(&self) -> u32 {
        1 << (self.mode >> 2 & 3)
    }
}

impl Timer {
    /// Pins have new levels: inputs may capture.
    pub(super) fn sample(&mut self, pins: u32, port: &mut Port) {
        let changed = pins ^ self.pins;
        self.pins = pins;
        for n in 0..4 {
            let channel = self.counter.channels[n];
            let enable = self.counter.enables >> (4 * n);
            let source = match channel.mode & 3 {
                1 => n,
                2 => n ^ 1,
                _ => continue,
            };
            let pin = self.parameters.pins[source];
            let rises = pins >> pin & 1 != 0;
            if enable & 1 != 0 && changed >> pin & 1 != 0 && rises == (enable & 2 == 0) {
                self.passed[n] += 1;
                if self.passed[n] >= channel.every() {
                    self.capture(n, port);
                }
            }
        }
    }

    /// A channel takes the count.
    pub(super) fn capture(&mut self, n: usize, port: &mut Port) {
        self.passed[n] = 0;
        self.counter.channels[n].compare.preload = self.counter.count;
        if self.flags & 2 << n != 0 {
            self.flags |= 1 << (9 + n);
        }
        self.flags |= 2 << n;
        if self.enables >> (9 + n) & 1 != 0 {
            port.send(DMA + 1 + n, 1);
        }
    }
}
