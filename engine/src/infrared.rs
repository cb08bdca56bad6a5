//! Characters as pulses of light (IrDA SIR): each bit 0 is one pulse, a bit 1 is dark.
//!
//! A receiver holds its line low for one of its bits from the beginning of each pulse, whoever sent it. So what
//! overlaps combines by OR of pulses. A UART behind it samples that line.

use crate::framing::{Framing, BREAK};
use crate::time::Attoseconds;

/// A pulse lasts 3/16 of its sender's bit.
const PULSE: (Attoseconds, Attoseconds) = (3, 16);

/// A character in the light, as it comes to one receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its sender, by its place on the channel, and how many characters that sent before.
    pub from: usize,
    /// See `from`.
    pub number: u64,
    /// When its start bit comes.
    pub starts: Attoseconds,
    /// When its stop bits are over.
    pub ends: Attoseconds,
    /// Attoseconds of a bit at the sender.
    pub bit_as: Attoseconds,
    /// The value that was sent.
    pub value: u32,
    /// Bits up to and with the stop bit.
    pub bits: usize,
    /// One bit for each of them: 1 is a pulse.
    pub pulses: u32,
}

/// The pulses of a value; a break is light in all bits.
pub fn pulses(framing: &Framing, value: u32) -> u32 {
    if value & BREAK != 0 {
        return (1 << framing.bits_to_stop()) - 1;
    }
    let bits = framing.bits(value).into_iter().enumerate();
    bits.fold(0, |pulses, (n, bit)| pulses | u32::from(!bit) << n)
}

/// Bit errors of one direction, drawn by a seed: the same for each character whatever else happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noise {
    seed: u64,
    /// A draw below this of 2^64 is an error; at a rate of 1 every draw is.
    below: u64,
    always: bool,
}

/// The finaliser of SplitMix64.
fn mixed(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

impl Noise {
    /// Errors from one line to another at a rate per bit. The names make each direction draw its own.
    pub fn new(seed: u64, from: &str, to: &str, rate: f64) -> Noise {
        let letters = from.bytes().chain([b' ']).chain(to.bytes());
        let seed = letters.fold(mixed(seed), |sum, letter| mixed(sum ^ u64::from(letter)));
        Noise { seed, below: (rate * 2f64.powi(64)) as u64, always: rate >= 1.0 }
    }

    /// The bits of a character that come out inverted.
    pub fn errors(&self, number: u64, bits: usize) -> u32 {
        if self.below == 0 {
            return 0;
        }
        let of_character = mixed(self.seed ^ mixed(number));
        let draw = |bit: usize| mixed(of_character.wrapping_add(bit as u64));
        let wrong = |bit: &usize| self.always || draw(*bit) < self.below;
        (0..bits).filter(wrong).fold(0, |errors, bit| errors | 1 << bit)
    }
}

/// The fate of a character at a receiver that did not send it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Its sender, by its place on the channel.
    pub from: usize,
    /// How many characters that sent before.
    pub number: u64,
    /// The receiver heard something else, or nothing.
    pub damaged: bool,
}

#[derive(Clone, Debug)]
struct Known {
    frame: Frame,
    /// Its end has been looked at.
    ended: bool,
    heard: bool,
    /// Its fate is noted.
    noted: bool,
}

/// The UART of a receiver: it looks again whenever a character in the light ends, or its own one would.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    /// Its place on the channel.
    own: usize,
    fates: Vec<Fate>,
    known: Vec<Known>,
    /// When it looked last.
    looked: Attoseconds,
    /// A start bit is looked for from here on.
    from: Attoseconds,
    /// The start bit of the character under way.
    edge: Option<Attoseconds>,
    /// When the character under way ends, if no light ends before.
    ends: Option<Attoseconds>,
}

impl Receiver {
    /// The receiver at a place on the channel.
    pub fn new(own: usize) -> Receiver {
        Receiver { own, ..Receiver::default() }
    }

    /// A character is on its way here.
    pub fn add(&mut self, frame: Frame) {
        self.known.push(Known { frame, ended: false, heard: false, noted: false });
    }

    /// When it looked last: what began before was known.
    pub fn looked(&self) -> Attoseconds {
        self.looked
    }

