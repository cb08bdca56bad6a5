//! Random programs on a timer and on the circuit that it must equal.

use super::reference::Reference;
use super::tests::*;
use crate::devices::rig::Rig;
use crate::time::Cycle;

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) as u32) % bound
    }
}

/// A timer, and the circuit that it must equal.
struct Pair {
    rig: Rig,
    circuit: Reference,
    control: [u32; 2],
    mask: u32,
    /// Levels of the circuit's interrupts and pins by output, as they changed.
    changes: Vec<Vec<(Cycle, u32)>>,
}

impl Pair {
    fn new(bits: u32, asynchronous: bool) -> Self {
        let circuit = Reference { bits, own_prescaler: asynchronous, ..Reference::default() };
        let changes = vec![vec![(0, 0)]; if bits == 16 { 8 } else { 5 }];
        Pair { rig: timer(bits, asynchronous), circuit, control: [0; 2], mask: 0, changes }
    }

    fn wide(&self) -> bool {
        self.circuit.bits == 16
    }

    fn note(&mut self, cycle: Cycle) {
        let flags: &[u32] = if self.wide() { &[0, 1, 2, 3, 5] } else { &[0, 1, 2] };
        let pins = if self.wide() { 3 } else { 2 };
        let interrupts = flags.iter().map(|bit| self.circuit.flags & self.mask & 1 << bit);
        let levels = interrupts.map(|level| u32::from(level != 0));
        let levels: Vec<u32> = levels.chain((0..pins).map(|x| self.circuit.driven(x))).collect();
        for (changes, level) in self.changes.iter_mut().zip(levels) {
            if changes.last().unwrap().1 != level {
                changes.push((cycle, level));
            }
        }
    }

    /// Passes cycles up to the one before `cycle`, whose edge belongs to an access.
    fn until(&mut self, cycle: Cycle) {
        for edge in self.rig.now() + 1..cycle {
            self.circuit.edge();
            self.note(edge);
        }
        self.rig.at(cycle);
    }

    /// The circuit's part of an access: its edge, then what was written.
    fn write(&mut self, offset: u32, value: u32) {
        let raised = std::mem::take(&mut self.circuit.flags);
        self.circuit.edge();
        let set = std::mem::replace(&mut self.circuit.flags, raised);
        self.rig.write(offset, value);
        let circuit = &mut self.circuit;
        match (offset, circuit.bits == 16) {
            (TIFR, _) => circuit.flags &= !value,
            (TIMSK, _) => self.mask = value,
            (TCCRA | TCCRB, wide) => {
                self.control[(offset - TCCRA) as usize] = value;
                let [a, b] = self.control;
                let high = if wide { b >> 3 & 3 } else { b >> 3 & 1 };
                circuit.write_mode(high << 2 | a & 3);
                circuit.cs = b & 7;
                for x in 0..if wide { 3 } else { 2 } {
                    circuit.com[x] = a >> (6 - 2 * x) & 3;
                }
                for x in 0..2 {
                    if offset == TCCRB && !wide && b << x & 0x80 != 0 && circuit.is_plain() {
                        circuit.set_pin(x, true);
                    }
                }
            }
            (TCNT, false) => (circuit.value, circuit.blocked) = (value, true),
            (OCRA | OCRB, false) => circuit.write_compare((offset - OCRA) as usize, value),
            _ => unreachable!("no access of these tests"),
        }
        self.circuit.flags |= set;
        self.note(self.rig.now());
    }

    /// Writes both bytes of a register of 16 bits, in two cycles.
    fn write_wide(&mut self, offset: u32, value: u32) {
        self.rig.write(offset + 1, value >> 8);
        self.circuit.edge();
        self.note(self.rig.now());
        self.rig.at(self.rig.now() + 1);
        self.circuit.edge();
        self.rig.write(offset, value & 0xFF);
        let circuit = &mut self.circuit;
        match offset {
            TCNTL => (circuit.value, circuit.blocked) = (value, true),
            ICRL if circuit.top_is_capture() => circuit.capture = value,
            ICRL => {}
            _ => circuit.write_compare(((offset - OCRAL) / 2) as usize, value),
        }
        self.note(self.rig.now());
    }

