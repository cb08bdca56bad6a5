//! UART with 16-byte FIFOs, register compatible with the 16550, as in the LPC2000 parts
//! (fractional divider, transmit enable). Follows the LPC214x user manual (UM10139), UART0 chapter.
//!
//! A byte travels as one value, at the end of its frame. On `rxd`: bits 7:0 data, bit 8 parity error,
//! bit 9 framing error, bit 10 break; the sender paces one value per `frame_cycles`.

mod control;
mod interrupts;
mod line;
mod received;
mod receiver;
#[cfg(test)]
mod tests;
mod transmitter;

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Notice, Output, Port, Tag};
use crate::framing::Framing;
use crate::time::Cycle;
use line::{Line, SHORTEST_FRAME_CYCLES};
use received::{Character, Received};
use serde::Deserialize;
use std::collections::VecDeque;

const PART: &str = "uart_16550";

const TXD: Output = 0;
const FRAME_CYCLES: Output = 1;
const INTERRUPT: Output = 2;

const RXD: Input = 0;
const PCLK_DIVIDER: Input = 1;
const TXD_SELECTED: Input = 2;
const RXD_SELECTED: Input = 3;

/// The frame in the shift register ends.
const FRAME_END: Tag = 0;
/// The start-up delay of the transmit interrupt is over.
const HOLDING_EMPTY: Tag = 1;
/// The receive FIFO was left alone too long.
const TIME_OUT: Tag = 2;

const DEPTH: usize = 16;
const TRIGGERS: [usize; 4] = [1, 4, 8, 14];

const IER_RECEIVE: u32 = 1 << 0;
const IER_TRANSMIT: u32 = 1 << 1;
const IER_LINE: u32 = 1 << 2;
const FCR_ENABLE: u32 = 1 << 0;
const LCR_BREAK: u32 = 1 << 6;
const LCR_DIVISOR_ACCESS: u32 = 1 << 7;
const LSR_HOLDING_EMPTY: u32 = 1 << 5;
const LSR_TRANSMITTER_EMPTY: u32 = 1 << 6;
const TER_ENABLE: u32 = 1 << 7;

const IIR_NONE: u32 = 1;
const IIR_LINE: u32 = 3 << 1;
const IIR_RECEIVE: u32 = 2 << 1;
const IIR_TIME_OUT: u32 = 6 << 1;
const IIR_TRANSMIT: u32 = 1 << 1;

/// Keys of the UART in the board file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Whether `txd_selected` and `rxd_selected` are connected: while one is low its bytes are lost.
    /// Otherwise both pins always belong to the UART.
    #[serde(default)]
    pin_select_inputs: bool,
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct Uart {
    parameters: Parameters,
    pclk_divider: Cycle,
    txd_selected: bool,
    rxd_selected: bool,
    ier: u32,
    fcr: u32,
    lcr: u32,
    scr: u32,
    acr: u32,
    fdr: u32,
    ter: u32,
    divisor: u32,
    received: Received,
    timed_out: bool,
    holding: VecDeque<u8>,
    shifting: Option<u8>,
    /// Parts of a PCLK that the frames sent so far without a pause left over.
    remainder: u64,
    /// The transmit interrupt's latch.
    holding_empty: bool,
    /// The holding register held two characters at one time since it was last empty.
    held_two: bool,
    due: [Option<Cycle>; 3],
    /// Level of the interrupt output.
    interrupting: bool,
}

impl Uart {
    /// A UART in reset.
    pub fn new(parameters: Parameters) -> Self {
        let selected = !parameters.pin_select_inputs;
        Uart {
            parameters,
            pclk_divider: 1,
            txd_selected: selected,
            rxd_selected: selected,
            ier: 0,
            fcr: 0,
            lcr: 0,
            scr: 0,
            acr: 0,
            fdr: 0x10,
            ter: TER_ENABLE,
            divisor: 1,
            received: Received::default(),
            timed_out: false,
            holding: VecDeque::new(),
            shifting: None,
            remainder: 0,
            holding_empty: false,
            held_two: false,
            due: [None; 3],
            interrupting: false,
        }
    }

    fn fifo(&self) -> bool {
        self.fcr & FCR_ENABLE != 0
    }

    fn depth(&self) -> usize {
        if self.fifo() {
            DEPTH
        } else {
            1
        }
    }

