//! Boards in several tiers that must run alike: compared at the first boundary behind each slice of a run, and at its end.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use cyclescope_engine::board::{Board, Request, Tier};

static COMPARED: AtomicU64 = AtomicU64::new(0);

/// Runs all boards, the first of which is the plain core's, until a cycle. `slice` gives the cycles between two looks,
/// `state` what a look compares, and `at_end` what is compared at the end alone. Returns whether they ran to the end.
pub fn alike<S: Debug + PartialEq, E: PartialEq>(
    (boards, tiers): (&mut [Board], &[Tier]),
    end: u64,
    mut slice: impl FnMut() -> u64,
    state: impl Fn(&mut Board) -> S,
    at_end: impl Fn(&mut Board) -> E,
) -> bool {
    loop {
        let next = boards[0].cycle() + slice();
        let request = Request { cycles: Some(next), ..Request::default() };
        let stops: Vec<_> = boards.iter_mut().map(|board| board.run(&request).unwrap()).collect();
        let stop = &stops[0];
        let ends = stop.cycle < next || stop.cycle >= end;
        let (plain, others) = boards.split_first_mut().expect("a board of the plain core");
        let plain_state = state(plain);
        let plain_end = ends.then(|| at_end(plain));
        for (number, other) in others.iter_mut().enumerate() {
            let tier = tiers[number + 1];
            assert_eq!(&stops[number + 1], stop, "{tier:?}");
            assert_eq!(state(other), plain_state, "{tier:?} at {}", stop.cycle);
            COMPARED.fetch_add(1, Ordering::Relaxed);
            if let Some(plain_end) = &plain_end {
                assert!(
                    &at_end(other) == plain_end,
                    "{tier:?}: memory or records differ at the end"
                );
            }
        }
        if ends {
            return stop.cycle >= end;
        }
    }
}

/// States that were compared with the plain core's since this was asked last.
pub fn compared() -> u64 {
    COMPARED.swap(0, Ordering::Relaxed)
}

/// A number from the environment.
pub fn given(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect(name))
}
