//! How a channel counts: edges of its clock, and what happens where the counter comes to a register.

use super::{Channel, Pin, COMPARE_A, COMPARE_B, COMPARE_C, INVERTED_CLOCK, OVERFLOW, REVOLUTION};
use crate::time::Cycle;

/// MCK cycles of a clock edge, by TCCLKS.
pub(super) const DIVIDERS: [Cycle; 5] = [2, 8, 32, 128, 1024];

// Bits of CMR: of both modes, and of waveform mode.
const RESET_BY_C: u32 = 1 << 14;
const STOP_BY_C: u32 = 1 << 6;
const DISABLE_BY_C: u32 = 1 << 7;

/// Arrivals after which a channel has shown all that it will ever do by itself.
const ARRIVALS: usize = 16;

impl Channel {
    pub(super) fn runs(&self) -> bool {
        self.enabled && self.started && !self.halted
    }

    fn divider(&self) -> Option<Cycle> {
        DIVIDERS.get(self.mode as usize & 7).copied()
    }

    /// Cycles by which edges of the internal clock come before multiples of the divider: inverted, half
    /// way between.
    fn edges_ahead(&self, divider: Cycle) -> Cycle {
        if self.mode & INVERTED_CLOCK != 0 {
            divider / 2
        } else {
            0
        }
    }

    /// Edges of the internal clock from cycle 0 up to and with a cycle.
    fn edges(&self, divider: Cycle, cycle: Cycle) -> Cycle {
        (cycle + self.edges_ahead(divider)) / divider
    }

    /// Lets time pass up to and with `to`.
    pub fn advance(&mut self, to: Cycle) {
        let from = std::mem::replace(&mut self.at, to);
        let Some(divider) = self.divider().filter(|_| self.runs()) else { return };
        self.count_edges(self.edges(divider, to) - self.edges(divider, from));
    }

    /// When it next does by itself what is seen outside; `None` if it never will.
    pub fn next_change(&self) -> Option<Cycle> {
        let divider = self.divider().filter(|_| self.runs())?;
        let mut later = self.clone();
        let mut edges = 0;
        for _ in 0..ARRIVALS {
            let step = later.edges_to_arrival();
            edges += step;
            later.count_edges(step);
            if later.outputs != self.outputs || later.requests() != self.requests() {
                let last = (self.edges(divider, self.at) + edges) * divider;
                return Some(last - self.edges_ahead(divider));
            }
            if !later.runs() {
                break;
            }
        }
        None
    }

    /// Edges until the counter comes to a value at which something may happen.
    fn edges_to_arrival(&self) -> Cycle {
        if self.resets {
            return 1;
        }
        let ahead = |value: u32| match value.wrapping_sub(self.count) % REVOLUTION {
            0 => REVOLUTION,
            further => further,
        };
        let points = [self.registers[0], self.registers[1], self.registers[2], 0];
        points.into_iter().map(ahead).min().unwrap_or(REVOLUTION).into()
    }

    pub(super) fn count_edges(&mut self, edges: Cycle) {
        let mut left = edges;
        let period = Cycle::from(self.registers[2]);
        if self.mode & RESET_BY_C != 0 && period > 0 && left > 3 * Cycle::from(REVOLUTION) {
            // Whole periods alike: flags stay set, and pins do not move, or an event would have come.
            let whole = (left - 2 * Cycle::from(REVOLUTION)) / period;
            left -= whole * period;
        } else if left > 3 * Cycle::from(REVOLUTION) {
            left = left % Cycle::from(REVOLUTION) + 2 * Cycle::from(REVOLUTION);
        }
        while left > 0 && self.runs() {
            let step = self.edges_to_arrival();
            if step > left {
                self.count += left as u32;
                return;
            }
            left -= step;
            self.arrive(step as u32);
        }
    }

    /// The counter goes on by so many, to a value at which something may happen.
    fn arrive(&mut self, step: u32) {
        if std::mem::take(&mut self.resets) {
            self.count = 0;
        } else {
            self.count += step;
            if self.count == REVOLUTION {
                self.count = 0;
                self.flags |= OVERFLOW;
            }
        }
        let reaches_c = self.count == self.registers[2];
        if reaches_c && self.mode & RESET_BY_C != 0 {
            self.count = 0;
        }
        if self.is_waveform() {
            if self.count == self.registers[0] {
                self.flags |= COMPARE_A;
                self.act(Pin::A, self.mode >> 16);
            }
            if self.count == self.registers[1] && self.drives(Pin::B) {
                self.flags |= COMPARE_B;
                self.act(Pin::B, self.mode >> 24);
            }
        }
        if reaches_c {
            self.compare_c();
        }
    }

    /// The counter came to RC: its action on a pin goes before that of RA or RB.
    fn compare_c(&mut self) {
        self.flags |= COMPARE_C;
        if self.is_waveform() {
            self.act(Pin::A, self.mode >> 18);
            self.act(Pin::B, self.mode >> 26);
            if self.mode & STOP_BY_C != 0 {
                self.started = false;
            }
            if self.mode & DISABLE_BY_C != 0 {
                self.enabled = false;
            }
        }
    }
}
