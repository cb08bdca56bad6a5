//! USART of the ATmega640/1280/2560, asynchronous modes.
//! Follows the data sheet (Atmel 2549), chapter 22.
//!
//! A character travels as one value, at the end of its frame. Bits 7:0 are the data. Bit 8 is a parity error, bit 9 a
//! framing error, bit 10 a break, bit 11 the ninth data bit.

mod receiver;
#[cfg(test)]
mod tests;
mod transmitter;

use super::no_register;
use super::registers_atmega as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Notice, Output, Port, Tag};
use crate::framing::{Framing, Parity};
use crate::time::Cycle;
use receiver::{Received, Receiver};

const PART: &str = "usart_atmega";

const TXD: Output = 0;
const FRAME_CYCLES: Output = 1;
const RECEIVED: Output = 2;
const EMPTY: Output = 3;
const COMPLETE: Output = 4;

const RXD: Input = 0;
const HALTED: Input = 1;

/// The transmit buffer passes its character to the shift register.
const LOAD: Tag = 0;
/// The frame in the shift register ends.
const FRAME_END: Tag = 1;

// Registers.
const UCSRA: u32 = 0;
const UCSRB: u32 = 1;
const UCSRC: u32 = 2;
const UBRRL: u32 = 4;
const UBRRH: u32 = 5;
const UDR: u32 = 6;

// UCSRnA.
const RXC: u8 = 1 << 7;
const TXC: u8 = 1 << 6;
const UDRE: u8 = 1 << 5;
const FE: u8 = 1 << 4;
const DOR: u8 = 1 << 3;
const UPE: u8 = 1 << 2;
const U2X: u8 = 1 << 1;
const MPCM: u8 = 1 << 0;
// UCSRnB.
const RXEN: u8 = 1 << 4;
const TXEN: u8 = 1 << 3;
const UCSZ2: u8 = 1 << 2;
const RXB8: u8 = 1 << 1;
const TXB8: u8 = 1 << 0;

// Bits of a value on the line.
const PARITY_ERROR: u32 = 1 << 8;
const FRAMING_ERROR: u32 = 1 << 9;
const BREAK: u32 = 1 << 10;
const NINTH: u32 = 1 << 11;

/// 7 bits of 8 cycles: no frame is shorter.
const SHORTEST_FRAME_CYCLES: Cycle = 56;

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Usart {
    /// U2Xn and MPCMn.
    speed: u8,
    control: u8,
    format: u8,
    divisor: u32,
    /// When the counter of the baud rate began anew.
    counted_from: Cycle,
    receiver: Receiver,
    /// The transmit buffer.
    buffer: Option<u16>,
    shifting: Option<u32>,
    ends: Option<Cycle>,
    complete: bool,
    halted: bool,
}

impl Usart {
    /// Cycles of one tick of the baud rate generator.
    fn tick_cycles(&self) -> Cycle {
        Cycle::from(self.divisor) + 1
    }

    fn bit_cycles(&self) -> Cycle {
        self.tick_cycles() * if self.speed & U2X != 0 { 8 } else { 16 }
    }

    fn framing_now(&self) -> Framing {
        let data_bits = match (self.control & UCSZ2 != 0, self.format >> 1 & 3) {
            (true, 3) => 9,
            (_, size) => 5 + u32::from(size),
        };
        let parity = match self.format >> 4 & 3 {
            2 => Parity::Even,
            3 => Parity::Odd,
            _ => Parity::Off,
        };
        let stop_half_bits = if self.format & 1 << 3 != 0 { 4 } else { 2 };
        Framing { bit_cycles: (self.bit_cycles(), 1), data_bits, parity, stop_half_bits }
    }

    fn frame_cycles(&self) -> Cycle {
        Cycle::from(self.framing_now().half_bits()) * self.bit_cycles() / 2
    }

    /// UCSRnA.
    fn status(&self) -> u8 {
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let first = self.receiver.first();
        self.speed
            | flag(first.is_some(), RXC)
            | flag(self.complete, TXC)
            | flag(self.buffer.is_none(), UDRE)
            | first.map_or(0, |first| first.errors)
    }

    /// After whatever happened: events and levels follow from the state.
    fn settle(&self, port: &mut Port) {
        let status = self.status();
        for (output, flag) in [(RECEIVED, RXC), (EMPTY, UDRE), (COMPLETE, TXC)] {
            let enabled = match flag {
                RXC => self.control & 1 << 7,
                TXC => self.control & 1 << 6,
                _ => self.control & 1 << 5,
            };
            port.drive(output, u32::from(status & flag != 0 && enabled != 0));
        }
        port.drive(FRAME_CYCLES, u32::try_from(self.frame_cycles()).unwrap_or(u32::MAX));
    }

