//! Boards on an infrared channel: echo, collisions, errors, and the same results however they are run.

use cyclescope_engine::bench::{Bench, Carried, Infrared};
use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::instruments::recorder::{Reader, Recorder};

use crate::programs::{at91, lpc, talker, LOG, START};
use crate::{alone, cycles_as, run_to, trace, wire, Trace};

const FRAMING_ERROR: u32 = 1 << 9;
const END: u64 = 300_000;

fn channel(names: &[&str]) -> Infrared {
    Infrared {
        lines: names.iter().map(|name| format!("{name}.usart0")).collect(),
        delay_cycles: 0,
        echo: true,
        bit_error_rate: 0.0,
        seed: 1,
        directions: Vec::new(),
        fastest_baud: Some(1_024_000),
    }
}

/// All that boards did and heard, and that the channel carried.
#[derive(Debug, PartialEq)]
struct Session {
    traces: Vec<Trace>,
    heard: Vec<Values>,
    carried: Vec<Sent>,
}

/// Values with their cycles.
type Values = Vec<(u64, u32)>;

/// Cycles of beginning and end, line, value, damaged.
type Sent = (u64, u64, String, u32, bool);

fn carried(carried: Vec<Carried>) -> Vec<Sent> {
    let fields = |one: Carried| (one.began, one.ended, one.line, one.value, one.damaged);
    carried.into_iter().map(fields).collect()
}

fn listen(board: &mut Board) -> Reader {
    let (recorder, reader) = Recorder::new(&["usart0.rxd"]);
    board.attach(Box::new(recorder));
    reader
}

const NAMES: [&str; 3] = ["a", "b", "c"];
const SEEDS: [u32; 3] = [3, 200, 0x5A];

/// Boards that answer whatever they hear, put on the bench in an order.
fn talk(channel: &Infrared, order: &[usize], tier: Tier, stops: &[u64]) -> Session {
    let count = order.len();
    let mut boards: Vec<Board> = SEEDS[..count].iter().map(|seed| talker(*seed)).collect();
    boards.iter_mut().for_each(|board| board.set_tier(tier));
    let readers: Vec<Reader> = boards.iter_mut().map(listen).collect();
    let mut left: Vec<Option<&mut Board>> = boards.iter_mut().map(Some).collect();
    let mut placed: Vec<_> = order.iter().map(|&i| (NAMES[i], left[i].take().unwrap())).collect();
    let mut bench = Bench::with_infrared(&mut placed, &[], std::slice::from_ref(channel)).unwrap();
    let mut placed: Vec<&mut Board> = placed.into_iter().map(|(_, board)| board).collect();
    let mut all = Vec::new();
    for &stop in stops {
        run_to(&mut bench, &mut placed, cycles_as(stop));
        all.extend(carried(bench.take_carried(&mut placed)));
    }
    let heard = readers.iter().map(|reader| {
        reader.take().into_iter().map(|change| (change.cycle, change.level)).collect()
    });
    let heard = heard.collect();
    let traces = boards.iter_mut().map(|board| trace(board, "usart0.txd", LOG)).collect();
    Session { traces, heard, carried: all }
}

fn noisy(count: usize, delay_cycles: u64, echo: bool) -> Infrared {
    Infrared { delay_cycles, echo, bit_error_rate: 1e-2, ..channel(&NAMES[..count]) }
}

#[test]
fn each_board_does_what_it_does_alone_with_what_it_heard() {
    for (count, delay, echo) in [(2, 0, true), (2, 1, false), (2, 1000, true), (3, 100, true)] {
        let order: Vec<_> = (0..count).collect();
        let session = talk(&noisy(count, delay, echo), &order, Tier::Blocks, &[END]);
        for (i, trace) in session.traces.iter().enumerate() {
            assert!(session.heard[i].len() > 50, "{:?} {:?}", session.heard[i], session.carried);
            let reference = alone(talker(SEEDS[i]), &session.heard[i], trace.end.0, LOG);
            assert_eq!(*trace, reference, "board {i} of {count}, delay {delay}");
        }
        assert!(session.carried.iter().any(|one| one.4), "nothing was damaged");
    }
}