    /// A read sees what the edge of its cycle has left.
    fn read(&mut self, context: &str) {
        self.circuit.edge();
        self.note(self.rig.now());
        let seen = if self.wide() {
            let low = self.rig.read(TCNTL);
            low | self.rig.read(TCNTH) << 8
        } else {
            self.rig.read(TCNT)
        };
        assert_eq!(seen, self.circuit.value, "{context}: TCNT");
        assert_eq!(self.rig.read(TIFR), self.circuit.flags, "{context}: TIFR");
    }

    fn check_outputs(&self, context: &str) {
        for (name, changes) in self.rig.outputs().iter().zip(&self.changes) {
            // A count and a write at one edge leave one level.
            let mut settled: Vec<(Cycle, u32)> = Vec::new();
            for change in self.rig.changes(name) {
                settled.retain(|one| one.0 != change.0);
                if settled.last().is_none_or(|last| last.1 != change.1) {
                    settled.push(change);
                }
            }
            assert!(&settled == changes, "{context}: {name}");
        }
    }
}

/// A small value, one near the largest, or any.
fn value(random: &mut Random, bits: u32) -> u32 {
    let max = (1 << bits) - 1;
    match random.below(4) {
        0 | 1 => random.below(6),
        2 => max - random.below(4),
        _ => random.below(max + 1),
    }
}

fn compare_with_circuit(bits: u32, asynchronous: bool, seed: u64, reads: bool) {
    let mut pair = Pair::new(bits, asynchronous);
    let mut random = Random(seed);
    let context = format!("{bits} bits, own prescaler {asynchronous}, seed {seed}");
    for _ in 0..120 {
        let pause = [3, 40, 700, 5000][random.below(4) as usize];
        pair.until(pair.rig.now() + 1 + Cycle::from(random.below(pause)));
        let clocks = if asynchronous { 8 } else { 6 };
        match random.below(if reads { 10 } else { 8 }) {
            0 => pair.write(TCCRA, random.below(256) & if bits == 16 { 0xFF } else { 0xF3 }),
            1 => {
                let high = random.below(if bits == 16 { 4 } else { 2 }) << 3;
                let force = if bits == 8 { random.below(4) << 6 } else { 0 };
                pair.write(TCCRB, force | high | random.below(clocks));
            }
            2 => pair.write(TIMSK, random.below(256) & if bits == 16 { 0x2F } else { 7 }),
            3 => pair.write(TIFR, random.below(256)),
            4 | 5 if bits == 16 => {
                let registers = [TCNTL, ICRL, OCRAL, OCRAL + 2, OCRAL + 4];
                let register = registers[random.below(5) as usize];
                pair.write_wide(register, value(&mut random, 16));
            }
            4 => pair.write(TCNT, value(&mut random, 8)),
            5 => {
                let register = OCRA + random.below(2);
                pair.write(register, value(&mut random, 8));
            }
            6 => {
                // The prescaler is reset, or held, as GTCCR does it: at the edge of the write.
                let held = random.below(3) == 0;
                pair.circuit.edge();
                pair.rig.input("prescaler", 1);
                if !held {
                    pair.rig.input("prescaler", 0);
                }
                (pair.circuit.prescaler, pair.circuit.held) = (0, held);
                pair.note(pair.rig.now());
            }
            7 => {
                let halted = random.below(3) == 0;
                pair.circuit.edge();
                pair.rig.input("halted", halted.into());
                pair.circuit.halted = halted;
                pair.note(pair.rig.now());
            }
            _ => pair.read(&context),
        }
    }
    pair.until(pair.rig.now() + 1);
    pair.read(&context);
    pair.check_outputs(&context);
}

#[test]
fn timers_equal_a_circuit_that_is_clocked_edge_by_edge() {
    for seed in 0..150 {
        for (bits, asynchronous) in [(8, false), (8, true), (16, false)] {
            // Without reads of TIFRn, a timer hears of counts that nobody waits for by itself.
            compare_with_circuit(bits, asynchronous, seed, seed % 2 == 0);
        }
    }
}
