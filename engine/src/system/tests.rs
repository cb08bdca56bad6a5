//! Events, wires and device accesses, on a bus without a core.

use std::sync::{Arc, Mutex};

mod at_once;
mod holds;
mod paths;

use super::*;
use crate::bus::{Abort, Access, Bus, CodeBus};
use crate::device::{Device, Input as InputIndex, Port, Tag};
use crate::memory::Kind;
use crate::registry::Registry;
use crate::timing::{MemoryTiming, Timing, Waits};

/// Numbers that look random, the same in each run (the generator of Numerical Recipes).
struct Random(u32);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % bound
    }
}

type Log = Arc<Mutex<Vec<(Cycle, String)>>>;

/// A device that logs what reaches it. A write schedules event `value` so many cycles ahead as its
/// offset says; an input answers as `answer` says.
struct Logger {
    name: &'static str,
    log: Log,
    answer: fn(u32, &mut Port),
    event: fn(Tag, &mut Port),
}

impl Logger {
    fn note(&self, what: String, port: &Port) {
        self.log.lock().unwrap().push((port.now(), format!("{} {what}", self.name)));
    }
}

impl Device for Logger {
    fn outputs(&self) -> &'static [&'static str] {
        &["out"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["in"]
    }

    fn reset(&mut self, _port: &mut Port) {}

    fn read(&mut self, _offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.note("read".into(), port);
        port.now() as u32
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        port.schedule(value, port.now() + Cycle::from(offset));
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        self.note(format!("event {tag}"), port);
        (self.event)(tag, port);
    }

    fn changed(&mut self, _input: InputIndex, level: u32, port: &mut Port) {
        self.note(format!("in {level}"), port);
        (self.answer)(level, port);
    }
}

/// Memory at 0 (4 cycles an access), device a at 0x1000, b at 0x2000 (3 cycles), wires a → b → a.
fn system(answer: fn(u32, &mut Port), event: fn(Tag, &mut Port)) -> (System, Log) {
    let log = Log::default();
    let logger = |name| Logger { name, log: Arc::clone(&log), answer, event };
    let waits = Waits::new(Width::Word, 3, 3);
    let memory = Memory::new("ram", 0, 0x1000, Kind::Ram, Timing::Waits(waits));
    let place = |device, base| DeviceWindow { base, size: 0x1000, device, offset: 0, bus: 0 };
    let windows = vec![Window { base: 0, size: 0x1000, memory: 0, offset: 0 }];
    let input = |name: &str, device| Input {
        name: name.into(),
        listener: Listener::Device { device, input: 0 },
    };
    let mut system = System::new(Parts {
        architecture: crate::cores::ALL[0],
        memories: vec![memory],
        map: Map::new(windows, vec![place(0, 0x1000), place(1, 0x2000)], Vec::new()),
        buses: vec![PeripheralBus { cycles: 3, ..PeripheralBus::default() }],
        paths: 1,
        devices: vec![
            ("a".into(), Box::new(logger("a")), Vec::new()),
            ("b".into(), Box::new(logger("b")), Vec::new()),
        ],
        inputs: vec![input("a.in", 0), input("b.in", 1)],
        wires: vec![((0, 0), 1), ((1, 0), 0)],
        oscillator_hz: 1,
        synchroniser_cycles: 2,
    });
    system.reset(&[]);
    (system, log)
}

fn taken(log: &Log) -> Vec<(Cycle, String)> {
    std::mem::take(&mut log.lock().unwrap())
}

fn silent(_: u32, _: &mut Port) {}

const DATA: Access = Access::data(Width::Word);
const CODE: Access = Access::code(Width::Word);

fn noted(entries: &[(Cycle, &str)]) -> Vec<(Cycle, String)> {
    entries.iter().map(|(at, what)| (*at, (*what).to_owned())).collect()
}

#[test]
fn events_fire_inside_the_access_during_which_they_fall_due_each_at_its_own_cycle() {
    let (mut system, log) = system(silent, silent);
    system.write(0x1008, 1, DATA).unwrap(); // at 3: a's event 1 at 11
    system.write(0x2004, 2, DATA).unwrap(); // at 6: b's event 2 at 10
    assert_eq!((system.now(), system.hot.next_event), (6, 10));
    assert_eq!(taken(&log), []);
    system.read(0, DATA).unwrap(); // 6 to 10: an event due as it completes is inside
    assert_eq!(taken(&log), noted(&[(10, "b event 2")]));
    system.idle(5);
    assert_eq!((system.now(), taken(&log)), (15, noted(&[(11, "a event 1")])));
    assert_eq!(system.hot.next_event, NEVER);
}