#[test]
fn order_tiers_threads_and_slices_change_nothing() {
    for delay in [0, 1, 1000] {
        let channel = noisy(3, delay, true);
        let first = talk(&channel, &[0, 1, 2], Tier::Blocks, &[END]);
        assert_eq!(talk(&channel, &[2, 0, 1], Tier::Blocks, &[END]), first);
        assert_eq!(talk(&channel, &[1, 0, 2], Tier::Plain, &[END]), first);
        let stops: Vec<_> = (0..END).step_by(997).chain([END]).collect();
        let sliced = talk(&channel, &[0, 1, 2], Tier::Blocks, &stops);
        let both = |i: usize| sliced.heard[i].len().min(first.heard[i].len());
        for i in 0..3 {
            assert!(first.heard[i].len() < both(i) + 3);
            assert_eq!(sliced.heard[i][..both(i)], first.heard[i][..both(i)], "delay {delay}");
        }
        let both = sliced.carried.len().min(first.carried.len());
        assert!(both + 5 > first.carried.len());
        assert_eq!(sliced.carried[..both], first.carried[..both]);
    }
    let channel = noisy(2, 0, true);
    let first = talk(&channel, &[0, 1], Tier::Blocks, &[END]);
    let spin = || (0..200_000_000u64).fold(0, |sum, n| std::hint::black_box(sum ^ n));
    let load: Vec<_> = (0..4).map(|_| std::thread::spawn(spin)).collect();
    for _ in 0..10 {
        assert_eq!(talk(&channel, &[0, 1], Tier::Blocks, &[END]), first);
    }
    load.into_iter().for_each(|thread| drop(thread.join()));
}

#[test]
fn other_delays_are_other_distances() {
    let first = |delay| talk(&noisy(2, delay, true), &[0, 1], Tier::Blocks, &[END]);
    assert_ne!(first(0).heard, first(1000).heard);
}

/// Boards that send one character at once and answer none, on a bench of these names.
fn once(channel: &Infrared, boards: Vec<(&str, Board)>) -> (Vec<Values>, Vec<Carried>) {
    let (names, mut boards): (Vec<_>, Vec<_>) = boards.into_iter().unzip();
    let readers: Vec<_> = boards.iter_mut().map(listen).collect();
    let mut placed: Vec<_> = names.into_iter().zip(&mut boards).collect();
    let mut bench = Bench::with_infrared(&mut placed, &[], std::slice::from_ref(channel)).unwrap();
    let mut boards: Vec<&mut Board> = placed.into_iter().map(|(_, board)| board).collect();
    run_to(&mut bench, &mut boards, cycles_as(4_500));
    let change = |reader: &Reader| {
        reader.take().into_iter().map(|change| (change.cycle, change.level)).collect()
    };
    (readers.iter().map(change).collect(), bench.take_carried(&mut boards))
}

/// A board whose USART is off: it neither sends nor hears.
fn mute() -> Board {
    at91(0, 0, 0, false)
}

#[test]
fn a_sender_hears_its_echo_when_the_others_hear_it() {
    for delay in [0, 7, 640] {
        let channel = Infrared { delay_cycles: delay, ..channel(&["a", "b"]) };
        let boards = || vec![("a", at91(0x41, 18, 0, false)), ("b", mute())];
        let (heard, carried) = once(&channel, boards());
        let one = &carried[0];
        assert_eq!((one.value, one.ended - one.began, one.damaged), (0x41, 2880, false));
        assert_eq!(heard, [vec![(one.ended + delay, 0x41)], vec![]]);
        let silent = Infrared { echo: false, ..channel };
        assert_eq!(once(&silent, boards()).0, [vec![], vec![]]);
    }
}

#[test]
fn two_that_send_at_once_damage_each_other() {
    let pair = || vec![("a", at91(0x55, 18, 0, false)), ("b", at91(0x33, 18, 0, false))];
    let (heard, carried) = once(&channel(&["a", "b"]), pair());
    let end = carried[0].ended;
    assert_eq!(heard, [vec![(end, 0x11)], vec![(end, 0x11)]]);
    assert_eq!(
        carried.iter().map(|one| (one.value, one.damaged)).collect::<Vec<_>>(),
        [(0x55, true), (0x33, true)]
    );
    // Without echo each hears the other alone.
    let (heard, carried) = once(&Infrared { echo: false, ..channel(&["a", "b"]) }, pair());
    assert_eq!(heard, [vec![(end, 0x33)], vec![(end, 0x55)]]);
    assert!(carried.iter().all(|one| !one.damaged));
}

#[test]
fn a_receiver_at_another_speed_hears_other_characters() {
    // 0x55 at an eighth of the speed: each of its five pulses lasts 1.5 bits of the receiver.
    let fast = at91(0, 2, 0, false);
    let (heard, carried) =
        once(&channel(&["a", "b"]), vec![("a", at91(0x55, 16, 0, false)), ("b", fast)]);
    let damaged = carried.iter().filter(|one| one.line == "a.usart0" && one.damaged);
    assert_eq!(damaged.count(), 1, "{carried:?}");
    assert!(heard[1].iter().filter(|one| one.1 & FRAMING_ERROR == 0).count() >= 5, "{heard:?}");
}

