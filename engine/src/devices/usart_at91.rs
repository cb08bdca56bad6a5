//! USART of the AT91x40 parts, with its two channels of the peripheral data controller.
//! Follows the AT91X40 data sheet (Atmel 1354), USART chapter.
//!
//! A character travels as one value, at the end of its frame. Bits 7:0 are the data. Bit 8 is a parity error,
//! bit 9 a framing error, bit 10 a break, bit 11 the ninth data bit or the mark of an address.

mod control;
mod line;
mod pdc;
mod pin;
#[cfg(test)]
mod tests;
mod time_out;
mod transmitter;

use super::{no_register, registers};
use crate::bus::{Abort, Width};
use crate::device::{Device, Input, Notice, Output, Port, Tag};
use crate::framing::Framing;
use crate::time::Cycle;
use control::ChannelMode;
use line::Line;
use pdc::Channel;

const PART: &str = "usart_at91";

const TXD: Output = 0;
const FRAME_CYCLES: Output = 1;
const INTERRUPT: Output = 2;

const RXD: Input = 0;
const HALTED: Input = 1;

// Events, and transfers of the two channels.
/// The frame in the shift register ends, its time guard or a break's idle time included.
const FRAME_END: Tag = 0;
const TIME_OUT: Tag = 1;
const RECEIVE: Tag = 0;
const TRANSMIT: Tag = 1;

// CSR.
const RXRDY: u32 = 1 << 0;
const TXRDY: u32 = 1 << 1;
const RXBRK: u32 = 1 << 2;
const ENDRX: u32 = 1 << 3;
const ENDTX: u32 = 1 << 4;
const OVRE: u32 = 1 << 5;
const FRAME: u32 = 1 << 6;
const PARE: u32 = 1 << 7;
const TIMEOUT: u32 = 1 << 8;
const TXEMPTY: u32 = 1 << 9;
const ALL: u32 = 0x3FF;

// Bits of a value on the line.
const PARITY_ERROR: u32 = 1 << 8;
const FRAMING_ERROR: u32 = 1 << 9;
const BREAK: u32 = 1 << 10;
const NINTH: u32 = 1 << 11;

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Usart {
    mode: u32,
    /// When CHMODE became what it is.
    mode_since: Cycle,
    mask: u32,
    divisor: u32,
    /// RTOR and TTGR.
    time_out: u32,
    time_guard: u32,
    receives: bool,
    transmits: bool,
    halted: bool,
    /// RHR, and whether it holds what was not read: RXRDY.
    holding_received: u32,
    received: bool,
    /// Of CSR: what stays until it is reset.
    latched: u32,
    /// THR and the shift register.
    holding: Option<u32>,
    shifting: Option<u32>,
    /// The character in the shift register began on the pin, and so ends there.
    on_pin: bool,
    /// When the frame under way ends; the line is idle, but not free, from then to `FRAME_END`.
    ends: Option<Cycle>,
    /// The next character written is an address.
    addresses: bool,
    breaks: bool,
    /// When the time-out comes, and whether it waits for a first character.
    times_out: Option<Cycle>,
    awaits_first: bool,
    incoming: Channel,
    outgoing: Channel,
}

impl Usart {
    fn line(&self) -> Line {
        Line { mode: self.mode, divisor: self.divisor }
    }

    /// CSR.
    fn status(&self) -> u32 {
        let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        self.latched
            | flag(self.received, RXRDY)
            | flag(self.can_hold(), TXRDY)
            | flag(self.incoming.count == 0, ENDRX)
            | flag(self.outgoing.count == 0, ENDTX)
            | flag(self.is_transmitter_empty(), TXEMPTY)
    }

    /// A character arrives, from the line or from the own transmitter.
    fn receive(&mut self, value: u32, port: &mut Port) {
        if self.receives && self.halted {
            port.unmodelled("a character to usart_at91 without its clock: it is lost");
        }
        if !self.receives || self.halted {
            return;
        }
        for (bit, flag) in [(PARITY_ERROR, PARE), (FRAMING_ERROR, FRAME), (BREAK, RXBRK)] {
            self.latched |= if value & bit != 0 { flag } else { 0 };
        }
        if value & BREAK == 0 {
            let ninth = if value & NINTH != 0 { 1 << 8 } else { 0 };
            if self.line().is_multidrop() && ninth != 0 {
                self.latched |= PARE; // the mark of an address
            }
            self.latched |= if self.received { OVRE } else { 0 };
            self.holding_received = self.line().word(value & 0xFF | ninth);
            self.received = true;
        }
        self.character_came(port.now());
    }

