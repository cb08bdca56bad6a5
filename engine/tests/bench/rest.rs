//! Runs end though new instructions begin before others are over.

use std::sync::mpsc;
use std::time::Duration;

use cyclescope_engine::bench::{Bench, Infrared};
use cyclescope_engine::board::{Board, Reason, Request};

use crate::programs::{loads, LOG};
use crate::{cycles_as, run_to, trace, wire, Trace};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Returns what `work` does; panics if it does not end.
fn ends<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || drop(sender.send(work())));
    receiver.recv_timeout(Duration::from_secs(60)).expect("the run does not end")
}

/// Puts boards on a ring of wires in an order, or on an infrared channel, with no speed stated.
fn placed<'a>(
    boards: &'a mut [Board],
    order: &[usize],
    light: bool,
) -> (Bench, Vec<&'a mut Board>) {
    let names = &NAMES[..boards.len()];
    let ring = |i: usize| {
        let next = names[(i + 1) % names.len()];
        wire(&format!("{}.usart0.txd", names[i]), &format!("{next}.usart0.rxd"), 0)
    };
    let channel = Infrared {
        lines: names.iter().map(|name| format!("{name}.usart0")).collect(),
        delay_cycles: 0,
        echo: true,
        bit_error_rate: 1e-2,
        seed: 1,
        directions: Vec::new(),
        fastest_baud: None,
    };
    let wires: Vec<_> = if light { Vec::new() } else { (0..names.len()).map(ring).collect() };
    let channels: &[Infrared] = if light { &[channel] } else { &[] };
    let mut left: Vec<_> = boards.iter_mut().map(Some).collect();
    let mut placed: Vec<_> = order.iter().map(|&i| (NAMES[i], left[i].take().unwrap())).collect();
    let bench = Bench::with_infrared(&mut placed, &wires, channels).unwrap();
    (bench, placed.into_iter().map(|(_, board)| board).collect())
}

fn run_loads(adds: &[usize], order: &[usize], light: bool) -> Vec<Trace> {
    let mut boards: Vec<_> = adds.iter().map(|adds| loads(*adds, false)).collect();
    let (mut bench, mut placed) = placed(&mut boards, order, light);
    for stop in (0..200_000).step_by(9_997) {
        run_to(&mut bench, &mut placed, cycles_as(stop));
        assert!(placed.iter().all(|board| board.cycle() < stop + 30_000), "{stop}");
    }
    boards.iter_mut().map(|board| trace(board, "usart0.txd", LOG)).collect()
}

#[test]
fn boards_that_never_stand_at_boundaries_together_come_to_rest() {
    for light in [false, true] {
        let pair = ends(move || run_loads(&[1, 163], &[0, 1], light));
        assert_eq!(ends(move || run_loads(&[1, 163], &[1, 0], light)), pair);
        let three = ends(move || run_loads(&[1, 121, 241], &[0, 1, 2], light));
        for order in [[2, 0, 1], [1, 0, 2]] {
            assert_eq!(ends(move || run_loads(&[1, 121, 241], &order, light)), three);
        }
    }
}

#[test]
fn boards_that_one_holds_come_to_rest_at_the_same_boundaries_each_time() {
    let stops = |order: [usize; 3]| {
        let mut boards = [1, 121, 241].map(|adds| loads(adds, false));
        let (mut bench, mut placed) = placed(&mut boards, &order, false);
        let first = order.iter().position(|&i| i == 0).unwrap();
        let mut ends = Vec::new();
        for n in 1..=5u64 {
            let mut requests = vec![Request::default(); 3];
            requests[first].cycles = Some(n * 50_000);
            let ended = bench.run(&mut placed, &requests, None, &mut || true).unwrap();
            assert_eq!(ended.by, Some(first));
            assert_eq!(ended.stops.iter().filter(|stop| stop.reason == Reason::Held).count(), 2);
            ends.push(
                [0, 1, 2].map(|i| bench.positions()[order.iter().position(|&at| at == i).unwrap()]),
            );
        }
        ends
    };
    let first = ends(move || stops([0, 1, 2]));
    for _ in 0..5 {
        assert_eq!(ends(move || stops([1, 2, 0])), first);
    }
}

#[test]
fn slices_between_which_a_board_is_within_an_instruction_change_nothing() {
    let run = |until: &[u64]| {
        let mut boards = vec![loads(1, false), loads(163, false)];
        let (mut bench, mut placed) = placed(&mut boards, &[0, 1], false);
        let mut looks = 0;
        for &until in until {
            let requests = [Request::default(), Request::default()];
            let mut look = || {
                looks += 1;
                true
            };
            bench.run(&mut placed, &requests, Some(cycles_as(until)), &mut look).unwrap();
        }
        let ends: Vec<_> = placed.iter().map(|board| board.cycle()).collect();
        (ends, looks)
    };
    // A slice is a sixteenth of a second, 2,048,000 cycles.
    let (ends, looks) = ends(move || run(&[10_000_000]));
    assert_eq!(looks, 4);
    assert!(ends.iter().all(|end| (10_000_000..10_030_000).contains(end)), "{ends:?}");
}

#[test]
fn what_comes_within_an_instruction_that_was_over_ends_the_run() {
    let late = ends(|| {
        let mut boards = vec![loads(1, true), loads(163, false)];
        let (mut bench, mut placed) = placed(&mut boards, &[0, 1], false);
        let requests = vec![Request::default(); 2];
        let mut run = |stop: u64| {
            bench.run(&mut placed, &requests, Some(cycles_as(stop)), &mut || true).err()
        };
        (1..200).find_map(|n| run(n * 3_001))
    });
    let sentence = late.expect("nothing was late").0;
    assert!(sentence.contains("state baud"), "{sentence}");
}