    fn trigger(&self) -> usize {
        if self.fifo() {
            TRIGGERS[(self.fcr >> 6 & 3) as usize]
        } else {
            1
        }
    }

    fn set_due(&mut self, tag: Tag, at: Option<Cycle>, port: &mut Port) {
        if self.due[tag as usize] != at {
            self.due[tag as usize] = at;
            match at {
                Some(at) => port.schedule(tag, at),
                None => port.cancel(tag),
            }
        }
    }

    /// Lets happen what falls due up to now.
    fn settle(&mut self, port: &mut Port) {
        for tag in [FRAME_END, HOLDING_EMPTY, TIME_OUT] {
            let Some(at) = self.due[tag as usize].filter(|at| *at <= port.now()) else {
                continue;
            };
            self.due[tag as usize] = None;
            match tag {
                FRAME_END => self.end_frame(at, port),
                HOLDING_EMPTY => self.holding_empty = true,
                _ => self.timed_out = true,
            }
        }
    }
}

impl Device for Uart {
    fn outputs(&self) -> &'static [&'static str] {
        &["txd", "frame_cycles", "interrupt"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["rxd", "pclk_divider", "txd_selected", "rxd_selected"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::UART, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Uart::new(self.parameters.clone());
        [FRAME_END, HOLDING_EMPTY, TIME_OUT].into_iter().for_each(|tag| port.cancel(tag));
        self.drive_frame_cycles(port);
        port.drive(INTERRUPT, 0);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.settle(port);
        let value = match offset {
            0x00 if self.divisor_access() => self.divisor & 0xFF,
            0x00 => self.read_received(port),
            0x04 if self.divisor_access() => self.divisor >> 8,
            0x04 => self.ier,
            0x08 => self.read_iir(),
            0x0C => self.lcr,
            0x14 => self.read_lsr(),
            0x1C => self.scr,
            0x20 => self.acr,
            0x28 => self.fdr,
            0x30 => self.ter,
            _ => {
                no_register(PART, offset, port);
                0
            }
        };
        self.drive_interrupt(port);
        value
    }

    fn steady(&self, offset: u32) -> bool {
        match offset {
            0x14 => self.received.errors() == 0,
            0x0C | 0x1C | 0x28 | 0x30 => true,
            _ => false,
        }
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.settle(port);
        match offset {
            0x00 if self.divisor_access() => {
                self.divisor = self.divisor & 0xFF00 | value & 0xFF;
            }
            0x00 => self.write_holding(value as u8, port),
            0x04 if self.divisor_access() => {
                self.divisor = self.divisor & 0xFF | (value & 0xFF) << 8;
            }
            0x04 => self.write_ier(value, port),
            0x08 => self.write_fcr(value, port),
            0x0C => self.write_lcr(value, port),
            0x14 => {}
            0x1C => self.scr = value & 0xFF,
            0x20 => {
                self.acr = value & 6;
                if value != 0 {
                    port.unmodelled("auto-baud of uart_16550 (ACR): it never starts");
                }
            }
            0x28 => self.write_fdr(value, port),
            0x30 => {
                self.ter = value & TER_ENABLE;
                self.start_frame(None, port);
            }
            _ => no_register(PART, offset, port),
        }
        if matches!(offset, 0x00 | 0x04 | 0x0C | 0x28) {
            self.drive_frame_cycles(port);
        }
        self.drive_interrupt(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.settle(port);
        self.drive_interrupt(port);
    }

    fn notice(&self, output: Output) -> Notice {
        if output != TXD {
            return Notice::default();
        }
        Notice {
            shortest_cycles: SHORTEST_FRAME_CYCLES,
            under_way: self.due[FRAME_END as usize],
            ..Notice::default()
        }
    }

    fn framing(&self) -> Option<Framing> {
        Some(self.line().framing())
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        self.settle(port);
        match input {
            RXD => self.receive(level, port),
            PCLK_DIVIDER => {
                self.pclk_divider = Cycle::from(level.max(1));
                self.drive_frame_cycles(port);
            }
            TXD_SELECTED => self.txd_selected = level != 0,
            RXD_SELECTED => self.rxd_selected = level != 0,
            _ => {}
        }
        self.drive_interrupt(port);
    }
}