    /// When to look again, by what is known.
    pub fn next(&self) -> Option<Attoseconds> {
        let ends = self.known.iter().filter(|one| !one.ended).map(|one| one.frame.ends);
        ends.chain(self.ends).min()
    }

    /// Fates of characters of others, since the last call.
    pub fn take_fates(&mut self) -> Vec<Fate> {
        std::mem::take(&mut self.fates)
    }

    /// Looks at time `now`, at which all light is known that began before. The receiver frames characters as
    /// `framing` says, with so many attoseconds a bit; none: its clock is off. Returns what it received.
    pub fn look(&mut self, now: Attoseconds, framing: Option<(&Framing, Attoseconds)>) -> Vec<u32> {
        let mut values = Vec::new();
        (self.looked, self.ends) = (now, None);
        if let Some((framing, bit_as)) = framing {
            self.receive(now, framing, bit_as.max(1), &mut values);
        } else {
            (self.edge, self.from) = (None, now);
        }
        let kept_from = self.edge.unwrap_or(now);
        let stretched_as = framing.map_or(0, |(_, bit_as)| bit_as);
        for one in &mut self.known {
            let Frame { from, number, starts, ends, .. } = one.frame;
            one.ended |= ends <= now;
            let is_over = one.heard || one.ended && self.edge != Some(starts);
            if is_over && !std::mem::replace(&mut one.noted, true) && from != self.own {
                let damaged = !one.heard && framing.is_some();
                self.fates.push(Fate { from, number, damaged });
            }
        }
        self.known.retain(|one| {
            !one.ended || !one.noted || one.frame.ends.saturating_add(stretched_as) >= kept_from
        });
        values
    }

    fn receive(
        &mut self,
        now: Attoseconds,
        framing: &Framing,
        bit_as: Attoseconds,
        values: &mut Vec<u32>,
    ) {
        let line = Line::new(&self.known, bit_as);
        let stop_bit = framing.bits_to_stop() as Attoseconds - 1;
        loop {
            let edge = self.edge.or_else(|| line.falls(self.from)).filter(|edge| *edge < now);
            self.edge = edge;
            let Some(edge) = edge else { return };
            let middle = |bit: Attoseconds| edge + (2 * bit + 1) * bit_as / 2;
            if middle(stop_bit) >= now {
                let whole = Attoseconds::from(framing.half_bits()) * bit_as / 2;
                self.ends = Some((edge + whole).max(middle(stop_bit) + 1));
                return;
            }
            let sample = |bit: usize| !line.is_low(middle(bit as Attoseconds));
            let all_low = (0..=stop_bit as usize).all(|bit| !sample(bit));
            let value = if all_low { BREAK } else { framing.heard(&sample) };
            for one in &mut self.known {
                one.heard |= one.frame.starts == edge && one.frame.value == value;
            }
            values.push(value);
            (self.edge, self.from) = (None, middle(stop_bit));
        }
    }
}

/// A receiver's line: low for so long from each of these times on.
struct Line(Vec<(Attoseconds, Attoseconds)>);

impl Line {
    fn new(known: &[Known], bit_as: Attoseconds) -> Line {
        let mut low = Vec::new();
        for Known { frame, .. } in known {
            let lasts = bit_as.max(frame.bit_as * PULSE.0 / PULSE.1);
            let bits = (0..32).filter(|bit| frame.pulses >> bit & 1 != 0);
            low.extend(bits.map(|bit| (frame.starts + bit * frame.bit_as, lasts)));
        }
        low.sort_unstable();
        Line(low)
    }

    fn is_low(&self, at: Attoseconds) -> bool {
        self.0.iter().any(|&(from, lasts)| from <= at && at < from + lasts)
    }

    /// The first time from `from` on at which the line goes from high to low.
    fn falls(&self, from: Attoseconds) -> Option<Attoseconds> {
        let was_low = |at| self.0.iter().any(|&(low, lasts)| low < at && at <= low + lasts);
        self.0.iter().map(|low| low.0).find(|&at| at >= from && !was_low(at))
    }
}

#[cfg(test)]
mod tests;
