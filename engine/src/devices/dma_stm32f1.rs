//! DMA controller of STM32F1 parts: seven channels. Follows ST's RM0041, chapter 9, as recalled.
//!
//! A transfer is a read and a write on the buses of the board. One is under way at a time. Then the channel of the
//! highest priority that has a request goes next.

mod channel;
#[cfg(test)]
mod tests;

use super::gate_stm32::Gate;
use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::{Abort, Access, Width};
use crate::device::{Device, Input, Port, Tag, Transfer};
use channel::{Channel, EN, TEIF};

const PART: &str = "dma_stm32f1";

const CHANNELS: usize = 7;
/// The next transfer may begin.
const NEXT: Tag = 0;

const HALTED: Input = 0;
const FIRST_REQUEST: Input = 1;

/// How a request behaves: it lasts until it is served, or it comes once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Level,
    Pulse,
}

use Kind::{Level, Pulse};

/// The requests, behind `halted`: their channel, from 0, and kind.
const REQUESTS: [(usize, Kind); 22] = [
    (0, Level), // adc1
    (0, Pulse), // timer2_ch3
    (0, Pulse), // timer4_ch1
    (1, Level), // usart3_tx
    (1, Pulse), // timer2_update
    (1, Pulse), // timer3_ch3
    (2, Level), // usart3_rx
    (2, Pulse), // timer3_ch4
    (2, Pulse), // timer3_update
    (3, Level), // usart1_tx
    (3, Pulse), // timer4_ch2
    (4, Level), // usart1_rx
    (4, Pulse), // timer2_ch1
    (4, Pulse), // timer4_ch3
    (5, Level), // usart2_rx
    (5, Pulse), // timer3_ch1
    (6, Level), // usart2_tx
    (6, Pulse), // timer2_ch2
    (6, Pulse), // timer2_ch4
    (6, Pulse), // timer4_update
    (1, Level), // spi1_rx
    (2, Level), // spi1_tx
];

/// Which half of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Read,
    Write(u32),
}

/// The device. A channel's `interrupt` is high while a flag of it is set and enabled.
#[derive(Clone, Debug, Default)]
pub struct Dma {
    gate: Gate,
    channels: [Channel; CHANNELS],
    /// ISR without the GIF bits: four bits of each channel.
    flags: u32,
    /// Lines that are high, and channels that remember a pulse.
    lines: u32,
    pulses: u32,
    active: Option<(usize, Phase)>,
    expected: bool,
}

impl Dma {
    /// Whether a channel has something to transfer.
    fn asks(&self, n: usize) -> bool {
        let lines = REQUESTS.iter().enumerate().filter(|(_, one)| one.0 == n);
        let mut high = lines.filter(|(line, _)| self.lines >> line & 1 != 0);
        let channel = &self.channels[n];
        channel.runs()
            && (channel.is_memory_to_memory() || self.pulses >> n & 1 != 0 || high.next().is_some())
    }

    /// Asks for the next transfer to begin a cycle from now.
    fn expect(&mut self, port: &mut Port) {
        if self.active.is_none() && !self.expected && (0..CHANNELS).any(|n| self.asks(n)) {
            self.expected = true;
            port.schedule(NEXT, port.now() + 1);
        }
    }

    /// Begins the transfer of the channel that goes first.
    fn begin(&mut self, port: &mut Port) {
        self.expected = false;
        if self.active.is_some() || self.gate.is_halted() {
            return;
        }
        let asking = (0..CHANNELS).filter(|n| self.asks(*n));
        // Of equal priorities the lower number.
        let Some(n) = asking.min_by_key(|n| (3 - self.channels[*n].priority(), *n)) else { return };
        self.pulses &= !(1 << n);
        self.active = Some((n, Phase::Read));
        let (address, width) = self.channels[n].source();
        self.access(n, Phase::Read, address, width, port);
    }

    fn access(&mut self, n: usize, phase: Phase, address: u32, width: Width, port: &mut Port) {
        let (tag, write) = match phase {
            Phase::Read => (2 * n as Tag, None),
            Phase::Write(value) => (2 * n as Tag + 1, Some(width.lanes(value))),
        };
        let access = Access::data(width);
        port.transfer(Transfer { tag, address, access, write, burst: phase != Phase::Read });
    }

    fn flag(&mut self, n: usize, flags: u32) {
        self.flags |= flags << (4 * n);
    }

