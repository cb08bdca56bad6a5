//! The monitor on its own: switches between threads, changes of mode, sources that change their minds.

use super::*;

const LINE: Requester = Requester::Line(0);
const VECTOR: u32 = 0x18;
const OPEN: Status = Status { masked: 0, mode: 1 };
const MASKED: Status = Status { masked: 1, mode: 2 };

fn controller(device: usize) -> RequestSignal {
    let (signal, of) = ("vic.requests".to_owned(), Requesting::Controller(device));
    RequestSignal { signal, of, level: 0 }
}

fn exception(kind: ExceptionKind, at: u32, stack: u32) -> Exception {
    Exception { kind, vector: VECTOR, at, return_to: at + 4, stack }
}

/// Takes an interrupt of `by` at an address, and executes the instruction at the vector 3 cycles later.
fn take(monitor: &mut Interrupts, by: Requester, cycle: Cycle, at: u32, stack: u32) {
    let taken = exception(ExceptionKind::Interrupt(0), at, stack);
    monitor.requested(by);
    monitor.entering(cycle, &taken, MASKED.mode);
    monitor.excepted(cycle + 3, &taken);
    monitor.status(cycle + 3, MASKED);
    monitor.executed(cycle + 3, VECTOR);
}

/// Leaves an exception; the next instruction executes here.
fn leave(monitor: &mut Interrupts, cycle: Cycle, status: Status, at: u32, stack: u32) {
    monitor.left_exception(cycle);
    assert!(!monitor.is_steady());
    monitor.status(cycle, status);
    monitor.stack(stack);
    monitor.executed(cycle, at);
}

/// The program calls the kernel, which goes on elsewhere.
fn trap(monitor: &mut Interrupts, at: u32, stack: u32) {
    monitor.excepted(0, &exception(ExceptionKind::Call, at, stack));
}

fn of(monitor: &Interrupts, by: Requester) -> &Source {
    &monitor.sources()[&by]
}

#[test]
fn a_handler_that_goes_on_in_another_thread_is_over() {
    let mut monitor = Interrupts::new(Vec::new());
    monitor.status(0, OPEN);
    take(&mut monitor, LINE, 100, 0x1000, 0x8000);
    assert_eq!(monitor.under_way().count(), 1);
    leave(&mut monitor, 150, OPEN, 0x2000, 0x9000);
    assert_eq!((of(&monitor, LINE).returned, monitor.under_way().count()), (1, 0));
    assert_eq!(of(&monitor, LINE).handler.total(), 150 - 103);
    assert!(monitor.is_steady());
}

#[test]
fn a_thread_left_with_interrupts_masked_is_known_again() {
    let mut monitor = Interrupts::new(Vec::new());
    // It masks, calls the kernel, and another thread goes on.
    monitor.status(0, MASKED);
    trap(&mut monitor, 0x3000, 0x7000);
    leave(&mut monitor, 50, OPEN, 0x1000, 0x8000);
    take(&mut monitor, LINE, 100, 0x1000, 0x8000);
    leave(&mut monitor, 150, MASKED, 0x3004, 0x7000);
    assert_eq!(of(&monitor, LINE).returned, 1);
}

#[test]
fn a_handler_that_changes_its_mode_goes_on() {
    let mut monitor = Interrupts::new(Vec::new());
    monitor.status(0, OPEN);
    take(&mut monitor, LINE, 100, 0x1000, 0x8000);
    leave(&mut monitor, 110, Status { masked: 1, mode: 3 }, 0x4000, 0x6000);
    assert_eq!((of(&monitor, LINE).returned, monitor.under_way().count()), (0, 1));
    leave(&mut monitor, 150, OPEN, 0x1000, 0x8000);
    assert_eq!(of(&monitor, LINE).returned, 1);
}

#[test]
fn a_trap_in_a_handler_does_not_end_it() {
    let mut monitor = Interrupts::new(Vec::new());
    monitor.status(0, OPEN);
    take(&mut monitor, LINE, 100, 0x1000, 0x8000);
    trap(&mut monitor, 0x5000, 0x6000);
    leave(&mut monitor, 120, MASKED, 0x5004, 0x6000);
    assert_eq!(of(&monitor, LINE).returned, 0);
    leave(&mut monitor, 150, OPEN, 0x1000, 0x8000);
    assert_eq!(of(&monitor, LINE).returned, 1);
}

