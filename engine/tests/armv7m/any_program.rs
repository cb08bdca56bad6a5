//! Any bytes at all are a program: it runs, or ends with a sentence.

use cyclescope_engine::board::{Reason, Request};
use cyclescope_engine::cores::armv7m::State;

use crate::board::*;
use crate::cases::Random;

#[test]
fn any_bytes_run_or_end_with_a_sentence() {
    let mut random = Random(0xA17_B17E5);
    let mut reasons = std::collections::BTreeMap::new();
    for round in 0..1500 {
        let mut flash: Vec<u8> = (0..0x1000).map(|_| random.next() as u8).collect();
        // Vectors mostly lead into the code, and half of the code is of 16 bits.
        for vector in flash[..0x200].chunks_exact_mut(4) {
            let place = (0x200 + random.below(0xE00)) | 1;
            let word = if random.below(12) == 0 { random.next() } else { place };
            vector.copy_from_slice(&word.to_le_bytes());
        }
        for half in flash[0x200..].chunks_exact_mut(2) {
            if random.below(2) == 0 {
                half[1] = random.below(0xE8) as u8;
            }
        }
        let mut board = board(&flash);
        let near = |random: &mut Random| RAM + 0x4000 + random.below(0x8000);
        let mut state = State {
            r: std::array::from_fn(|_| random.word()),
            msp: near(&mut random),
            psp: if random.below(9) == 0 { random.next() } else { near(&mut random) },
            lr: [random.next(), 0xFFFF_FFF1, 0xFFFF_FFF9, 0xFFFF_FFFD][round % 4],
            pc: 0x200 + 2 * random.below(0x700),
            xpsr: random.next() & 0xF800_0000 | 1 << 24,
            ..State::default()
        };
        for register in 0..8 {
            state.r[register] =
                [near(&mut random), 0xE000_E000 + random.below(0x1000), state.r[register]]
                    [random.below(3) as usize];
        }
        if random.below(3) == 0 {
            state.xpsr |= random.below(0x200);
        }
        set_state(&mut board, &state);
        for n in 0..4u64 {
            board.drive(&format!("core.irq{n}"), 1, Some(20 * n)).unwrap();
        }
        let request =
            Request { instructions: Some(2000), cycles: Some(50_000), ..Request::default() };
        let stop = board.run(&request).unwrap();
        assert!(stop.sentence.ends_with('.'), "{}", stop.sentence);
        *reasons.entry(stop.reason.name()).or_insert(0) += 1;
        assert!(matches!(
            stop.reason,
            Reason::Instructions | Reason::Cycles | Reason::NoHandler | Reason::Asleep
        ));
    }
    println!("{reasons:?}");
    assert!(reasons["no-handler"] > 100 && reasons.len() > 1, "{reasons:?}");
}
