//! One channel: counter, compares, captures, triggers and its two pins, edge by edge of its clock.

use crate::time::Cycle;

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
const RESET_BY_C: u32 = 1 << 14;
const WAVEFORM: u32 = 1 << 15;
// Capture mode.
const STOP_BY_LOAD_B: u32 = 1 << 6;
const DISABLE_BY_LOAD_B: u32 = 1 << 7;
const TRIGGER_FROM_A: u32 = 1 << 10;
// Waveform mode.
const STOP_BY_C: u32 = 1 << 6;
const DISABLE_BY_C: u32 = 1 << 7;
const EVENT_TRIGGERS: u32 = 1 << 12;

/// MCK cycles of a clock edge, by TCCLKS.
const DIVIDERS: [Cycle; 5] = [2, 8, 32, 128, 1024];

/// Arrivals after which a channel has shown all that it will ever do by itself.
const ARRIVALS: usize = 16;

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

/// A level as of a bit.
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

    fn runs(&self) -> bool {
        self.enabled && self.started && !self.halted
    }

    fn divider(&self) -> Option<Cycle> {
        DIVIDERS.get(self.mode as usize & 7).copied()
    }

    /// Edges of the internal clock up to and with a cycle. They stand at multiples of the divider from
    /// cycle 0; inverted, half way between.
    fn edges(&self, divider: Cycle, cycle: Cycle) -> Cycle {
        let ahead = if self.mode & INVERTED_CLOCK != 0 { divider / 2 } else { 0 };
        (cycle + ahead) / divider
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
                let ahead = if self.mode & INVERTED_CLOCK != 0 { divider / 2 } else { 0 };
                return Some(last - ahead);
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

    fn count_edges(&mut self, edges: Cycle) {
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
