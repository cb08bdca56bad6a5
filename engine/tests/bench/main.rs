//! Boards in lock step, beside each board alone with what came to it driven by hand.

mod light;
mod programs;
mod rest;
mod wires;
mod within;

use cyclescope_engine::bench::{Bench, Outcome, Wire};
use cyclescope_engine::board::{Board, Reason, Request, Tier};
use programs::{at91, lpc, LOG, POLL, SRAM_LOG};

const SECOND_AS: u128 = 1_000_000_000_000_000_000;
const HZ: u128 = 32_768_000;

fn wire(from: &str, to: &str, delay_cycles: u64) -> Wire {
    Wire { from: from.into(), to: to.into(), delay_cycles, fastest_baud: None }
}

fn both_ways(delay_cycles: u64) -> [Wire; 2] {
    [
        wire("a.usart0.txd", "b.usart0.rxd", delay_cycles),
        wire("b.usart0.txd", "a.usart0.rxd", delay_cycles),
    ]
}

fn cycles_as(cycles: u64) -> u128 {
    u128::from(cycles) * SECOND_AS / HZ
}

fn bound(cycles: u64) -> Request {
    Request { cycles: Some(cycles), ..Request::default() }
}

/// A board's doings: what it sent and when, where it ended, and what it holds.
#[derive(Debug, PartialEq)]
struct Trace {
    sent: Vec<(u64, u32)>,
    end: (u64, u64, u32),
    registers: Vec<(&'static str, u32)>,
    memory: Vec<u8>,
}

fn trace(board: &mut Board, output: &str, log: u32) -> Trace {
    Trace {
        sent: board.receive(output).unwrap(),
        end: (board.cycle(), board.instructions(), board.pc()),
        registers: board.core().registers(),
        memory: board.read_memory(log, 0x400).unwrap(),
    }
}

fn run(bench: &mut Bench, boards: &mut [&mut Board], requests: &[Request]) -> Outcome {
    bench.run(boards, requests, None, &mut || true).unwrap()
}

fn run_to(bench: &mut Bench, boards: &mut [&mut Board], until: u128) {
    let requests = vec![Request::default(); boards.len()];
    let outcome = bench.run(boards, &requests, Some(until), &mut || true).unwrap();
    assert!(outcome.stops.iter().all(|stop| stop.reason == Reason::Cycles), "{outcome:?}");
}

/// Two AT91x40 with two tokens in flight, up to a cycle.
fn exchange(delay_cycles: u64, slow: bool, order: [usize; 2], tiers: [Tier; 2]) -> [Trace; 2] {
    let mut boards = [at91(3, 1, 0, slow), at91(200, 1, 0, slow)];
    boards.iter_mut().zip(tiers).for_each(|(board, tier)| board.set_tier(tier));
    let [a, b] = &mut boards;
    let mut placed = [("a", a), ("b", b)];
    if order == [1, 0] {
        placed.swap(0, 1);
    }
    let mut bench = Bench::new(&mut placed, &both_ways(delay_cycles)).unwrap();
    let mut placed = placed.map(|(_, board)| board);
    run_to(&mut bench, &mut placed, cycles_as(200_000));
    boards.each_mut().map(|board| trace(board, "usart0.txd", LOG))
}

/// The second board alone: what the first one sent is driven at its cycle of arrival.
fn alone(mut board: Board, arrivals: &[(u64, u32)], end: u64, log: u32) -> Trace {
    for &(cycle, value) in arrivals {
        board.drive("usart0.rxd", value, Some(cycle)).unwrap();
    }
    board.run(&bound(end)).unwrap();
    trace(&mut board, "usart0.txd", log)
}

#[test]
fn each_board_does_what_it_does_alone_with_the_same_arrivals() {
    for slow in [false, true] {
        for delay in [0, 1, 1000] {
            let traces = exchange(delay, slow, [0, 1], [Tier::Blocks; 2]);
            let seeds = [3, 200];
            for (i, trace) in traces.iter().enumerate() {
                let arrivals: Vec<_> =
                    traces[1 - i].sent.iter().map(|&(at, value)| (at + delay, value)).collect();
                assert!(arrivals.len() > 50, "{arrivals:?}");
                let reference = alone(at91(seeds[i], 1, 0, slow), &arrivals, trace.end.0, LOG);
                assert_eq!(*trace, reference, "board {i}, delay {delay}, slow {slow}");
            }
        }
    }
}

#[test]
fn order_of_boards_tiers_and_threads_change_nothing() {
    for delay in [0, 1, 1000] {
        let first = exchange(delay, true, [0, 1], [Tier::Blocks; 2]);
        assert_eq!(exchange(delay, true, [1, 0], [Tier::Blocks; 2]), first);
        assert_eq!(exchange(delay, true, [0, 1], [Tier::Plain, Tier::Blocks]), first);
    }
    let first = exchange(0, false, [0, 1], [Tier::Blocks; 2]);
    let load: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                (0..200_000_000u64).fold(0, |sum, n| std::hint::black_box(sum ^ n))
            })
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(exchange(0, false, [0, 1], [Tier::Blocks; 2]), first);
    }
    load.into_iter().for_each(|thread| drop(thread.join()));
}