    /// After whatever happened: transfers, levels and events follow from the state.
    fn settle(&mut self, port: &mut Port) {
        self.ask_transfers(port);
        port.drive(INTERRUPT, u32::from(self.status() & self.mask != 0));
        let frame = self.line().frame().unwrap_or(0);
        port.drive(FRAME_CYCLES, u32::try_from(frame).unwrap_or(u32::MAX));
        for (tag, at) in [(FRAME_END, self.ends), (TIME_OUT, self.times_out)] {
            match at {
                Some(at) => port.schedule(tag, at.max(port.now())),
                None => port.cancel(tag),
            }
        }
    }

    /// Lets happen what is due by now.
    fn catch_up(&mut self, port: &mut Port) {
        if self.ends.is_some_and(|at| at <= port.now()) {
            self.end_frame(port);
        }
        self.check_time_out(port.now());
    }
}

impl Device for Usart {
    fn outputs(&self) -> &'static [&'static str] {
        &["txd", "frame_cycles", "interrupt"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["rxd", "halted"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::USART, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Usart::default();
        self.settle(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.catch_up(port);
        let value = match offset {
            0x00 | 0x08 | 0x0C | 0x1C => 0,
            0x04 => self.mode,
            0x10 => self.mask,
            0x14 => self.status(),
            0x18 => {
                self.received = false;
                self.holding_received
            }
            0x20 => self.divisor,
            0x24 => self.time_out,
            0x28 => self.time_guard,
            0x30 => self.incoming.pointer,
            0x34 => self.incoming.count,
            0x38 => self.outgoing.pointer,
            0x3C => self.outgoing.count,
            _ => {
                no_register(PART, offset, port);
                0
            }
        };
        self.settle(port);
        value
    }

    fn steady(&self, offset: u32) -> bool {
        // A transfer changes status, pointers and counts, and is no event of this device.
        let moves = self.incoming.count > 0 || self.outgoing.count > 0;
        matches!(offset, 0x04 | 0x10 | 0x20..=0x28) || (offset == 0x14 && !moves)
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.catch_up(port);
        match offset {
            0x00 => self.write_control(value, port),
            0x04 => self.write_mode(value, port),
            0x08 => self.mask |= value & ALL,
            0x0C => self.mask &= !value,
            0x10 | 0x14 | 0x18 => {}
            0x1C => self.write_holding(value, port),
            0x20 => self.divisor = value & 0xFFFF,
            0x24 => self.time_out = value & 0xFF,
            0x28 => self.time_guard = value & 0xFF,
            0x30 => self.incoming.pointer = value,
            0x34 => self.incoming.begin_block(value, RECEIVE, port),
            0x38 => self.outgoing.pointer = value,
            0x3C => self.outgoing.begin_block(value, TRANSMIT, port),
            _ => no_register(PART, offset, port),
        }
        self.settle(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.catch_up(port);
        self.settle(port);
    }

    fn notice(&self, output: Output) -> Notice {
        self.notice_of(output)
    }

    fn framing(&self) -> Option<Framing> {
        self.line().framing()
    }

    fn transferred(&mut self, tag: Tag, answer: Result<u32, Abort>, port: &mut Port) {
        self.catch_up(port);
        self.moved(tag, answer, port);
        self.settle(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        self.catch_up(port);
        match (input, self.channel_mode()) {
            (HALTED, _) => {
                self.halted = level != 0;
                if self.halted && self.shifting.is_some() {
                    port.unmodelled("usart_at91 without its clock in a frame: the frame goes on");
                }
                self.start_frame(port);
            }
            (RXD, ChannelMode::LocalLoopback) => {}
            (RXD, ChannelMode::RemoteLoopback) => self.echo(level, port),
            (RXD, mode) => {
                if mode == ChannelMode::Echo {
                    self.echo(level, port);
                }
                self.receive(level, port);
            }
            _ => {}
        }
        self.settle(port);
    }
}
