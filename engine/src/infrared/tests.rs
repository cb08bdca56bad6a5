//! Collisions and errors, with the damage computed by hand.

use super::*;
use crate::framing::Parity;

const BIT: Attoseconds = 1000;
const FRAMING_ERROR: u32 = 1 << 9;
const USUAL: Framing =
    Framing { bit_cycles: (16, 1), data_bits: 8, parity: Parity::Off, stop_half_bits: 2 };

fn frame(from: usize, value: u32, starts: Attoseconds, bit_as: Attoseconds) -> Frame {
    Frame {
        from,
        number: 0,
        starts,
        ends: starts + 10 * bit_as,
        bit_as,
        value,
        bits: 10,
        pulses: pulses(&USUAL, value),
    }
}

/// Values with their times.
type Heard = Vec<(Attoseconds, u32)>;

/// All that a receiver hears, and the fates by sender.
fn heard(frames: &[Frame], framing: Option<Attoseconds>) -> (Heard, Vec<(usize, bool)>) {
    let mut receiver = Receiver::new(0);
    frames.iter().for_each(|frame| receiver.add(frame.clone()));
    let mut heard = Vec::new();
    while let Some(now) = receiver.next() {
        let values = receiver.look(now, framing.map(|bit_as| (&USUAL, bit_as)));
        heard.extend(values.into_iter().map(|value| (now, value)));
    }
    let fates = receiver.take_fates().into_iter().map(|fate| (fate.from, fate.damaged));
    (heard, fates.collect())
}

#[test]
fn one_sender_is_heard_as_on_a_wire() {
    for value in 0..256 {
        let frames = [frame(1, value, 70, BIT), frame(1, value ^ 0xFF, 70 + 10 * BIT, BIT)];
        for theirs in [950, 1000, 1050] {
            let (heard, fates) = heard(&frames, Some(theirs));
            let values: Vec<_> = heard.iter().map(|one| one.1).collect();
            assert_eq!((values, &fates[0]), (vec![value, value ^ 0xFF], &(1, false)));
            assert!(theirs > 1000 || heard[0].0 == 70 + 10 * BIT, "{heard:?}");
        }
    }
}

#[test]
fn pulses_at_the_same_time_are_one() {
    let (heard, fates) = heard(&[frame(1, 0x55, 0, BIT), frame(2, 0x33, 0, BIT)], Some(BIT));
    assert_eq!(heard, [(10 * BIT, 0x11)]);
    assert_eq!(fates, [(1, true), (2, true)]);
}

#[test]
fn an_overlap_damages_data_and_framing() {
    // 0xFF is light in its start bit alone. 0x00, three bits later, is light from bit 3 to 11 of the first.
    let frames = [frame(1, 0xFF, 0, BIT), frame(2, 0x00, 3 * BIT, BIT)];
    let (heard_first, fates) = heard(&frames, Some(BIT));
    assert_eq!(heard_first, [(10 * BIT, 0x03 | FRAMING_ERROR)]);
    assert_eq!(fates, [(1, true), (2, true)]);
    // 0x7F, seven bits later, is light in bit 7 of the first, and in bit 15, which looks like a start bit.
    let frames = [frame(1, 0xFF, 0, BIT), frame(2, 0x7F, 7 * BIT, BIT)];
    let (heard_second, fates) = heard(&frames, Some(BIT));
    assert_eq!(heard_second, [(10 * BIT, 0xBF), (25 * BIT, 0xFF)]);
    assert_eq!(fates, [(1, true), (2, true)]);
    // Half a bit later: each pulse holds the line for a bit, and samples lie in the middle.
    let frames = [frame(1, 0xFF, 0, BIT), frame(2, 0xFD, 5 * BIT / 2, BIT)];
    let (heard_third, _) = heard(&frames, Some(BIT));
    // Pulses at 2.5 and 4.5: the samples at 2.5 and 4.5 are low, those at 3.5 and 5.5 are not.
    assert_eq!(heard_third[0], (10 * BIT, 0xFF & !(1 << 1) & !(1 << 3)));
}