#[test]
fn the_source_that_is_served_has_the_interrupt() {
    let mut monitor = Interrupts::new(vec![controller(7)]);
    let [low, high] = [4, 5].map(|input| Requester::Source { device: 7, input });
    monitor.changed(80, "vic.requests", 1 << 4);
    monitor.status(0, OPEN);
    take(&mut monitor, low, 100, 0x1000, 0x8000);
    assert_eq!((of(&monitor, low).taken, of(&monitor, low).latency.total()), (1, 20));
    // A request of a higher priority comes before the handler asks.
    monitor.changed(101, "vic.requests", 1 << 4 | 1 << 5);
    monitor.served(106, 7, 5, Service::Begun);
    assert_eq!((of(&monitor, low).taken, of(&monitor, low).waits_since), (0, Some(80)));
    assert_eq!((of(&monitor, high).taken, of(&monitor, low).latency.count()), (1, 0));
    // A source served later in the same handler changes nothing.
    monitor.served(120, 7, 4, Service::Begun);
    assert_eq!(of(&monitor, high).taken, 1);
    monitor.served(130, 7, 4, Service::Merged);
    assert_eq!(of(&monitor, low).merged, 1);
}

#[test]
fn requests_are_withdrawn_or_wait_again() {
    let mut monitor = Interrupts::new(vec![controller(0)]);
    let source = Requester::Source { device: 0, input: 4 };
    for (cycle, level) in [(10, 1 << 4), (20, 0), (30, 1 << 4)] {
        monitor.changed(cycle, "vic.requests", level);
        monitor.changed(cycle, "other.signal", 1);
    }
    assert_eq!((of(&monitor, source).asserted, of(&monitor, source).withdrawn), (2, 1));
    monitor.status(0, OPEN);
    take(&mut monitor, source, 40, 0x1000, 0x8000);
    // The handler leaves the request up.
    leave(&mut monitor, 60, OPEN, 0x1000, 0x8000);
    assert_eq!((of(&monitor, source).asserted, of(&monitor, source).waits_since), (3, Some(60)));
    take(&mut monitor, source, 62, 0x1000, 0x8000);
    let latency: Vec<_> = of(&monitor, source).latency.counts().keys().copied().collect();
    assert_eq!(latency, [2, 10]);
    monitor.clear();
    assert_eq!((of(&monitor, source).taken, monitor.latest().count()), (0, 0));
    assert_eq!(monitor.under_way().count(), 1);
}

#[test]
fn only_the_latest_are_remembered_and_lost_handlers_are_forgotten() {
    let mut monitor = Interrupts::new(Vec::new());
    for n in 0..MOST_REMEMBERED as u64 + 10 {
        monitor.status(0, OPEN);
        take(&mut monitor, LINE, 100 * n, 0x1000, 0x8000);
        leave(&mut monitor, 100 * n + 50, OPEN, 0x1000, 0x8000);
    }
    assert_eq!(monitor.latest().count(), MOST_REMEMBERED);
    assert_eq!(monitor.latest().next().unwrap().taken, 1000);
    for n in 0..100 {
        monitor.status(0, OPEN);
        take(&mut monitor, LINE, 1_000_000 + n, 0x1000, 0x8000);
    }
    assert_eq!(monitor.under_way().count(), 64);
}

#[test]
fn quantiles_are_durations_that_occurred() {
    let mut durations = Durations::default();
    assert_eq!(durations.quantile(0.5), None);
    for (cycles, count) in [(3, 98), (10, 1), (40, 1)] {
        (0..count).for_each(|_| durations.add(cycles));
    }
    let found = [0.0, 0.5, 0.98, 0.99, 1.0].map(|part| durations.quantile(part).unwrap());
    assert_eq!(found, [3, 3, 3, 10, 40]);
    assert_eq!((durations.count(), durations.total()), (100, 98 * 3 + 50));
}