#[test]
fn arrivals_shift_by_the_delay() {
    let first_arrival = |delay| {
        let (mut a, mut b) = (at91(3, 18, 0, false), at91(3, 18, 0, false));
        let wires = [wire("a.usart0.txd", "b.usart0.rxd", delay)];
        let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &wires).unwrap();
        let (recorder, reader) =
            cyclescope_engine::instruments::recorder::Recorder::new(&["usart0.rxd"]);
        b.attach(Box::new(recorder));
        run_to(&mut bench, &mut [&mut a, &mut b], cycles_as(10_000));
        let sent = a.receive("usart0.txd").unwrap();
        let heard = reader.take();
        assert_eq!((heard.len(), heard[0].level), (1, 3), "{sent:?}");
        heard[0].cycle - sent[0].0
    };
    assert_eq!([0, 1, 1000].map(first_arrival), [0, 1, 1000]);
}

#[test]
fn slices_change_nothing() {
    let whole = exchange(0, true, [0, 1], [Tier::Blocks; 2]);
    let (mut a, mut b) = (at91(3, 1, 0, true), at91(200, 1, 0, true));
    let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &both_ways(0)).unwrap();
    for until in (0..200_000).step_by(7).chain([200_000]) {
        run_to(&mut bench, &mut [&mut a, &mut b], cycles_as(until));
    }
    let sliced = [a, b].map(|mut board| trace(&mut board, "usart0.txd", LOG));
    for (one, other) in sliced.iter().zip(&whole) {
        let both = one.sent.len().min(other.sent.len());
        assert!(other.sent.len() - both < 2 && one.sent.len() - both < 2);
        assert_eq!((&one.sent[..both], &one.memory), (&other.sent[..both], &other.memory));
    }
}

#[test]
fn a_board_that_stops_holds_the_other_at_the_same_boundary_each_time() {
    for slow in [false, true] {
        let stops = |_| {
            let (mut a, mut b) = (at91(3, 1, 0, slow), at91(200, 1, 0, slow));
            let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &both_ways(0)).unwrap();
            let mut stops = Vec::new();
            for n in 1..=40 {
                let cycles = Some(n * 3000 + 17);
                let requests = [Request { cycles, ..Request::default() }, Request::default()];
                let outcome = run(&mut bench, &mut [&mut a, &mut b], &requests);
                assert_eq!((outcome.by, outcome.stops[0].reason), (Some(0), Reason::Cycles));
                assert_eq!(outcome.stops[1].reason, Reason::Held);
                assert!(outcome.stops[1].cycle + 400 > outcome.stops[0].cycle);
                assert!(outcome.stops[1].cycle < outcome.stops[0].cycle + 400, "{outcome:?}");
                stops.push(outcome.stops);
            }
            let sent = [a, b].map(|mut board| board.receive("usart0.txd").unwrap());
            (stops, sent)
        };
        let first = stops(0);
        let whole = exchange(0, slow, [0, 1], [Tier::Blocks; 2]);
        for (sent, whole) in first.1.iter().zip(&whole) {
            assert_eq!(sent[..], whole.sent[..sent.len()]);
        }
        (0..10).for_each(|n| assert_eq!(stops(n), first));
    }
}

#[test]
fn a_breakpoint_stands_before_its_instruction() {
    let (mut a, mut b) = (at91(3, 18, 0, false), at91(200, 18, 0, false));
    let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &both_ways(0)).unwrap();
    let pcs = vec![POLL + 0x60];
    let requests = [Request::default(), Request { pcs, ..bound(500_000) }];
    let outcome = run(&mut bench, &mut [&mut a, &mut b], &requests);
    assert_eq!(outcome.by, Some(1));
    assert_eq!((outcome.stops[1].reason, b.pc()), (Reason::Pc, POLL + 0x60));
}