    fn drive(&self, port: &mut Port) {
        for (n, channel) in self.channels.iter().enumerate() {
            let requests = self.flags >> (4 * n) & channel.control & 0xE;
            port.drive(n, u32::from(requests != 0));
        }
    }

    /// ISR: GIF is any of the others.
    fn status(&self) -> u32 {
        (0..CHANNELS)
            .fold(self.flags, |flags, n| flags | u32::from(flags >> (4 * n) & 0xE != 0) << (4 * n))
    }

    fn clear(&mut self, value: u32) {
        for n in 0..CHANNELS {
            let bits = value >> (4 * n) & 15;
            let bits = if bits & 1 != 0 { 15 } else { bits };
            self.flags &= !(bits << (4 * n));
        }
    }

    /// The channel of an offset, and which of its registers.
    fn place(offset: u32) -> Option<(usize, u32)> {
        let within = offset.checked_sub(8)?;
        let (n, register) = (within as usize / 20, within % 20);
        (n < CHANNELS && register < 16).then_some((n, register))
    }
}

impl Device for Dma {
    fn outputs(&self) -> &'static [&'static str] {
        &[
            "interrupt1",
            "interrupt2",
            "interrupt3",
            "interrupt4",
            "interrupt5",
            "interrupt6",
            "interrupt7",
        ]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &[
            "halted",
            "adc1",
            "timer2_ch3",
            "timer4_ch1",
            "usart3_tx",
            "timer2_update",
            "timer3_ch3",
            "usart3_rx",
            "timer3_ch4",
            "timer3_update",
            "usart1_tx",
            "timer4_ch2",
            "usart1_rx",
            "timer2_ch1",
            "timer4_ch3",
            "usart2_rx",
            "timer3_ch1",
            "usart2_tx",
            "timer2_ch2",
            "timer2_ch4",
            "timer4_update",
            "spi1_rx",
            "spi1_tx",
        ]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::DMA, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Dma::default();
        port.cancel(NEXT);
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        if !self.gate.opens(PART, port) {
            return 0;
        }
        match (offset & !3, Self::place(offset)) {
            (0x00, _) => self.status(),
            (0x04, _) => 0,
            (_, Some((n, register))) => self.channels[n].read(register),
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    /// Its counts change by transfers.
    fn steady(&self, _offset: u32) -> bool {
        false
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        if !self.gate.opens(PART, port) {
            return;
        }
        match (offset & !3, Self::place(offset)) {
            (0x00, _) => {}
            (0x04, _) => self.clear(value),
            (_, Some((n, register))) => {
                if !self.channels[n].write(register, value) {
                    port.unmodelled("a register of dma_stm32f1 written while EN is set: it stays");
                }
            }
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
        self.expect(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.begin(port);
    }

    fn transferred(&mut self, _tag: Tag, answer: Result<u32, Abort>, port: &mut Port) {
        let Some((n, phase)) = self.active.take() else { return };
        match (answer, phase) {
            (Err(_), _) => {
                self.flag(n, TEIF);
                self.channels[n].control &= !EN;
            }
            (Ok(value), Phase::Read) if self.channels[n].control & EN != 0 => {
                let (address, width) = self.channels[n].destination();
                let phase = Phase::Write(value);
                self.active = Some((n, phase));
                return self.access(n, phase, address, width, port);
            }
            (Ok(_), Phase::Read) => {}
            (Ok(_), Phase::Write(_)) => {
                let (flags, block) = self.channels[n].step();
                self.flag(n, flags);
                if let Some(block) = block {
                    port.end_block(2 * n as Tag + 1, block);
                }
            }
        }
        self.drive(port);
        self.expect(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        if input == HALTED {
            if self.gate.change(level) {
                self.channels = [Channel::default(); CHANNELS];
                (self.flags, self.pulses) = (0, 0);
                self.drive(port);
            }
        } else {
            let line = input - FIRST_REQUEST;
            let (channel, kind) = REQUESTS[line];
            match (kind, level != 0) {
                (Pulse, true) if self.channels[channel].runs() => self.pulses |= 1 << channel,
                (Pulse, _) => {}
                (Level, true) => self.lines |= 1 << line,
                (Level, false) => self.lines &= !(1 << line),
            }
        }
        self.expect(port);
    }
}