#[test]
fn events_of_one_cycle_fire_in_the_order_of_their_devices_then_of_their_requests() {
    let (mut system, log) = system(silent, silent);
    system.write(0x2010, 1, DATA).unwrap(); // at 3: b, due 19
    system.write(0x100C, 8, DATA).unwrap(); // at 6: a, due 18
    system.write(0x1008, 7, DATA).unwrap(); // at 9: a, due 17
    system.write(0x1004, 9, DATA).unwrap(); // at 12: a, due 16
    system.write(0x1004, 8, DATA).unwrap(); // at 15: a's event 8 anew, due 19
    system.write(0x1000, 6, DATA).unwrap(); // at 18: due at once
    let fired = noted(&[(16, "a event 9"), (17, "a event 7"), (18, "a event 6")]);
    assert_eq!(taken(&log), fired);
    system.idle(1);
    assert_eq!(taken(&log), noted(&[(19, "a event 8"), (19, "b event 1")]));
}

#[test]
fn a_register_read_sees_every_event_due_by_its_completion() {
    let (mut system, log) = system(silent, silent);
    system.write(0x2004, 5, DATA).unwrap(); // at 3: due 7
    system.idle(1);
    assert_eq!(system.read(0x1000, DATA), Ok(7), "4 to 7");
    assert_eq!(taken(&log), noted(&[(7, "b event 5"), (7, "a read")]));
}

#[test]
fn an_event_asked_for_in_the_past_fires_now() {
    let (mut system, log) = system(silent, |tag, port| {
        if tag == 1 {
            port.schedule(2, 0);
        }
    });
    system.write(0x1004, 1, DATA).unwrap();
    system.idle(10);
    assert_eq!(taken(&log), noted(&[(7, "a event 1"), (7, "a event 2")]));
}

#[test]
fn a_level_is_heard_when_it_changes_and_a_value_every_time() {
    let (mut system, log) = system(silent, |tag, port| {
        port.drive(0, 5);
        port.drive(0, 5);
        port.send(0, tag);
        port.send(0, tag);
    });
    system.write(0x1000, 9, DATA).unwrap();
    let heard = [(3, "a event 9"), (3, "b in 5"), (3, "b in 9"), (3, "b in 9")];
    assert_eq!(taken(&log), noted(&heard));
    assert_eq!(system.receive("a.out").unwrap(), [(3, 9), (3, 9)]);
    assert_eq!(system.receive("a.out").unwrap(), []);
}

#[test]
fn a_loop_of_wires_that_never_settles_is_told_and_does_not_hang() {
    let (mut system, _) = system(|level, port| port.drive(0, level + 1), silent);
    system.drive("a.in", 1, None).unwrap();
    let Some(StopRequest::Failure(sentence)) = system.take_stop_request() else {
        panic!("settled")
    };
    assert_eq!(
        sentence,
        "The board's signals never settle at cycle 0: look for a loop among the [[connect]] entries."
    );
}

#[test]
fn an_event_that_asks_for_itself_at_once_is_told_and_does_not_hang() {
    let (mut system, _) = system(silent, |tag, port| port.schedule(tag, port.now()));
    system.write(0x1000, 1, DATA).unwrap();
    assert!(matches!(system.take_stop_request(), Some(StopRequest::Failure(_))));
}

#[test]
fn nobody_answers_where_nothing_is_and_the_cycle_is_spent() {
    let (mut system, _) = system(silent, silent);
    assert_eq!((system.read(0x3000, DATA), system.now()), (Err(Abort), 1));
    assert_eq!((system.write(0x3000, 0, DATA), system.now()), (Err(Abort), 2));
}

#[test]
fn bytes_and_halfwords_have_their_place_in_the_word() {
    let (mut system, _) = system(silent, silent);
    system.write(0x10, 0x4433_2211, DATA).unwrap();
    system.write(0x11, 0xAA, Access::data(Width::Byte)).unwrap();
    system.write(0x13, 0xBBCC, Access::data(Width::Half)).unwrap();
    assert_eq!(system.read(0x12, DATA), Ok(0xBBCC_AA11), "the low bits are ignored");
    assert_eq!(system.read(0x13, Access::data(Width::Byte)), Ok(0xBB));
    assert_eq!(system.read(0x13, Access::data(Width::Half)), Ok(0xBBCC));
}

