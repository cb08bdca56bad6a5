//! USART of STM32F1 parts, value line, in its asynchronous mode. Follows ST's RM0041, chapter 23, as recalled.
//!
//! A character travels as one value, at the end of its frame. Bits 7:0 are the data. Bit 8 is a parity error, bit 9 a
//! framing error, bit 10 a break, bit 11 the ninth data bit.

mod line;
mod receiver;
#[cfg(test)]
mod tests;
mod transmitter;

use super::gate_stm32::Gate;
use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Notice, Output, Port, Tag};
use crate::framing::Framing;
use crate::time::Cycle;
use serde::Deserialize;

const PART: &str = "usart_stm32f1";

const TXD: Output = 0;
const FRAME_CYCLES: Output = 1;
const INTERRUPT: Output = 2;
const DMA_TRANSMIT: Output = 3;
const DMA_RECEIVE: Output = 4;

const RXD: Input = 0;
const HALTED: Input = 1;
const PCLK_DIVIDER: Input = 2;
const ALTERNATE: Input = 3;

/// The frame under way ends.
const FRAME_END: Tag = 0;
/// The line was idle for a frame.
const LINE_IDLE: Tag = 1;

// SR.
const PE: u32 = 1 << 0;
const FE: u32 = 1 << 1;
const ORE: u32 = 1 << 3;
const IDLE: u32 = 1 << 4;
const RXNE: u32 = 1 << 5;
const TC: u32 = 1 << 6;
const TXE: u32 = 1 << 7;
/// Flags that a read of SR and then of DR clears.
const BY_READING: u32 = PE | FE | ORE | IDLE;
// CR1.
const SBK: u32 = 1 << 0;
const RWU: u32 = 1 << 1;
const RE: u32 = 1 << 2;
const TE: u32 = 1 << 3;
const IDLEIE: u32 = 1 << 4;
const RXNEIE: u32 = 1 << 5;
const TCIE: u32 = 1 << 6;
const TXEIE: u32 = 1 << 7;
const PEIE: u32 = 1 << 8;
const PS: u32 = 1 << 9;
const PCE: u32 = 1 << 10;
const M: u32 = 1 << 12;
const UE: u32 = 1 << 13;
const OVER8: u32 = 1 << 15;
// CR3.
const EIE: u32 = 1 << 0;
const DMAR: u32 = 1 << 6;
const DMAT: u32 = 1 << 7;

// Bits of a value on the line.
const PARITY_ERROR: u32 = 1 << 8;
const FRAMING_ERROR: u32 = 1 << 9;
const BREAK: u32 = 1 << 10;
const NINTH: u32 = 1 << 11;

/// 9 bits (start, 7 data, a stop bit cut in half) of at least 8 clocks: no frame is shorter.
const SHORTEST_FRAME_CYCLES: Cycle = 72;

/// `[device.parameters]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The pin of its port that carries `txd`; the port's `alternate` says whether it does. Without it the line is free.
    tx_pin: Option<u32>,
}

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Usart {
    parameters: Parameters,
    gate: Gate,
    pclk_divider: Cycle,
    alternate: u32,
    divisor: u32,
    control: [u32; 3],
    guard: u32,
    /// Flags of SR but RXNE and TXE.
    flags: u32,
    /// SR was read: of its flags those that a read of DR clears, and whether a write of DR clears TC.
    seen: u32,
    received: Option<u32>,
    data: u32,
    waiting: Option<u32>,
    /// The frame under way: `None` on the line while it is the idle one behind TE.
    sending: Option<u32>,
    ends: Option<Cycle>,
}

impl Usart {
    /// A USART whose pins are these.
    pub fn new(parameters: Parameters) -> Result<Self, String> {
        if parameters.tx_pin.is_some_and(|pin| pin > 15) {
            return Err("`tx_pin` must be a pin from 0 to 15".to_owned());
        }
        Ok(Usart { parameters, ..Usart::default() })
    }

    fn is_on(&self, bits: u32) -> bool {
        self.control[0] & (bits | UE) == bits | UE
    }

    /// SR.
    fn status(&self) -> u32 {
        let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        self.flags | flag(self.received.is_some(), RXNE) | flag(self.waiting.is_none(), TXE)
    }

    /// After whatever happened: levels follow from the state.
    fn settle(&mut self, port: &mut Port) {
        let (status, control) = (self.status(), self.control[0]);
        let by_flag = [(IDLE, IDLEIE), (RXNE | ORE, RXNEIE), (TC, TCIE), (TXE, TXEIE), (PE, PEIE)];
        let mut requests = by_flag.iter().any(|(flag, on)| status & flag != 0 && control & on != 0);
        let by_dma = self.control[2] & (EIE | DMAR) == EIE | DMAR;
        requests |= by_dma && status & (FE | ORE) != 0;
        let on = self.is_on(0);
        port.drive(INTERRUPT, u32::from(on && requests));
        let asks = |flag: u32, bits: u32| on && self.control[2] & bits != 0 && status & flag != 0;
        port.drive(DMA_TRANSMIT, u32::from(self.is_on(TE) && asks(TXE, DMAT)));
        port.drive(DMA_RECEIVE, u32::from(asks(RXNE, DMAR)));
        port.drive(FRAME_CYCLES, u32::try_from(self.frame_cycles()).unwrap_or(u32::MAX));
    }

