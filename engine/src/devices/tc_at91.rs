//! Timer counter of the AT91x40 parts: three 16-bit channels that count, capture and make waveforms.
//! Follows the AT91X40 data sheet (Atmel 1354), TC chapter.

mod channel;
#[cfg(test)]
mod tests;

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use channel::{Channel, Pin, BURST};

const PART: &str = "tc_at91";

const CHANNELS: usize = 3;
const INTERRUPT: Output = 0;
/// TIOA0, TIOB0, TIOA1, …: outputs from here on, and inputs behind the three clocks.
const PINS: usize = CHANNELS;
/// Inputs that stop MCK of a channel.
const HALTED: Input = PINS + 2 * CHANNELS;

/// Channels that chain: more rounds than levels can run through all of them.
const MOST_ROUNDS: usize = 16;

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct TimerCounter {
    channels: [Channel; CHANNELS],
    /// BMR.
    block_mode: u32,
    /// TCLK0 to TCLK2.
    clocks: [bool; CHANNELS],
    /// External clocks XC0 to XC2 as the channels last saw them.
    seen: [bool; CHANNELS],
}

impl TimerCounter {
    /// The level of XC0, XC1 or XC2: of a pin, of none, or of TIOA of another channel.
    fn external_clock(&self, n: usize) -> bool {
        let others = [[1, 2], [0, 2], [0, 1]][n];
        match self.block_mode >> (2 * n) & 3 {
            0 => self.clocks[n],
            1 => false,
            chained => self.channels[others[chained as usize - 2]].level(Pin::A),
        }
    }

    /// Lets time pass up to the port's cycle.
    fn advance(&mut self, port: &Port) {
        self.channels.iter_mut().for_each(|one| one.advance(port.now()));
    }

    /// Edges of external clocks reach the channels; what those change reaches the others, and the world.
    fn settle(&mut self, port: &mut Port) {
        for _ in 0..MOST_ROUNDS {
            let levels: [bool; CHANNELS] = std::array::from_fn(|n| self.external_clock(n));
            let before = std::mem::replace(&mut self.seen, levels);
            let changed = (0..CHANNELS).filter(|&n| before[n] != levels[n]);
            let mut any = false;
            for n in changed {
                any = true;
                for one in &mut self.channels {
                    one.external_edge(n as u32, levels[n]);
                }
            }
            if !any {
                break;
            }
        }
        for (n, one) in self.channels.iter().enumerate() {
            port.drive(INTERRUPT + n, one.requests().into());
            for pin in [Pin::A, Pin::B] {
                let level = one.drives(pin) && one.level(pin);
                port.drive(PINS + 2 * n + pin as usize, level.into());
            }
            match one.next_change() {
                Some(at) => port.schedule(n as Tag, at),
                None => port.cancel(n as Tag),
            }
        }
    }

    fn write_channel(&mut self, n: usize, register: u32, value: u32, port: &mut Port) {
        let one = &mut self.channels[n];
        match register {
            0x00 => one.control(value),
            0x04 => {
                one.mode = value;
                if value & BURST != 0 {
                    port.unmodelled("TC_CMR with BURST: the clock is not gated");
                }
            }
            0x14 => one.write_register(0, value),
            0x18 => one.write_register(1, value),
            0x1C => one.write_register(2, value),
            0x24 => one.mask |= value & 0xFF,
            0x28 => one.mask &= !value,
            0x10 | 0x20 | 0x2C => {}
            _ => no_register(PART, register + 0x40 * n as u32, port),
        }
    }

    fn read_channel(&mut self, n: usize, register: u32, port: &mut Port) -> u32 {
        let one = &mut self.channels[n];
        match register {
            0x04 => one.mode,
            0x10 => one.count,
            0x14 => one.read_register(0),
            0x18 => one.read_register(1),
            0x1C => one.read_register(2),
            0x20 => one.read_status(),
            0x2C => one.mask,
            0x00 | 0x24 | 0x28 => 0,
            _ => {
                no_register(PART, register + 0x40 * n as u32, port);
                0
            }
        }
    }
}

impl Device for TimerCounter {
    fn outputs(&self) -> &'static [&'static str] {
        &[
            "interrupt0",
            "interrupt1",
            "interrupt2",
            "tioa0",
            "tiob0",
            "tioa1",
            "tiob1",
            "tioa2",
            "tiob2",
        ]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &[
            "tclk0", "tclk1", "tclk2", "tioa0", "tiob0", "tioa1", "tiob1", "tioa2", "tiob2",
            "halted0", "halted1", "halted2",
        ]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::TC, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = TimerCounter::default();
        self.settle(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.advance(port);
        let value = match offset {
            at @ 0x00..=0xBF => self.read_channel(at as usize / 0x40, at % 0x40, port),
            0xC0 => 0,
            0xC4 => self.block_mode,
            _ => {
                no_register(PART, offset, port);
                0
            }
        };
        self.settle(port);
        value
    }

    fn steady(&self, offset: u32) -> bool {
        // CV moves with time; a read of SR clears it, one of RA or RB ends an overrun.
        matches!(offset & 0x3C, 0x04 | 0x1C | 0x2C)
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.advance(port);
        match offset {
            at @ 0x00..=0xBF => self.write_channel(at as usize / 0x40, at % 0x40, value, port),
            0xC0 if value & 1 != 0 => self.channels.iter_mut().for_each(Channel::software_trigger),
            0xC0 => {}
            0xC4 => self.block_mode = value & 0x3F,
            _ => no_register(PART, offset, port),
        }
        self.settle(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.advance(port);
        self.settle(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        self.advance(port);
        let high = level != 0;
        match input {
            0..PINS => self.clocks[input] = high,
            PINS..HALTED => {
                let pin = if (input - PINS) % 2 == 0 { Pin::A } else { Pin::B };
                self.channels[(input - PINS) / 2].input(pin, high);
            }
            _ => self.channels[input - HALTED].halted = high,
        }
        self.settle(port);
    }
}