#[test]
fn the_own_echo_has_no_fate_and_collides_with_others() {
    let (own, fates) = heard(&[frame(0, 0x41, 0, BIT)], Some(BIT));
    assert_eq!((own, fates), (vec![(10 * BIT, 0x41)], vec![]));
    let (both, fates) = heard(&[frame(0, 0x0F, 0, BIT), frame(1, 0xF1, 0, BIT)], Some(BIT));
    assert_eq!((both, fates), (vec![(10 * BIT, 0x01)], vec![(1, true)]));
}

#[test]
fn other_speeds_make_other_characters() {
    // 0x55 is light in bits 0, 2, 4, 6 and 8. Each pulse lasts 3/16 of 12 bits of the receiver: 2.25. So it is a
    // start bit and one 0.
    let (fast, fates) = heard(&[frame(1, 0x55, 0, 12 * BIT)], Some(BIT));
    assert_eq!(fast, vec![(120 * BIT, 0xFE); 5]);
    assert_eq!(fates, [(1, true)]);
    // Twelve characters within one of the receiver: each holds the line for a bit of the receiver at least.
    let frames: Vec<_> = (0..12).map(|n| frame(1, 0xFF, n * 10 * BIT, BIT)).collect();
    let (slow, fates) = heard(&frames, Some(12 * BIT));
    assert_eq!(slow, [(120 * BIT, BREAK)]);
    assert!(fates.len() == 12 && fates.iter().all(|fate| fate.1));
    let (none, fates) = heard(&frames, None);
    assert!(none.is_empty() && fates.len() == 12 && fates.iter().all(|fate| !fate.1));
}

#[test]
fn an_inverted_stop_bit_is_a_framing_error_and_a_lost_start_bit_another_character() {
    let mut one = frame(1, 0xA5, 0, BIT);
    one.pulses ^= 1 << 9;
    assert_eq!(heard(&[one], Some(BIT)).0, [(10 * BIT, 0xA5 | FRAMING_ERROR)]);
    // 0xA5 is 1010_0101: without its start bit the first pulse is bit 2, and those at 4, 5 and 7 follow it.
    let mut one = frame(1, 0xA5, 0, BIT);
    one.pulses &= !1;
    let data = 0xFF & !(1 << 1) & !(1 << 2) & !(1 << 4);
    assert_eq!(heard(&[one], Some(BIT)), (vec![(12 * BIT, data)], vec![(1, true)]));
}

#[test]
fn errors_follow_from_seed_direction_and_character_alone() {
    let noise = |seed, from, to| Noise::new(seed, from, to, 1e-2);
    let drawn = |noise: Noise| (0..20_000).map(|n| noise.errors(n, 10)).collect::<Vec<_>>();
    let first = drawn(noise(1, "a.usart1", "b.usart1"));
    assert_eq!(first, drawn(noise(1, "a.usart1", "b.usart1")));
    for other in [(2, "a.usart1", "b.usart1"), (1, "b.usart1", "a.usart1"), (1, "a.usart1", "c")] {
        assert_ne!(first, drawn(noise(other.0, other.1, other.2)));
    }
    // 2,000 are expected of 200,000 bits, with a standard deviation of 44.5.
    let errors: u32 = first.iter().map(|errors| errors.count_ones()).sum();
    assert!((1800..2200).contains(&errors), "{errors}");
    let each = |bit: u32| first.iter().filter(|errors| *errors >> bit & 1 != 0).count();
    assert!((0..10).all(|bit| (130..270).contains(&each(bit))));
    assert_eq!(Noise::new(1, "a", "b", 0.0).errors(5, 10), 0);
    assert_eq!(Noise::new(1, "a", "b", 1.0).errors(5, 10), 0x3FF);
}
