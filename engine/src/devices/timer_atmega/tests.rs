//! Timers beside a model that is clocked edge by edge, and beside counts from the data sheet.

use super::reference::Reference;
use super::*;
use crate::devices::rig::Rig;

pub const TIFR: u32 = 0x00;
pub const TIMSK: u32 = 0x01;
pub const TCCRA: u32 = 0x10;
pub const TCCRB: u32 = 0x11;
pub const TCNT: u32 = 0x12;
pub const OCRA: u32 = 0x13;
pub const OCRB: u32 = 0x14;
// Of 16 bits.
const TCCRC: u32 = 0x12;
const TCNTL: u32 = 0x14;
const TCNTH: u32 = 0x15;
const ICRL: u32 = 0x16;
const ICRH: u32 = 0x17;
const OCRAL: u32 = 0x18;

/// A timer at cycle 0.
pub fn timer(bits: u32, asynchronous: bool) -> Rig {
    Rig::new(Timer::new(Parameters { bits, asynchronous }).unwrap())
}

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

#[test]
fn counts_come_at_every_phase_of_every_prescaler() {
    let shared: [(u32, Cycle); 5] = [(1, 1), (2, 8), (3, 64), (4, 256), (5, 1024)];
    let own: [(u32, Cycle); 7] = [(1, 1), (2, 8), (3, 32), (4, 64), (5, 128), (6, 256), (7, 1024)];
    for (bits, asynchronous, table) in
        [(8, false, &shared[..]), (8, true, &own), (16, false, &shared)]
    {
        let count = if bits == 16 { TCNTL } else { TCNT };
        for &(select, divider) in table {
            for phase in 0..1024 {
                let start = 5000 + phase;
                let mut rig = timer(bits, asynchronous);
                rig.at(start).write(TCCRB, select);
                // The first count comes 1 to N cycles behind the start, where the prescaler begins anew.
                let first = (start / divider + 1) * divider;
                assert!(first - start >= 1 && first - start <= divider);
                assert_eq!(rig.at(first - 1).read(count), 0, "clk/{divider}, phase {phase}");
                assert_eq!(rig.at(first).read(count), 1, "clk/{divider}, phase {phase}");
                assert_eq!(
                    rig.at(first + 9 * divider - 1).read(count),
                    9,
                    "clk/{divider}, phase {phase}"
                );
                assert_eq!(
                    rig.at(first + 9 * divider).read(count),
                    10,
                    "clk/{divider}, phase {phase}"
                );
            }
        }
    }
}

#[test]
fn a_reset_of_the_prescaler_sets_the_phase() {
    for phase in 0..64 {
        let mut rig = timer(8, false);
        rig.write(TCCRB, 3).at(640 + phase).input("prescaler", 1).input("prescaler", 0);
        let before = u32::try_from((640 + phase) / 64).unwrap();
        assert_eq!(rig.at(640 + phase + 63).read(TCNT), before);
        assert_eq!(rig.at(640 + phase + 64).read(TCNT), before + 1);
    }
}

#[test]
fn a_held_prescaler_stops_its_timers_until_it_is_released() {
    for select in 1..=5 {
        let mut rig = timer(16, false);
        rig.write(TCCRB, select).at(2048).input("prescaler", 1);
        let held = rig.at(2049).read(TCNTL) | rig.read(TCNTH) << 8;
        assert_eq!(rig.at(9000).read(TCNTL) | rig.read(TCNTH) << 8, held);
        let divider = [1, 8, 64, 256, 1024][select as usize - 1];
        rig.at(9001).input("prescaler", 0);
        assert_eq!(rig.at(9000 + divider).read(TCNTL), held & 0xFF);
        assert_eq!(rig.at(9001 + divider).read(TCNTL), (held + 1) & 0xFF);
    }
}

