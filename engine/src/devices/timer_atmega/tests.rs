//! Timers beside counts from the data sheet.

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
pub const TCCRC: u32 = 0x12;
pub const TCNTL: u32 = 0x14;
pub const TCNTH: u32 = 0x15;
pub const ICRL: u32 = 0x16;
pub const ICRH: u32 = 0x17;
pub const OCRAL: u32 = 0x18;

/// A timer at cycle 0.
pub fn timer(bits: u32, asynchronous: bool) -> Rig {
    Rig::new(Timer::new(Parameters { bits, asynchronous }).unwrap())
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
