//! Arrivals within instructions that last longer than the shortest frame.

use std::time::Duration;

use cyclescope_engine::bench::Bench;
use cyclescope_engine::board::Board;
use cyclescope_engine::instrument::{Instrument, Interest};
use cyclescope_engine::instruments::recorder::{Change, Reader, Recorder};
use cyclescope_engine::time::Cycle;

use crate::programs::{burst, BUFFER};
use crate::{alone, both_ways, cycles_as, run_to, trace, wire, Trace};

const END_CYCLES: u64 = 100_000;

fn boards() -> [Board; 2] {
    [burst(3, false), burst(17, true)]
}

/// Holds up its board's thread now and then: meanwhile the other board runs as far as it may.
struct Sleeper {
    changes: u32,
}

impl Instrument for Sleeper {
    fn interest(&self) -> Interest {
        Interest::Signals
    }

    fn changed(&mut self, _at: Cycle, _signal: &str, _level: u32) {
        self.changes += 1;
        if self.changes % 3 == 0 {
            std::thread::sleep(Duration::from_micros(500));
        }
    }
}

fn hear(board: &mut Board, signals: &[&str]) -> Reader {
    let (recorder, reader) = Recorder::new(signals);
    board.attach(Box::new(recorder));
    reader
}

/// Runs two boards with `sleepers` among them; their traces and what came to each.
fn exchange(delay_cycles: u64, sleepers: [bool; 2]) -> [(Trace, Vec<Change>); 2] {
    let [mut a, mut b] = boards();
    let readers = [hear(&mut a, &["usart0.rxd"]), hear(&mut b, &["usart0.rxd"])];
    let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &both_ways(delay_cycles)).unwrap();
    for (board, _) in [&mut a, &mut b].into_iter().zip(sleepers).filter(|(_, sleeps)| *sleeps) {
        board.attach(Box::new(Sleeper { changes: 0 }));
    }
    run_to(&mut bench, &mut [&mut a, &mut b], cycles_as(END_CYCLES));
    let heard = readers.map(|reader| reader.take());
    let traces = [&mut a, &mut b].map(|board| trace(board, "usart0.txd", BUFFER));
    let mut heard = heard.into_iter();
    traces.map(|trace| (trace, heard.next().unwrap()))
}

#[test]
fn arrivals_within_long_instructions_are_exact_whichever_thread_runs_ahead() {
    for delay in [0, 1] {
        for sleepers in [[true, false], [false, true], [true, true], [false, false]] {
            let both = exchange(delay, sleepers);
            for (i, (trace, heard)) in both.iter().enumerate() {
                let sent = &both[1 - i].0.sent;
                assert!(sent.len() > 100, "{}", sent.len());
                let arrivals: Vec<_> = sent.iter().map(|&(at, value)| (at + delay, value)).collect();
                let heard: Vec<_> = heard.iter().map(|one| (one.cycle, one.level)).collect();
                let due = arrivals.len().min(heard.len());
                assert!(arrivals.len() - due < 2 && heard.len() == due);
                assert_eq!(heard, arrivals[..due], "board {i}, delay {delay}, {sleepers:?}");
                let [a, b] = boards();
                let reference = alone([a, b].into_iter().nth(i).unwrap(), &arrivals, trace.end.0, BUFFER);
                assert_eq!(*trace, reference, "board {i}, delay {delay}, {sleepers:?}");
            }
        }
    }
}