/// The first cycle of a board at 32.768 MHz at or behind a cycle of the LPC2148, in exact fractions.
fn converted(epochs: &[(u64, u32)], cycle: u64) -> u64 {
    let mut sixty_millionths = 0;
    for (i, &(from, hz)) in epochs.iter().enumerate() {
        let to = epochs.get(i + 1).map_or(cycle, |next| next.0.min(cycle));
        sixty_millionths += to.saturating_sub(from) * u64::from(60_000_000 / hz);
    }
    (u128::from(sixty_millionths) * HZ).div_ceil(60_000_000) as u64
}

#[test]
fn clocks_differ_and_change() {
    let run_both = |order: bool, delay| {
        let (mut l, mut a) = (lpc(7), at91(90, 18, 0, true));
        let wires = [
            wire("l.uart0.txd", "a.usart0.rxd", delay),
            wire("a.usart0.txd", "l.uart0.rxd", 20_000),
        ];
        let until = SECOND_AS / 20;
        if order {
            let mut bench = Bench::new(&mut [("l", &mut l), ("a", &mut a)], &wires).unwrap();
            run_to(&mut bench, &mut [&mut l, &mut a], until);
            assert!(bench.remarks(&[&l, &a]).is_empty());
        } else {
            let mut bench = Bench::new(&mut [("a", &mut a), ("l", &mut l)], &wires).unwrap();
            run_to(&mut bench, &mut [&mut a, &mut l], until);
        }
        let epochs = l.clock_epochs().to_vec();
        assert_eq!(epochs.last().unwrap().1, 60_000_000);
        let traces = [trace(&mut l, "uart0.txd", SRAM_LOG), trace(&mut a, "usart0.txd", LOG)];
        (traces, epochs)
    };
    let (traces, epochs) = run_both(true, 60);
    assert_eq!(run_both(false, 60).0, traces);
    assert!(traces[0].sent.len() > 50 && traces[1].sent.len() > 50);
    let arrivals: Vec<_> =
        traces[0].sent.iter().map(|&(at, value)| (converted(&epochs, at + 60), value)).collect();
    assert_eq!(traces[1], alone(at91(90, 18, 0, true), &arrivals, traces[1].end.0, LOG));
}

#[test]
fn a_receiver_at_another_speed_hears_other_characters_and_says_so_once() {
    let (mut a, mut b) = (at91(0x55, 18, 0, false), at91(0, 9, 0, false));
    let wires = [wire("a.usart0.txd", "b.usart0.rxd", 0)];
    let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &wires).unwrap();
    run_to(&mut bench, &mut [&mut a, &mut b], cycles_as(60_000));
    assert_eq!(bench.remarks(&[&a, &b]).len(), 1);
    let status = b.read_memory(programs::USART0 + 0x14, 4);
    assert!(status.is_err() || b.receive("usart0.txd").unwrap()[1].1 & 0xFF != 0x55);
    assert!(
        bench.remarks(&[&a, &b])[0].contains("one sends 113777 bit/s"),
        "{:?}",
        bench.remarks(&[&a, &b])
    );
}

#[test]
fn a_stated_rate_changes_nothing_and_a_faster_character_ends_the_run() {
    let run_at = |baud| {
        let (mut a, mut b) = (at91(3, 1, 0, true), at91(200, 1, 0, true));
        let wires = both_ways(0).map(|wire| Wire { fastest_baud: baud, ..wire });
        let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &wires).unwrap();
        let (requests, until) = ([Request::default(), Request::default()], cycles_as(200_000));
        bench.run(&mut [&mut a, &mut b], &requests, Some(until), &mut || true)?;
        Ok([a, b].map(|mut board| board.receive("usart0.txd").unwrap()))
    };
    // 32.768 MHz / 16 = 2,048,000 bit/s.
    let stated = run_at(Some(2_048_000)).unwrap();
    let unstated = run_at(None).unwrap();
    for (one, other) in stated.iter().zip(&unstated) {
        let both = one.len().min(other.len());
        assert!(both > 50 && one[..both] == other[..both]);
    }
    let refused: Result<_, cyclescope_engine::error::Error> = run_at(Some(115_200));
    let refused = refused.unwrap_err().0;
    assert!(
        refused.contains("sends 2048000 bit/s, and the bench states baud = 115200"),
        "{refused}"
    );
}