    /// Returns to the registers after reset; what the wires say stays.
    fn forget(&mut self, port: &mut Port) {
        *self = Usart {
            parameters: self.parameters.clone(),
            gate: self.gate,
            pclk_divider: self.pclk_divider,
            alternate: self.alternate,
            flags: TC,
            ..Usart::default()
        };
        [FRAME_END, LINE_IDLE].into_iter().for_each(|tag| port.cancel(tag));
        self.settle(port);
    }

    fn write_status(&mut self, value: u32) {
        self.flags &= value | !TC;
        if value & RXNE == 0 {
            self.received = None;
        }
    }

    fn write_control(&mut self, n: usize, value: u32, port: &mut Port) {
        let before = self.control[n];
        self.control[n] = value & [0xBFFF, 0x7F6F, 0x0FFF][n];
        let refused = [
            (0, RWU, "CR1: RWU, no character is filtered"),
            (1, 1 << 14, "CR2: LINEN, breaks stay characters"),
            (1, 1 << 11, "CR2: CLKEN, the line stays asynchronous"),
            (2, 3 << 8, "CR3: CTSE or RTSE, the lines do not hold each other"),
            (2, 1 << 5, "CR3: SCEN, no smartcard"),
            (2, 1 << 3, "CR3: HDSEL, the receiver has its own pin"),
            (2, 1 << 1, "CR3: IREN, the line is no infrared line"),
        ];
        for (_, _, text) in refused.iter().filter(|one| one.0 == n && value & one.1 != 0) {
            port.unmodelled(format!("{text} ({PART})"));
        }
        if n == 0 {
            self.switch(before, port);
        }
    }
}

impl Device for Usart {
    fn outputs(&self) -> &'static [&'static str] {
        &["txd", "frame_cycles", "interrupt", "dma_tx", "dma_rx"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["rxd", "halted", "pclk_divider", "alternate"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::USART, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Usart { parameters: self.parameters.clone(), pclk_divider: 1, ..Usart::default() };
        self.forget(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        if !self.gate.opens(PART, port) {
            return 0;
        }
        let value = match offset & !3 {
            0x00 => {
                self.seen = self.flags & (BY_READING | TC);
                self.status()
            }
            0x04 => self.read_data(),
            0x08 => self.divisor,
            at @ (0x0C | 0x10 | 0x14) => self.control[(at as usize - 0xC) / 4],
            0x18 => self.guard,
            _ => {
                no_register(PART, offset, port);
                0
            }
        };
        self.settle(port);
        value
    }

    /// A read of SR arms what a read of DR clears: again it changes nothing.
    fn steady(&self, offset: u32) -> bool {
        !self.gate.is_halted()
            && match offset & !3 {
                0x00 => self.seen == self.flags & (BY_READING | TC),
                at => at != 0x04,
            }
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        if !self.gate.opens(PART, port) {
            return;
        }
        let line = self.framing_now();
        match offset & !3 {
            0x00 => self.write_status(value),
            0x04 => self.write_data(value, port),
            0x08 => self.divisor = value & 0xFFFF,
            at @ (0x0C | 0x10 | 0x14) => self.write_control((at as usize - 0xC) / 4, value, port),
            0x18 => self.guard = value & 0xFFFF,
            _ => no_register(PART, offset, port),
        }
        if self.ends.is_some() && self.framing_now() != line {
            port.unmodelled(format!(
                "a new format or rate of {PART} in a frame: it ends as it began"
            ));
        }
        self.settle(port);
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        match tag {
            FRAME_END => self.end_frame(port),
            _ => self.flags |= IDLE,
        }
        self.settle(port);
    }

    fn notice(&self, output: Output) -> Notice {
        if output != TXD {
            return Notice::default();
        }
        let leaves = self.ends.zip(self.sending).filter(|_| self.reaches_pin());
        Notice { shortest_cycles: SHORTEST_FRAME_CYCLES, leaves, begins: true, ..Notice::default() }
    }

    fn framing(&self) -> Option<Framing> {
        (!self.gate.is_halted() && self.is_on(0)).then(|| self.framing_now())
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        match input {
            RXD => self.receive(level, port),
            HALTED => {
                if self.ends.is_some() && level != 0 {
                    port.unmodelled(format!("{PART} halted in a frame: the frame goes on"));
                }
                if self.gate.change(level) {
                    self.forget(port);
                }
            }
            PCLK_DIVIDER => self.pclk_divider = Cycle::from(level.max(1)),
            ALTERNATE => self.alternate = level,
            _ => {}
        }
        self.settle(port);
    }
}
