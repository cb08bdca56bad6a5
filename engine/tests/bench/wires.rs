//! Wires that are refused, and the order in which arrivals of one cycle are heard.

use cyclescope_engine::bench::{Bench, Wire};
use cyclescope_engine::instruments::recorder::Recorder;

use crate::programs::at91;
use crate::{both_ways, bound, cycles_as, run_to, wire};

#[test]
fn arrivals_of_one_cycle_come_in_the_order_of_inputs() {
    for senders in [["a", "b"], ["b", "a"]] {
        for listing in [[0, 1], [1, 0]] {
            let mut boards = [at91(3, 1, 0, true), at91(3, 1, 0, true), at91(9, 18, 0, true)];
            let (recorder, reader) = Recorder::new(&["usart0.rxd", "usart1.rxd"]);
            boards[2].attach(Box::new(recorder));
            let wires = listing.map(|n: usize| {
                wire(&format!("{}.usart0.txd", senders[n]), &format!("c.usart{n}.rxd"), 0)
            });
            let [a, b, c] = &mut boards;
            let mut bench =
                Bench::new(&mut [("a", &mut *a), ("b", &mut *b), ("c", &mut *c)], &wires).unwrap();
            run_to(&mut bench, &mut [a, b, c], cycles_as(20_000));
            let heard: Vec<_> =
                reader.take().into_iter().map(|one| (one.cycle, one.signal)).collect();
            assert!(!heard.is_empty());
            for pair in heard.chunks(2) {
                assert_eq!(pair[0].0, pair[1].0);
                assert_eq!([&*pair[0].1, &*pair[1].1], ["usart0.rxd", "usart1.rxd"]);
            }
        }
    }
}

#[test]
fn levels_travel_with_a_delay_and_only_with_one() {
    let boards = || (at91(3, 18, 0, false), at91(3, 18, 0, false));
    let (mut a, mut b) = boards();
    let names = [("a.usart0.interrupt", "b.pio.p0")];
    let wires = |delay| names.map(|(from, to)| wire(from, to, delay));
    let refused = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &wires(0)).unwrap_err();
    assert!(refused.0.contains("delay of a cycle"), "{refused}");
}

#[test]
fn what_cannot_be_wired_is_refused_in_a_sentence() {
    let mut boards = (at91(3, 18, 0, false), at91(3, 18, 0, false));
    let mut refused = |wires: &[Wire]| {
        let mut placed = [("a", &mut boards.0), ("b", &mut boards.1)];
        Bench::new(&mut placed, wires).unwrap_err().0
    };
    let to = "b.usart0.rxd";
    assert!(refused(&[wire("c.usart0.txd", to, 0)]).contains("no board c: name one of a, b"));
    assert!(refused(&[wire("a.usart0.tdx", to, 0)]).contains("usart0.txd"));
    assert!(refused(&[wire("a.usart0.txd", "b.usart0.x", 0)]).contains("usart0.rxd"));
    for (from, to) in [("a.pio.p0", to), ("a.usart0.txd", "b.pio.p3")] {
        assert!(refused(&[wire(from, to, 10)]).contains("joins a serial line and a level"));
    }
    let one = wire("a.usart0.txd", to, 0);
    assert!(refused(&[one.clone(), one]).contains("Two wires lead to b.usart0.rxd"));
    let mut placed = [("a", &mut boards.0), ("a", &mut boards.1)];
    assert!(Bench::new(&mut placed, &[]).unwrap_err().0.contains("both called a"));
}

#[test]
fn a_board_on_a_bench_runs_with_the_others_only() {
    let (mut a, mut b) = (at91(3, 18, 0, false), at91(200, 18, 0, false));
    let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], &both_ways(0)).unwrap();
    assert!(a.run(&bound(1000)).unwrap_err().0.contains("run its bench"));
    run_to(&mut bench, &mut [&mut a, &mut b], cycles_as(50_000));
    let sent = a.receive("usart0.txd").unwrap();
    assert!(!sent.is_empty());
    a.reset(None);
    let again = bench.run(&mut [&mut a, &mut b], &[bound(1), bound(1)], None, &mut || true);
    assert!(again.unwrap_err().0.contains("was reset alone"));
    bench.reset(&mut [&mut a, &mut b]);
}