/// Flash behind a MAM with these settings.
fn mam(mode: u32, read_cycles: u32) -> Timing {
    let mut timing = Registry::default().timing("mam_lpc2000", toml::Table::new()).unwrap();
    timing.set(0, mode | read_cycles << 8);
    timing
}

/// Whether an iteration made of `body`, and traced from cycle 12 on, could repeat itself.
fn repeats(body: fn(&mut System)) -> bool {
    let (mut system, _) = system(silent, silent);
    system.buses[0].divider = 4;
    system.memories[0].timing = mam(2, 3);
    system.idle(4);
    system.write(0x104, 7, DATA).unwrap();
    system.read(0x20, CODE).unwrap();
    system.idle((4 - system.now() % 4) as u32 + 40);
    system.begin_trace();
    body(&mut system);
    system.trace_holds() && system.has_repeated()
}

#[test]
fn a_turn_repeats_itself_only_if_all_is_as_it_was() {
    assert!(repeats(|system| system.idle(4)));
    assert!(!repeats(|system| system.idle(3)), "the peripheral clock stands elsewhere");
    assert!(!repeats(|_| {}), "no time went by");
    assert!(repeats(|system| {
        system.read(0x20, CODE).unwrap();
        system.idle(3);
    }));
    assert!(
        !repeats(|system| {
            system.read(0x40, CODE).unwrap();
            system.idle(5);
        }),
        "the flash holds other lines"
    );
}

#[test]
fn a_turn_repeats_itself_only_if_memory_holds_what_it_held() {
    assert!(repeats(|system| {
        system.write(0x104, 9, DATA).unwrap();
        system.write(0x104, 7, DATA).unwrap();
        system.idle((4 - system.now() % 4) as u32);
    }));
    assert!(!repeats(|system| {
        system.write(0x104, 9, DATA).unwrap();
        system.idle((4 - system.now() % 4) as u32);
    }));
}

#[test]
fn a_turn_with_something_that_need_not_come_again_does_not_repeat_itself() {
    assert!(
        !repeats(|system| {
            system.read(0x1000, DATA).unwrap();
            system.idle((4 - system.now() % 4) as u32);
        }),
        "the device did not say that it is steady"
    );
    assert!(
        !repeats(|system| {
            system.read(0x5000, DATA).unwrap_err();
            system.idle(3);
        }),
        "an abort"
    );
}

/// Instruments and stops that come back find code that was decoded for them.
#[test]
fn decoded_code_ends_wherever_somebody_waited_not_long_ago() {
    let (mut system, _) = system(silent, silent);
    system.keep_code(true);
    let mut version_with = |pcs: &[u32], ends: &[(u32, bool)]| {
        system.stop_on(pcs, false, None);
        for &(address, ends) in ends {
            assert_eq!(system.has_breakpoint(address), ends, "{address:#x}");
        }
        system.version()
    };
    let first = version_with(&[0x100], &[(0x100, true), (0x200, false)]);
    assert_eq!(version_with(&[], &[(0x100, true)]), first);
    let second = version_with(&[0x200], &[(0x100, true), (0x200, true)]);
    assert!(second > first);
    assert_eq!(version_with(&[0x100], &[(0x200, true)]), second);
    let many: Vec<u32> = (0..64).map(|number| 0x400 + 4 * number).collect();
    let third = version_with(&many, &[(0x100, false), (0x200, false), (0x400, true)]);
    assert!(third > second);
    assert!(version_with(&[0x100], &[(0x100, true), (0x400, false)]) > third);
}

/// Code that is kept is that of an address, so it is void where another memory is shown, and where it is the same
/// one with another offset.
#[test]
fn code_that_is_kept_is_void_where_something_else_is_shown() {
    let (mut system, _) = system(silent, silent);
    system.keep_code(true);
    let mut version_with = |offset: u32, size: u32| {
        let windows = vec![Window { base: 0, size, memory: 0, offset }];
        system.map = Map::new(windows, Vec::new(), Vec::new());
        system.forget_windows();
        system.version()
    };
    let first = version_with(0, 0x1000);
    assert_eq!(version_with(0, 0x1000), first);
    let second = version_with(0, 0x800);
    assert!(second > first);
    assert!(version_with(0x800, 0x800) > second);
}