    fn receive(&mut self, value: u32, port: &mut Port) {
        if self.control & RXEN == 0 {
            return;
        }
        if self.halted {
            return port.unmodelled("a character to usart_atmega without its clock: it is lost");
        }
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let errors = flag(value & (FRAMING_ERROR | BREAK) != 0, FE)
            | flag(value & PARITY_ERROR != 0 && self.format >> 5 & 1 != 0, UPE);
        let data = if value & BREAK != 0 { 0 } else { value & 0xFF | (value & NINTH) >> 3 };
        self.receiver.receive(Received { data: data as u16, errors }, DOR);
    }

    fn write_control(&mut self, value: u8, port: &mut Port) {
        self.control = value & !RXB8;
        if value & RXEN == 0 {
            self.receiver.flush();
        }
        if value & UCSZ2 != 0 && self.format >> 1 & 3 != 3 {
            port.unmodelled("UCSRnB: a reserved UCSZn, characters keep the bits of UCSZn1:0");
        }
    }
}

impl Device for Usart {
    fn outputs(&self) -> &'static [&'static str] {
        &["txd", "frame_cycles", "rx", "udre", "tx"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["rxd", "halted"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::USART, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        // 8 data bits.
        *self = Usart { format: 0x06, counted_from: port.now(), ..Usart::default() };
        [LOAD, FRAME_END].into_iter().for_each(|tag| port.cancel(tag));
        self.settle(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        let first = self.receiver.first().unwrap_or_default();
        let value = match offset {
            UCSRA => self.status(),
            UCSRB => self.control | u8::from(first.data >> 8 & 1 != 0) << 1,
            UCSRC => self.format,
            UBRRL => self.divisor as u8,
            UBRRH => (self.divisor >> 8) as u8,
            UDR => {
                self.receiver.take();
                self.settle(port);
                first.data as u8
            }
            _ => {
                no_register(PART, offset, port);
                0
            }
        };
        value.into()
    }

    fn steady(&self, offset: u32) -> bool {
        offset != UDR
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        let value = value as u8;
        let changes_line = matches!(offset, UCSRA | UCSRC | UBRRL | UBRRH);
        let line = self.framing_now();
        match offset {
            UCSRA => {
                self.speed = value & (U2X | MPCM);
                self.complete &= value & TXC == 0;
                if value & MPCM != 0 {
                    port.unmodelled("UCSRnA: MPCMn, no character is filtered");
                }
            }
            UCSRB => self.write_control(value, port),
            UCSRC => {
                self.format = value;
                if value & 0xC0 != 0 {
                    port.unmodelled("UCSRnC: a synchronous mode, the line stays asynchronous");
                }
            }
            UBRRL => {
                self.divisor = self.divisor & 0xF00 | u32::from(value);
                self.counted_from = port.now();
            }
            UBRRH => self.divisor = self.divisor & 0xFF | (u32::from(value) & 0xF) << 8,
            UDR => self.write_data(value, port),
            _ => no_register(PART, offset, port),
        }
        if changes_line && self.shifting.is_some() && self.framing_now() != line {
            port.unmodelled("a new format or rate of usart_atmega in a frame: it ends as it began");
        }
        self.settle(port);
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        match tag {
            LOAD => self.load(port),
            _ => self.end_frame(port),
        }
        self.settle(port);
    }

    fn acknowledged(&mut self, output: Output, port: &mut Port) {
        // The other two request as long as their cause is there.
        self.complete &= output != COMPLETE;
        self.settle(port);
    }

    fn notice(&self, output: Output) -> Notice {
        if output != TXD {
            return Notice::default();
        }
        let leaves = self.ends.zip(self.shifting);
        Notice { shortest_cycles: SHORTEST_FRAME_CYCLES, leaves, begins: true, ..Notice::default() }
    }

    fn framing(&self) -> Option<Framing> {
        (!self.halted).then(|| self.framing_now())
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        match input {
            RXD => self.receive(level, port),
            HALTED => {
                self.halted = level != 0;
                if self.halted && self.shifting.is_some() {
                    port.unmodelled("usart_atmega without its clock in a frame: the frame goes on");
                } else {
                    self.load(port);
                }
            }
            _ => {}
        }
        self.settle(port);
    }
}