#[test]
fn a_period_of_ctc_is_top_and_one_counts() {
    // Section 16.7.2: f = f_clk / (2 N (1 + OCRnA)) for a pin that toggles at each match.
    for (bits, wgm_a, wgm_b) in [(8, 2, 0), (16, 0, 1 << 3), (16, 0, 3 << 3)] {
        for (top, select, divider) in [(0, 1, 1), (1, 1, 1), (99, 2, 8), (249, 3, 64), (4, 5, 1024)]
        {
            let mut rig = timer(bits, false);
            rig.write(TCCRA, 1 << 6 | wgm_a).write(TCCRB, wgm_b);
            let registers = if bits == 8 { vec![OCRA] } else { vec![OCRAL, ICRL] };
            registers.into_iter().for_each(|at| drop_write(&mut rig, at, top));
            rig.write(TCCRB, wgm_b | select).at(200_000);
            let changes = rig.changes("oca");
            // While TOP is ICRn, the pin toggles at OCRnA all the same.
            let half = (Cycle::from(top) + 1) * divider;
            let first = changes.iter().position(|one| one.0 > 0).unwrap();
            let gaps: Vec<_> = changes[first..].windows(2).map(|two| two[1].0 - two[0].0).collect();
            assert!(
                gaps.len() > 10 && gaps.iter().all(|gap| *gap == half),
                "{bits} {top} {gaps:?}"
            );
        }
    }
}

/// Writes a register of either width.
fn drop_write(rig: &mut Rig, offset: u32, value: u32) {
    if offset >= TCNTL {
        rig.write(offset + 1, value >> 8);
    }
    rig.write(offset, value & 0xFF);
}

#[test]
fn pwm_has_its_period_and_duty() {
    // Sections 16.7.3 and 16.7.4, 17.9.3 to 17.9.5: cycles of a period, and of its high part, at clk/1.
    let of_8_bits =
        [(3, 0, 256, 100 + 1), (7, 0, 201, 100 + 1), (1, 0, 510, 200), (5, 0, 400, 200)];
    for (wgm, _, period, high) in of_8_bits {
        let channel = if wgm > 4 { "ocb" } else { "oca" };
        let mut rig = timer(8, false);
        rig.write(OCRA, if wgm > 4 { 200 } else { 100 }).write(OCRB, 100);
        rig.write(TCCRA, 2 << 6 | 2 << 4 | wgm & 3).write(TCCRB, wgm >> 2 << 3 | 1).at(20_000);
        check_wave(&rig, channel, period, high, wgm);
    }
    let of_16_bits = [
        (5, 256, 101),
        (6, 512, 101),
        (7, 1024, 101),
        (14, 301, 101),
        (15, 201, 101),
        (1, 510, 200),
        (2, 1022, 200),
        (3, 2046, 200),
        (8, 600, 200),
        (9, 400, 200),
        (10, 600, 200),
        (11, 400, 200),
    ];
    for (wgm, period, high) in of_16_bits {
        let mut rig = timer(16, false);
        rig.write(TCCRA, 2 << 4 | wgm & 3).write(TCCRB, wgm >> 2 << 3);
        for (register, value) in [(ICRL, 300), (OCRAL, 200), (OCRAL + 2, 100)] {
            drop_write(&mut rig, register, value);
        }
        rig.write(TCCRB, wgm >> 2 << 3 | 1).at(250_000);
        check_wave(&rig, "ocb", period, high, wgm);
    }
}

/// Past its first periods, an output is high and low for so long.
fn check_wave(rig: &Rig, channel: &str, period: Cycle, high: Cycle, wgm: u32) {
    let changes = rig.changes(channel);
    let late: Vec<_> = changes
        .iter()
        .copied()
        .filter(|one| one.0 > 140_000 || rig.now() < 100_000 && one.0 > 5_000)
        .collect();
    assert!(late.len() > 8, "WGM {wgm}");
    for three in late.windows(3).filter(|three| three[0].1 == 3) {
        assert_eq!((three[2].0 - three[0].0, three[1].0 - three[0].0), (period, high), "WGM {wgm}");
    }
}

#[test]
fn a_write_of_the_counter_blocks_the_next_match() {
    // Section 16.5.2: also while the timer stands still.
    let mut rig = timer(8, false);
    rig.write(OCRA, 10).write(TCNT, 10).at(100).write(TCCRB, 1);
    assert_eq!((rig.at(102).read(TIFR), rig.read(TCNT)), (0, 12));
    rig.at(103).write(TCNT, 9);
    assert_eq!((rig.at(105).read(TIFR), rig.at(106).read(TCNT)), (2, 12));
}

