//! Arrivals within instructions that last longer than the shortest frame, and answers of boards that sleep.

use std::time::Duration;

use cyclescope_engine::bench::Bench;
use cyclescope_engine::board::Board;
use cyclescope_engine::instrument::{Instrument, Interest};
use cyclescope_engine::instruments::recorder::{Change, Reader, Recorder};
use cyclescope_engine::time::Cycle;

use crate::programs::{asleep, at91, burst, BUFFER, LOG};
use crate::{alone, both_ways, cycles_as, run_to, trace, Trace};

const END_CYCLES: u64 = 100_000;

fn boards() -> [Board; 2] {
    [burst(3, false), burst(17, true)]
}

/// Holds up its board's thread now and then: meanwhile the other board runs as far as it may.
#[derive(Default)]
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
    let mut bench =
        Bench::new(&mut [("a", &mut a), ("b", &mut b)], &both_ways(delay_cycles)).unwrap();
    for (board, _) in [&mut a, &mut b].into_iter().zip(sleepers).filter(|(_, sleeps)| *sleeps) {
        board.attach(Box::<Sleeper>::default());
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
                let arrivals: Vec<_> =
                    sent.iter().map(|&(at, value)| (at + delay, value)).collect();
                let heard: Vec<_> = heard.iter().map(|one| (one.cycle, one.level)).collect();
                let due = arrivals.len().min(heard.len());
                assert!(arrivals.len() - due < 2 && heard.len() == due);
                assert_eq!(heard, arrivals[..due], "board {i}, delay {delay}, {sleepers:?}");
                let [a, b] = boards();
                let reference =
                    alone([a, b].into_iter().nth(i).unwrap(), &arrivals, trace.end.0, BUFFER);
                assert_eq!(*trace, reference, "board {i}, delay {delay}, {sleepers:?}");
            }
        }
    }
}

#[test]
fn a_board_that_sleeps_answers_in_time() {
    for delay in [0, 1, 1000] {
        let (mut a, mut b) = (at91(3, 1, 0, true), asleep());
        let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &both_ways(delay)).unwrap();
        run_to(&mut bench, &mut [&mut a, &mut b], cycles_as(END_CYCLES));
        let [first, second] = [a, b].map(|mut board| trace(&mut board, "usart0.txd", LOG));
        assert!(second.sent.len() > 20, "{}", second.sent.len());
        let later = |sent: &[(u64, u32)]| -> Vec<_> {
            sent.iter().map(|&(at, value)| (at + delay, value)).collect()
        };
        assert_eq!(first, alone(at91(3, 1, 0, true), &later(&second.sent), first.end.0, LOG));
        // Alone it ends where nothing can wake it.
        let reference = alone(asleep(), &later(&first.sent), second.end.0, LOG);
        assert_eq!(second.sent, reference.sent);
    }
}

#[test]
fn an_echo_goes_back_in_the_cycle_in_which_it_came() {
    for delay in [0, 5] {
        // CHMODE 1 of the second board, with five data bits: what comes in goes out.
        let (mut a, mut b) = (burst(3, false), at91(0, 1, 1 << 14 | 0xC0, false));
        let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &both_ways(delay)).unwrap();
        b.attach(Box::<Sleeper>::default());
        run_to(&mut bench, &mut [&mut a, &mut b], cycles_as(50_000));
        let [first, back] = [a, b].map(|mut board| trace(&mut board, "usart0.txd", LOG));
        assert!(first.sent.len() > 20);
        for (one, other) in first.sent.iter().zip(&back.sent) {
            assert_eq!((one.0 + delay, one.1), *other);
        }
        let arrivals: Vec<_> = back.sent.iter().map(|&(at, value)| (at + delay, value)).collect();
        assert_eq!(first, alone(burst(3, false), &arrivals, first.end.0, LOG));
    }
}
