//! A timer as a circuit, clocked edge by edge, to compare with. Written from the data sheet alone: it has nothing of
//! the timer's own tables and shortcuts.

/// A timer with its prescaler.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    pub bits: u32,
    pub own_prescaler: bool,
    pub prescaler: u32,
    pub held: bool,
    pub halted: bool,
    pub wgm: u32,
    pub cs: u32,
    pub value: u32,
    pub down: bool,
    pub blocked: bool,
    pub compare: [u32; 3],
    pub buffer: [u32; 3],
    pub capture: u32,
    pub flags: u32,
    pub com: [u32; 3],
    pub pins: [bool; 3],
}

impl Reference {
    fn wide(&self) -> bool {
        self.bits == 16
    }

    fn max(&self) -> u32 {
        (1 << self.bits) - 1
    }

    fn top(&self) -> u32 {
        match (self.wide(), self.wgm) {
            (false, 2 | 5 | 7) | (true, 4 | 9 | 11 | 15) => self.compare[0],
            (true, 8 | 10 | 12 | 14) => self.capture,
            (true, 1 | 5) => 0xFF,
            (true, 2 | 6) => 0x1FF,
            (true, 3 | 7) => 0x3FF,
            _ => self.max(),
        }
    }

    pub fn top_is_capture(&self) -> bool {
        self.wide() && [8, 10, 12, 14].contains(&self.wgm)
    }

    fn is_fast(&self) -> bool {
        match self.wide() {
            false => [3, 7].contains(&self.wgm),
            true => [5, 6, 7, 14, 15].contains(&self.wgm),
        }
    }

    fn is_phase_correct(&self) -> bool {
        match self.wide() {
            false => [1, 5].contains(&self.wgm),
            true => [1, 2, 3, 10, 11].contains(&self.wgm),
        }
    }

    fn is_frequency_correct(&self) -> bool {
        self.wide() && [8, 9].contains(&self.wgm)
    }

    pub fn is_plain(&self) -> bool {
        !self.is_fast() && !self.is_phase_correct() && !self.is_frequency_correct()
    }

    fn ticks(&self) -> bool {
        let shared: [u32; 6] = [0, 0, 3, 6, 8, 10];
        let own: [u32; 8] = [0, 0, 3, 5, 6, 7, 8, 10];
        let shift =
            if self.own_prescaler { own[self.cs as usize] } else { shared[self.cs as usize] };
        let low = self.prescaler & ((1 << shift) - 1);
        self.cs != 0 && !self.held && !self.halted && low == 0
    }

    /// The pin of a channel: none while the port has it.
    pub fn pin(&self, channel: usize) -> Option<bool> {
        let toggles_a = match self.wide() {
            false => self.is_plain() || [5, 7].contains(&self.wgm),
            true => self.is_plain() || [9, 11, 14, 15].contains(&self.wgm),
        };
        let connected = match self.com[channel] {
            0 => false,
            1 if channel == 0 => toggles_a,
            1 => self.is_plain(),
            _ => true,
        };
        connected.then_some(self.pins[channel])
    }

    /// The level that a timer drives for the pin.
    pub fn driven(&self, channel: usize) -> u32 {
        self.pin(channel).map_or(0, |level| 2 + u32::from(level))
    }

    pub fn set_pin(&mut self, channel: usize, up: bool) {
        match self.com[channel] {
            1 => self.pins[channel] = !self.pins[channel],
            2 => self.pins[channel] = !up,
            3 => self.pins[channel] = up,
            _ => {}
        }
    }

    /// One edge of the I/O clock.
    pub fn edge(&mut self) {
        self.prescaler = if self.held { 0 } else { (self.prescaler + 1) & 0x3FF };
        if !self.ticks() {
            return;
        }
        let (value, top, blocked) = (self.value, self.top(), self.blocked);
        self.blocked = false;
        let fixed_top = !self.top_is_capture() && top != self.compare[0]
            || !matches!((self.wide(), self.wgm), (false, 2 | 5 | 7) | (true, 4 | 9 | 11 | 15))
                && !self.top_is_capture();
        let reached_top = value == top && (!blocked || fixed_top) && !self.down;
        let channels = if self.wide() { 3 } else { 2 };
        let matched: Vec<usize> =
            (0..channels).filter(|&x| !blocked && value == self.compare[x]).collect();
        let mut load = false;
        let mut restarted = false;
        if self.is_phase_correct() || self.is_frequency_correct() {
            if self.down && value == 0 {
                self.down = false;
                self.flags |= 1;
                load = self.is_frequency_correct();
                self.value = u32::from(top != 0);
            } else if !self.down && (reached_top || value == self.max()) {
                self.down = true;
                load = self.is_phase_correct();
                self.value = value.saturating_sub(1);
            } else if self.down {
                self.value = value - 1;
            } else {
                self.value = value + 1;
            }
        } else {
            restarted = reached_top || value == self.max();
            self.value = if restarted { 0 } else { value + 1 };
            load = restarted;
            let at_top = match self.wide() {
                false => self.wgm == 7,
                true => self.is_fast(),
            };
            let overflows = if at_top { reached_top } else { value == self.max() };
            self.flags |= u32::from(overflows);
        }
        if reached_top && self.top_is_capture() {
            self.flags |= 1 << 5;
        }
        for x in matched {
            self.flags |= 2 << x;
            let up = if self.is_phase_correct() || self.is_frequency_correct() {
                !self.down
            } else {
                true
            };
            self.set_pin(x, up);
        }
        if restarted && self.is_fast() {
            for x in 0..channels {
                match self.com[x] {
                    2 => self.pins[x] = true,
                    3 => self.pins[x] = false,
                    _ => {}
                }
            }
        }
        if load {
            self.compare = self.buffer;
        }
    }

    /// The CPU writes OCRnx at an edge.
    pub fn write_compare(&mut self, channel: usize, value: u32) {
        self.buffer[channel] = value;
        if self.is_plain() {
            self.compare[channel] = value;
        }
    }

    /// The CPU writes WGM at an edge.
    pub fn write_mode(&mut self, wgm: u32) {
        let reserved = match self.wide() {
            false => [4, 6].contains(&wgm),
            true => wgm == 13,
        };
        if reserved {
            return;
        }
        self.wgm = wgm;
        self.down &= self.is_phase_correct() || self.is_frequency_correct();
        if self.is_plain() {
            self.compare = self.buffer;
        }
    }
}
