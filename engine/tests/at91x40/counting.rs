//! The counting instruments on the PDC and on interrupts.

use cyclescope_engine::bus::Width;
use cyclescope_engine::instruments::accesses::{Accesses, Accessor, Direction, Kind, Target};
use cyclescope_engine::instruments::histogram::{Code, Histogram};
use cyclescope_engine::instruments::interrupts::Interrupts;
use cyclescope_engine::instruments::transfers::Transfers;

use crate::interrupts::ticking;
use crate::*;

#[test]
fn cycles_that_the_pdc_takes_are_those_that_the_core_loses() {
    const CHARACTERS: u32 = 40;
    for (csr, cycles) in [(0x2001, 1), (0x2025, 3), (0x203D, 9)] {
        let mut board = board(&sends(csr, RAM + 0x100, CHARACTERS), INTERNAL + 0x800);
        load(&mut board, INTERNAL + 0x800, &[B_SELF]);
        let transfers = board.attach(Box::new(Transfers::default()));
        let histogram = board.attach(Box::new(board.histogram(Code::default())));
        let accesses = board.attach(Box::new(board.accesses(Code::default())));
        run_to(&mut board, 100_000);
        let moved = board.instrument::<Transfers>(transfers).unwrap().counts();
        assert_eq!(moved.len(), 1, "{moved:?}");
        let (mover, sent) = moved.first_key_value().unwrap();
        assert_eq!((board.device_name(mover.device), mover.write), ("usart0", false));
        assert_eq!((sent.transfers, sent.bytes), (CHARACTERS.into(), CHARACTERS.into()));
        assert_eq!((sent.blocks.get(&CHARACTERS), sent.open), (Some(&1), 0));
        assert_eq!(sent.stolen_cycles, u64::from(CHARACTERS) * cycles, "{csr:#x}");
        let counts = board.instrument::<Histogram>(histogram).unwrap().counts();
        let waits: u64 = counts.lines.values().map(|line| line.costs.transfer_waits).sum();
        assert_eq!(waits, sent.stolen_cycles);
        let ram = board.description().memory.iter().position(|one| one.name == "ram").unwrap();
        let by_device = Kind {
            by: Accessor::Device(mover.device),
            to: Target::Memory(ram),
            direction: Direction::Read,
            width: Width::Byte,
        };
        let found = board.instrument::<Accesses>(accesses).unwrap().counts();
        assert_eq!(found[&by_device].accesses, u64::from(CHARACTERS));
        let to_us: u64 = found
            .iter()
            .filter(|(kind, _)| {
                board.target_name(kind.to) == ("usart0".into(), Some("US_TCR".into()))
            })
            .map(|(_, count)| count.accesses)
            .sum();
        assert_eq!(to_us, 1, "US_TCR is written once");
    }
}

#[test]
fn a_timer_interrupt_has_its_source_latency_and_end() {
    let (mut board, spin) = ticking(&[B_SELF], 250);
    board.watch(&[spin, 0x18], &[]);
    let interrupt = record(&mut board, &["tc.interrupt2"]);
    let monitor = board.attach(Box::new(board.interrupts()));
    arrives(&mut board, spin);
    let until = board.cycle() + 5_000;
    run_to(&mut board, until);
    let rises = rises(&interrupt);
    let log = board.take_executed();
    let found = board.instrument::<Interrupts>(monitor).unwrap();
    let sources = found.sources().iter().map(|(by, one)| (board.requester_name(*by), one));
    let sources: Vec<_> = sources.collect();
    assert_eq!(sources.len(), 1, "{sources:?}");
    let (name, source) = &sources[0];
    let count = rises.len() as u64;
    assert_eq!((name.as_str(), source.asserted, source.taken), ("tc.interrupt2", count, count));
    assert_eq!((source.withdrawn, source.merged, source.nested), (0, 0, 0));
    assert_eq!(source.entry.counts().keys().collect::<Vec<_>>(), [&ENTRY_CYCLES]);
    for (one, rise) in found.latest().zip(&rises) {
        assert_eq!(one.asserted, Some(*rise));
        let next = |from: u64, address| {
            log.iter().find(|seen| seen.address == address && seen.cycle >= from).unwrap().cycle
        };
        let (vector, back) = (next(*rise, 0x18), next(one.began.unwrap(), spin));
        assert_eq!((one.began, one.returned), (Some(vector), Some(back)));
        assert_eq!(one.taken + ENTRY_CYCLES, vector);
        // The vector's load: one fetch, then its read of AIC_IVR, 2 cycles.
        assert_eq!(one.served, Some(vector + 3));
    }
}
