//! One channel: its registers, captures, triggers and its two pins. How it counts is in `counting`.

mod counting;

use crate::time::Cycle;
use counting::DIVIDERS;

/// Counts of a revolution.
const REVOLUTION: u32 = 1 << 16;

// Flags of SR that a read clears.
pub const OVERFLOW: u32 = 1 << 0;
pub const LOAD_OVERRUN: u32 = 1 << 1;
pub const COMPARE_A: u32 = 1 << 2;
pub const COMPARE_B: u32 = 1 << 3;
pub const COMPARE_C: u32 = 1 << 4;
pub const LOAD_A: u32 = 1 << 5;
pub const LOAD_B: u32 = 1 << 6;
pub const TRIGGERED: u32 = 1 << 7;

// Bits of CMR that both modes have.
const INVERTED_CLOCK: u32 = 1 << 3;
pub const BURST: u32 = 3 << 4;
const WAVEFORM: u32 = 1 << 15;
// Capture mode.
const STOP_BY_LOAD_B: u32 = 1 << 6;
const DISABLE_BY_LOAD_B: u32 = 1 << 7;
const TRIGGER_FROM_A: u32 = 1 << 10;
// Waveform mode.
const EVENT_TRIGGERS: u32 = 1 << 12;

/// A pin: of waveform mode A and B are outputs, else inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    A,
    B,
}

/// Of an external event (EEVT): what may cause it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    PinB,
    Clock(u32),
}

/// Whether `kind` selects an edge to this level: bit 0 selects rising edges, bit 1 falling ones.
fn edge_matches(kind: u32, level: bool) -> bool {
    kind & if level { 1 } else { 2 } != 0
}

/// The channel; see the file's head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    /// CMR.
    pub mode: u32,
    /// RA, RB and RC.
    pub registers: [u32; 3],
    /// Flags of SR.
    pub flags: u32,
    /// IMR.
    pub mask: u32,
    /// CV.
    pub count: u32,
    /// The clock is enabled: CLKSTA.
    pub enabled: bool,
    /// A trigger came since the clock was enabled or stopped.
    started: bool,
    /// The next edge of the clock brings 0 instead of one more.
    resets: bool,
    /// Levels that waveform mode gives its pins.
    pub outputs: [bool; 2],
    /// Levels from outside.
    pub inputs: [bool; 2],
    /// MCK is off for this channel.
    pub halted: bool,
    /// RA has been loaded since the last trigger or load of RB.
    loaded: bool,
    /// RA and RB hold what was not read.
    unread: [bool; 2],
    /// Edges up to and with this cycle have been counted.
    at: Cycle,
}

impl Channel {
    /// Whether the mode is that of waveforms.
    pub fn is_waveform(&self) -> bool {
        self.mode & WAVEFORM != 0
    }

    /// Whether pin B is an output: where it causes the external event it is not.
    pub fn drives(&self, pin: Pin) -> bool {
        self.is_waveform() && (pin == Pin::A || self.event_source() != Source::PinB)
    }

    /// The level of a pin.
    pub fn level(&self, pin: Pin) -> bool {
        if self.drives(pin) {
            self.outputs[pin as usize]
        } else {
            self.inputs[pin as usize]
        }
    }

    /// The external clock that it counts: 0 to 2, or none.
    pub fn external_clock(&self) -> Option<u32> {
        (self.mode & 7).checked_sub(DIVIDERS.len() as u32)
    }

    /// The source of waveform mode's external event.
    pub fn event_source(&self) -> Source {
        match self.mode >> 10 & 3 {
            0 => Source::PinB,
            n => Source::Clock(n - 1),
        }
    }

    /// Whether its interrupt is requested.
    pub fn requests(&self) -> bool {
        self.flags & self.mask != 0
    }

    /// An action on a pin: none, set, clear, toggle.
    fn act(&mut self, pin: Pin, action: u32) {
        let level = &mut self.outputs[pin as usize];
        *level = match action & 3 {
            0 => *level,
            1 => true,
            2 => false,
            _ => !*level,
        };
    }