#[test]
fn errors_follow_the_seed_and_have_a_direction() {
    let with = |seed, rate, directions| {
        let channel = Infrared {
            seed,
            bit_error_rate: rate,
            directions,
            echo: false,
            ..channel(&["a", "b"])
        };
        talk(&channel, &[0, 1], Tier::Blocks, &[END])
    };
    let clean = with(1, 0.0, vec![]);
    assert!(clean.carried.iter().all(|one| !one.4));
    let first = with(1, 0.02, vec![]);
    assert_eq!(with(1, 0.02, vec![]), first);
    assert_ne!(with(2, 0.02, vec![]).carried, first.carried);
    let one_way = vec![("a.usart0".to_owned(), "b.usart0".to_owned(), 0.0)];
    let one_way = with(1, 0.02, one_way);
    let damaged = |line: &str| {
        let of = one_way.carried.iter().filter(|one| one.2 == line);
        of.filter(|one| one.4).count()
    };
    assert_eq!(damaged("a.usart0"), 0);
    assert!(damaged("b.usart0") > 5, "{}", damaged("b.usart0"));
}

#[test]
fn a_reset_bench_does_the_same_again() {
    let channel = noisy(2, 100, true);
    let (mut a, mut b) = (talker(3), talker(200));
    let mut placed = [("a", &mut a), ("b", &mut b)];
    let mut bench = Bench::with_infrared(&mut placed, &[], std::slice::from_ref(&channel)).unwrap();
    let [a, b] = placed.map(|(_, board)| board);
    let mut runs = Vec::new();
    for _ in 0..2 {
        bench.reset(&mut [&mut *a, &mut *b]);
        for board in [&mut *a, &mut *b] {
            board.set_pc(START).unwrap();
        }
        run_to(&mut bench, &mut [&mut *a, &mut *b], cycles_as(END));
        let sent = [a.receive("usart0.txd").unwrap(), b.receive("usart0.txd").unwrap()];
        runs.push((sent, bench.take_carried(&mut [&mut *a, &mut *b])));
    }
    assert!(runs[0].1.len() > 50, "{}", runs[0].1.len());
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn what_cannot_send_light_is_refused_in_a_sentence() {
    let mut boards = (at91(3, 18, 0, false), at91(3, 18, 0, false), lpc(1));
    let mut refused = |channel: &Infrared, wires: &[cyclescope_engine::bench::Wire]| {
        let mut placed = [("a", &mut boards.0), ("b", &mut boards.1), ("l", &mut boards.2)];
        let refused = Bench::with_infrared(&mut placed, wires, std::slice::from_ref(channel));
        refused.unwrap_err().0
    };
    let pair = channel(&["a", "b"]);
    assert!(refused(&channel(&["a"]), &[]).contains("fewer than two lines"));
    let far = Infrared { lines: vec!["a.usart0".into(), "l.uart0".into()], ..pair.clone() };
    assert!(refused(&far, &[]).contains("l.uart0 cannot send light"));
    let own = Infrared { lines: vec!["a.usart0".into(), "a.usart1".into()], ..pair.clone() };
    assert!(refused(&own, &[]).contains("Two lines of one board"));
    let noise = Infrared { bit_error_rate: 1.5, ..pair.clone() };
    assert!(refused(&noise, &[]).contains("bit error rate of 1.5"));
    let way = ("a.usart0".to_owned(), "c.usart0".to_owned(), 0.1);
    let way = Infrared { directions: vec![way], ..pair.clone() };
    assert!(refused(&way, &[]).contains("names c.usart0"));
    let wired = wire("a.usart1.txd", "b.usart0.rxd", 0);
    assert!(refused(&pair, &[wired]).contains("Two wires lead to b.usart0"));
    let fast = Infrared { fastest_baud: Some(9600), ..pair };
    let (mut a, mut b) = (at91(3, 2, 0, false), at91(3, 2, 0, false));
    let mut placed = [("a", &mut a), ("b", &mut b)];
    let mut bench = Bench::with_infrared(&mut placed, &[], &[fast]).unwrap();
    let [a, b] = placed.map(|(_, board)| board);
    let requests = [Request::default(), Request::default()];
    let ended = bench.run(&mut [a, b], &requests, Some(cycles_as(END)), &mut || true);
    assert!(ended.unwrap_err().0.contains("the bench states baud = 9600"));
}

#[test]
fn light_that_is_passed_on_ends_the_run() {
    // CHMODE 1: the pin of the transmitter repeats what is received.
    let (mut a, mut b) = (at91(3, 2, 0, false), at91(3, 2, 1 << 14, false));
    let mut placed = [("a", &mut a), ("b", &mut b)];
    let mut bench = Bench::with_infrared(&mut placed, &[], &[channel(&["a", "b"])]).unwrap();
    let [a, b] = placed.map(|(_, board)| board);
    let requests = [Request::default(), Request::default()];
    let ended = bench.run(&mut [a, b], &requests, Some(cycles_as(END)), &mut || true);
    assert!(ended.unwrap_err().0.contains("light cannot be late"));
}
