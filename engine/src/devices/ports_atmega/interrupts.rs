//! External interrupts INT7:0 and pin change interrupts PCINT23:0.

/// Ports of INT7:0 by their first four and last four: PD3:0, PE7:4.
const EXTERNAL_PORTS: [usize; 2] = [3, 4];

/// Port and bit behind each bit of PCMSK0 to 2 (section 13.3): PB7:0; PE0 and PJ6:0; PK7:0.
const CHANGE_PINS: [[(usize, usize); 8]; 3] = [
    [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7)],
    [(4, 0), (8, 0), (8, 1), (8, 2), (8, 3), (8, 4), (8, 5), (8, 6)],
    [(9, 0), (9, 1), (9, 2), (9, 3), (9, 4), (9, 5), (9, 6), (9, 7)],
];

/// EICRA and EICRB as one, EIMSK, EIFR; PCICR, PCMSK2:0, PCIFR; and the levels seen last.
#[derive(Clone, Debug, Default)]
pub struct Interrupts {
    pub sense: u16,
    pub mask: u8,
    pub flags: u8,
    pub change_enable: u8,
    pub change_masks: [u8; 3],
    pub change_flags: u8,
    external: u8,
    changes: [u8; 3],
}

impl Interrupts {
    /// ISCn1:0.
    fn sense_of(&self, n: usize) -> u16 {
        self.sense >> (2 * n) & 3
    }

    /// Whether a change on a port matters to INTn.
    pub fn hears_external(&self, port: usize) -> bool {
        EXTERNAL_PORTS.contains(&port) && (self.sense != 0 || self.mask != 0)
    }

    /// Whether a change on a port matters to PCINTn.
    pub fn hears_changes(&self, port: usize) -> bool {
        let in_group = |n: usize| CHANGE_PINS[n].iter().any(|pin| pin.0 == port);
        (0..3).any(|n| self.change_masks[n] != 0 && in_group(n))
    }

    /// The synchroniser shows these levels to INTn: edges set their flags. Without the I/O clock, INT7:4 sense no
    /// edge.
    pub fn see_external(&mut self, levels: impl Fn(usize) -> u8, clocked: bool) {
        let seen = levels(EXTERNAL_PORTS[0]) & 0x0F | levels(EXTERNAL_PORTS[1]) & 0xF0;
        let before = std::mem::replace(&mut self.external, seen);
        for n in 0..8 {
            let (was, is) = (before >> n & 1 != 0, seen >> n & 1 != 0);
            let edge = match self.sense_of(n) {
                1 => was != is,
                2 => was && !is,
                3 => !was && is,
                _ => false,
            };
            if edge && (clocked || n < 4) {
                self.flags |= 1 << n;
            }
        }
    }

    /// The same to PCINTn: any change of a pin that is not masked sets the flag of its group.
    pub fn see_changes(&mut self, levels: impl Fn(usize) -> u8) {
        for (n, pins) in CHANGE_PINS.iter().enumerate() {
            let level = |bit: usize| levels(pins[bit].0) >> pins[bit].1 & 1;
            let seen = (0..8).fold(0, |seen, bit| seen | level(bit) << bit);
            let before = std::mem::replace(&mut self.changes[n], seen);
            if (before ^ seen) & self.change_masks[n] != 0 {
                self.change_flags |= 1 << n;
            }
        }
    }

    /// Whether INTn requests: by its flag, or while its pin is low.
    pub fn requests(&self, n: usize) -> bool {
        let low = self.sense_of(n) == 0 && self.external >> n & 1 == 0;
        self.mask >> n & 1 != 0 && (low || self.flags >> n & 1 != 0)
    }

    /// Whether PCINTn requests.
    pub fn change_requests(&self, n: usize) -> bool {
        self.change_enable & self.change_flags & 1 << n != 0
    }

    /// A pin that requests by its level has no flag (section 15.2.3).
    pub fn clear_levels(&mut self) {
        for n in (0..8).filter(|&n| self.sense_of(n) == 0).collect::<Vec<_>>() {
            self.flags &= !(1 << n);
        }
    }
}