    /// CCR is written: bit 0 enables the clock, 1 disables it and goes before, 2 triggers.
    pub fn control(&mut self, value: u32) {
        if value & 2 != 0 {
            (self.enabled, self.started) = (false, false);
        } else if value & 1 != 0 {
            self.enabled = true;
        }
        if value & 4 != 0 {
            self.software_trigger();
        }
    }

    /// SWTRG or SYNC.
    pub fn software_trigger(&mut self) {
        if self.is_waveform() {
            self.act(Pin::A, self.mode >> 22);
            self.act(Pin::B, self.mode >> 30);
        }
        self.trigger();
    }

    /// The counter starts, and is 0 from the next edge of its clock on.
    fn trigger(&mut self) {
        if self.enabled {
            (self.started, self.resets, self.loaded) = (true, true, false);
        }
    }

    /// An external clock has an edge.
    pub fn external_edge(&mut self, clock: u32, level: bool) {
        let counted = level != (self.mode & INVERTED_CLOCK != 0);
        if self.external_clock() == Some(clock) && counted && self.runs() {
            self.count_edges(1);
        }
        if self.is_waveform() && self.event_source() == Source::Clock(clock) {
            self.external_event(level);
        }
    }

    /// A pin has another level from outside.
    pub fn input(&mut self, pin: Pin, level: bool) {
        if std::mem::replace(&mut self.inputs[pin as usize], level) == level {
            return;
        }
        if !self.is_waveform() {
            if pin == Pin::A {
                self.capture(level);
            }
            let from = if self.mode & TRIGGER_FROM_A != 0 { Pin::A } else { Pin::B };
            if pin == from && edge_matches(self.mode >> 8 & 3, level) && self.enabled {
                self.flags |= TRIGGERED;
                self.trigger();
            }
        } else if pin == Pin::B && self.event_source() == Source::PinB {
            self.external_event(level);
        }
    }

    fn external_event(&mut self, level: bool) {
        if !edge_matches(self.mode >> 8 & 3, level) {
            return;
        }
        self.flags |= TRIGGERED;
        self.act(Pin::A, self.mode >> 20);
        self.act(Pin::B, self.mode >> 28);
        if self.mode & EVENT_TRIGGERS != 0 {
            self.trigger();
        }
    }

    /// An edge of TIOA in capture mode: RA is loaded first, then RB, in turn.
    fn capture(&mut self, level: bool) {
        if !self.runs() {
            return;
        }
        let (to_a, to_b) = (self.mode >> 16 & 3, self.mode >> 18 & 3);
        if self.loaded && edge_matches(to_b, level) {
            self.load(1, LOAD_B);
            self.loaded = false;
            if self.mode & STOP_BY_LOAD_B != 0 {
                self.started = false;
            }
            if self.mode & DISABLE_BY_LOAD_B != 0 {
                self.enabled = false;
            }
        } else if !self.loaded && edge_matches(to_a, level) {
            self.load(0, LOAD_A);
            self.loaded = true;
        }
    }

    fn load(&mut self, register: usize, flag: u32) {
        self.registers[register] = self.count;
        self.flags |= flag;
        if std::mem::replace(&mut self.unread[register], true) {
            self.flags |= LOAD_OVERRUN;
        }
    }

    /// RA, RB or RC.
    pub fn read_register(&mut self, register: usize) -> u32 {
        if let Some(unread) = self.unread.get_mut(register) {
            *unread = false;
        }
        self.registers[register]
    }

    /// The same; in capture mode RA and RB cannot be written.
    pub fn write_register(&mut self, register: usize, value: u32) {
        if self.is_waveform() || register == 2 {
            self.registers[register] = value & (REVOLUTION - 1);
        }
    }

    /// SR, whose flags are clear then.
    pub fn read_status(&mut self) -> u32 {
        let levels = u32::from(self.level(Pin::A)) << 17 | u32::from(self.level(Pin::B)) << 18;
        std::mem::take(&mut self.flags) | u32::from(self.enabled) << 16 | levels
    }
}