#[test]
fn a_flag_requests_while_it_is_set_and_enabled() {
    let mut rig = timer(8, false);
    rig.write(OCRA, 9).write(TCCRB, 1).at(20).write(TIMSK, 2);
    assert_eq!(rig.changes("compa"), [(0, 0), (20, 1)], "a flag that was set before");
    // OCRnB was 0.
    assert_eq!(rig.at(21).acknowledge("compa").at(22).read(TIFR), 4);
    assert_eq!(rig.at(30).write(TIFR, 0).at(270).output("compa"), 1);
    assert_eq!(rig.at(271).write(TIFR, 2).output("compa"), 0);
    assert_eq!(rig.changes("compa"), [(0, 0), (20, 1), (21, 0), (256 + 10, 1), (271, 0)]);
}

#[test]
fn sixteen_bits_pass_through_the_temporary_register() {
    // Section 17.3.
    let mut rig = timer(16, false);
    drop_write(&mut rig, TCNTL, 0x12FF);
    rig.write(TCCRB, 1);
    assert_eq!((rig.read(TCNTL), rig.at(1).read(TCNTH)), (0xFF, 0x12));
    assert_eq!((rig.at(2).read(TCNTL), rig.at(9).read(TCNTH)), (0x01, 0x13));
    // OCRnx is read without it: the high byte that waits stays.
    drop_write(&mut rig, OCRAL, 0xABCD);
    rig.write(TCNTH, 0x55);
    assert_eq!((rig.read(OCRAL), rig.read(OCRAL + 1)), (0xCD, 0xAB));
    rig.write(TCCRB, 0).write(TCNTL, 0xAA);
    assert_eq!((rig.read(TCNTL), rig.read(TCNTH)), (0xAA, 0x55));
}

#[test]
fn the_capture_pin_copies_the_counter() {
    for (control, level, delay) in [(0x41, 1, 3), (0x01, 0, 3), (0xC1, 1, 7), (0x81, 0, 7)] {
        let mut rig = timer(16, false);
        rig.input("capture", 1 - level).write(TCCRB, control).write(TIMSK, 0x20);
        rig.at(500).input("capture", level).at(520);
        assert_eq!(rig.changes("capt"), [(0, 0), (500 + delay, 1)]);
        assert_eq!(rig.read(ICRL) | rig.read(ICRH) << 8, 500 + delay as u32 - 1);
        assert_eq!(rig.acknowledge("capt").at(521).read(TIFR) & 0x20, 0);
        assert_eq!(rig.input("capture", 1 - level).at(540).read(TIFR) & 0x20, 0, "the other edge");
    }
    // Behind the noise canceler, a pulse of 3 cycles is none.
    let mut rig = timer(16, false);
    rig.write(TCCRB, 0xC1).at(500).input("capture", 1).at(503).input("capture", 0);
    assert_eq!(rig.at(600).read(TIFR) & 0x20, 0);
}

#[test]
fn a_stopped_clock_keeps_the_phase_of_the_prescaler() {
    let mut rig = timer(8, false);
    rig.write(TCCRB, 3).at(100).input("stopped", 1).at(1000).input("stopped", 0);
    // 100 of 128 edges had passed.
    assert_eq!((rig.at(1027).read(TCNT), rig.at(1028).read(TCNT)), (1, 2));
    let mut rig = timer(8, false);
    rig.write(TCCRB, 3).at(100).input("halted", 1).at(1000).input("halted", 0);
    assert_eq!((rig.at(1023).read(TCNT), rig.at(1024).read(TCNT)), (1, 2), "the prescaler ran on");
}

#[test]
fn an_access_of_nothing_modelled_is_reported() {
    let mut rig = timer(8, false);
    rig.write(TCCRB, 6).write(TCCRB, 1 << 3).write(0x16, 0x20);
    assert_eq!(
        rig.unmodelled(),
        [
            "TCCRnB: a clock from the pin Tn, the timer stands still",
            "TCCRnA and TCCRnB: a reserved WGM, the mode stays as it was",
            "register at offset 0x16 of timer_atmega",
        ]
    );
    let mut rig = timer(8, true);
    rig.write(0x16, 0x20);
    assert_eq!(rig.unmodelled(), ["ASSR: the timer keeps the I/O clock, others are not modelled"]);
    assert!(Timer::new(Parameters { bits: 12, asynchronous: false }).is_err());
    assert_eq!(timer(16, false).write(TCCRC, 0x80).unmodelled(), [""; 0]);
}
