//! Two accesses under way at once: the core's beside a device's, and two of the core's. Cycles are counted by
//! hand.

use super::*;
use crate::bus::{Begun, CodeBus};
use crate::device::Transfer;
use crate::instrument::{Answered, Instrument, Interest, Pause};

/// A DMA controller: event n, or a write of n, asks for transfer n of its plan. When that is complete it
/// asks for n + 1, and so on up to one that is missing.
struct Dma {
    log: Log,
    plan: fn(u32) -> Option<Transfer>,
}

impl Dma {
    fn ask(&mut self, tag: Tag, port: &mut Port) {
        if let Some(transfer) = (self.plan)(tag) {
            port.transfer(Transfer { tag, ..transfer });
        }
    }
}

impl Device for Dma {
    fn reset(&mut self, _port: &mut Port) {}

    fn read(&mut self, _offset: u32, _width: Width, port: &mut Port) -> u32 {
        port.now() as u32
    }

    /// At offset 0 it asks at once, else by an event as many cycles later as the number of the register.
    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        assert_eq!(offset % 4, 0, "registers are words");
        match offset {
            0 => self.ask(value, port),
            _ => port.schedule(value, port.now() + Cycle::from(offset / 4)),
        }
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        self.ask(tag, port);
    }

    fn transferred(&mut self, tag: Tag, answer: Result<u32, Abort>, port: &mut Port) {
        self.log.lock().unwrap().push((port.now(), format!("{tag}: {answer:?}")));
        self.ask(tag + 1, port);
    }
}

const MAIN: u32 = 0x100;
const SIDE: u32 = 0x8000;
const DMA: u32 = 0x1000;

/// Memory at 0 (4 cycles an access) and the controller at 0x1000 (3 cycles) on one path, memory at 0x8000
/// (2 cycles) on another.
fn board(plan: fn(u32) -> Option<Transfer>) -> (System, Log) {
    let log = Log::default();
    let memory = |name, base, wait, path| {
        let waits = Waits::new(Width::Word, wait, wait);
        let mut memory = Memory::new(name, base, 0x1000, Kind::Ram, Timing::Waits(waits));
        memory.path = path;
        memory
    };
    let window = |base, memory| Window { base, size: 0x1000, memory, offset: 0 };
    let dma = DeviceWindow { base: DMA, size: 0x100, device: 0, offset: 0, bus: 0 };
    let mut system = System::new(Parts {
        architecture: crate::cores::ALL[0],
        memories: vec![memory("main", 0, 3, 0), memory("side", SIDE, 1, 1)],
        map: Map::new(vec![window(0, 0), window(SIDE, 1)], vec![dma], Vec::new()),
        buses: vec![PeripheralBus { cycles: 3, ..PeripheralBus::default() }],
        paths: 2,
        devices: vec![("dma".into(), Box::new(Dma { log: Arc::clone(&log), plan }), Vec::new())],
        inputs: Vec::new(),
        wires: Vec::new(),
        oscillator_hz: 1,
        synchroniser_cycles: 2,
    });
    system.reset(&[]);
    (system, log)
}

fn transfer(address: u32, write: Option<u32>, burst: bool) -> Option<Transfer> {
    Some(Transfer { tag: 0, address, access: DATA, write, burst })
}

/// The cycle at which a read of the core completes.
fn read(system: &mut System, address: u32) -> Cycle {
    system.read(address, DATA).unwrap();
    system.now()
}

fn begin(system: &mut System, address: u32) -> Cycle {
    system.begin(address, DATA, None).unwrap().completes
}

/// A controller whose registers are words alone transfers a byte to its own offset 5, then reads it.
#[test]
fn on_a_bus_of_words_alone_a_transfer_acts_on_the_whole_register() {
    let (mut system, log) = board(|tag| {
        let byte = Access::data(Width::Byte);
        let write = (tag == 0).then_some(0x1FF);
        (tag < 2).then_some(Transfer { tag, address: DMA + 5, access: byte, write, burst: false })
    });
    system.buses[0].words_only = true;
    system.write(DMA, 0, DATA).unwrap(); // 0 to 3, then transfers 3 to 6 and 6 to 9
    system.idle(300);
    // Offset 4: an event one cycle later, of number 0xFF, which the plan lacks. A read gives the cycle.
    assert_eq!(taken(&log), noted(&[(6, "0: Ok(0)"), (9, "1: Ok(9)")]));
    let texts: Vec<_> = system.unmodelled().iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["an access of dma that is no word: it acts on the whole register"]);
}

fn one(tag: u32) -> Option<Transfer> {
    (tag == 0).then(|| transfer(MAIN, None, false))?
}

#[test]
fn a_core_on_another_path_does_not_wait_for_a_transfer() {
    let (mut system, log) = board(one);
    system.write(DMA, 0, DATA).unwrap(); // 0 to 3; the transfer 3 to 7
    assert_eq!(read(&mut system, SIDE), 5);
    assert_eq!(taken(&log), []);
    assert_eq!(read(&mut system, SIDE), 7);
    assert_eq!(taken(&log), noted(&[(7, "0: Ok(0)")]));
    assert_eq!(read(&mut system, MAIN), 11, "the path is free again");
}

#[test]
fn a_core_on_the_same_path_waits_for_a_transfer() {
    let (mut system, log) = board(one);
    system.write(DMA, 0, DATA).unwrap();
    assert_eq!(read(&mut system, MAIN), 11, "waits 3 to 7");
    assert_eq!(taken(&log), noted(&[(7, "0: Ok(0)")]));
    assert_eq!(read(&mut system, MAIN), 15);
}

#[test]
fn registers_are_reached_by_a_path_too() {
    let (mut system, _) = board(one);
    system.write(DMA, 0, DATA).unwrap();
    assert_eq!(read(&mut system, DMA), 10, "waits 3 to 7");
}

#[test]
fn transfers_and_a_core_that_waits_take_turns() {
    let (mut system, log) = board(|tag| (tag < 3).then(|| transfer(MAIN, None, false))?);
    system.write(DMA, 0, DATA).unwrap(); // transfer 0: 3 to 7
    assert_eq!(read(&mut system, MAIN), 11, "7 to 11");
    assert_eq!(read(&mut system, MAIN), 19, "transfer 1: 11 to 15");
    assert_eq!(read(&mut system, SIDE), 21);
    assert_eq!(read(&mut system, MAIN), 27, "transfer 2: 19 to 23");
    assert_eq!(taken(&log), noted(&[(7, "0: Ok(0)"), (15, "1: Ok(0)"), (23, "2: Ok(0)")]));
}

#[test]
fn a_burst_keeps_its_path_from_a_core_that_waits() {
    let (mut system, log) = board(|tag| (tag < 3).then(|| transfer(MAIN, None, true))?);
    system.write(DMA, 0, DATA).unwrap();
    assert_eq!(read(&mut system, MAIN), 19, "transfers 3 to 15");
    assert_eq!(taken(&log), noted(&[(7, "0: Ok(0)"), (11, "1: Ok(0)"), (15, "2: Ok(0)")]));
}

#[test]
fn a_transfer_asked_for_during_an_access_begins_behind_it_and_sees_what_it_wrote() {
    let (mut system, log) = board(one);
    system.write(DMA + 8, 0, DATA).unwrap(); // at 3: asks at 5
    system.write(MAIN, 9, DATA).unwrap(); // 3 to 7
    assert_eq!(read(&mut system, SIDE), 9);
    assert_eq!(read(&mut system, MAIN), 15, "the transfer: 7 to 11");
    assert_eq!(taken(&log), noted(&[(11, "0: Ok(9)")]));
}

#[test]
fn a_transfer_while_the_core_leaves_the_path_alone_begins_at_once() {
    let (mut system, log) = board(one);
    system.write(DMA + 8, 0, DATA).unwrap(); // asks at 5
    system.idle(10); // 3 to 13
    assert_eq!(taken(&log), noted(&[(9, "0: Ok(0)")]));
    assert_eq!(read(&mut system, MAIN), 17);
    system.write(DMA + 4, 0, DATA).unwrap(); // 17 to 20; asks at 21
    assert_eq!(read(&mut system, SIDE), 22);
    assert_eq!(read(&mut system, MAIN), 29, "the transfer: 21 to 25");
}

#[test]
fn a_transfer_writes_when_it_completes_and_code_decoded_there_is_void() {
    let (mut system, log) = board(|tag| match tag {
        0 => transfer(SIDE + 4, Some(7), false),
        1 => transfer(DMA, None, false),
        2 => transfer(0x7000, None, false),
        _ => None,
    });
    assert!(system.track_writes(SIDE, 64));
    let version = system.version();
    system.write(DMA, 0, DATA).unwrap(); // 3 to 5, then a register 5 to 8, then nothing 8 to 9
    assert_eq!((system.peek(SIDE + 4, Width::Word), system.version()), (Some(0), version));
    system.idle(7);
    assert_eq!(system.peek(SIDE + 4, Width::Word), Some(7));
    assert!(system.version() > version);
    assert_eq!(taken(&log), noted(&[(5, "0: Ok(0)"), (8, "1: Ok(8)"), (9, "2: Err(Abort)")]));
}

#[test]
fn a_sleeping_core_lets_transfers_go_on() {
    let (mut system, log) = board(|tag| (tag < 2).then(|| transfer(MAIN, None, false))?);
    system.write(DMA, 0, DATA).unwrap();
    system.asleep = true;
    assert_eq!(system.sleep(20), Slept::ForEver);
    assert_eq!(taken(&log), noted(&[(7, "0: Ok(0)"), (11, "1: Ok(0)")]));
}

#[test]
fn a_burst_without_an_end_is_told_and_does_not_hang() {
    let (mut system, _) = board(|_| transfer(MAIN, None, true));
    system.write(DMA, 0, DATA).unwrap();
    system.read(MAIN, DATA).unwrap();
    let Some(StopRequest::Failure(sentence)) = system.take_stop_request() else { panic!("no end") };
    assert!(sentence.starts_with("A device has kept the core from its bus for"), "{sentence}");
}

#[test]
fn two_accesses_of_the_core_on_two_paths_take_as_long_as_the_longer() {
    let (mut system, _) = board(one);
    assert_eq!(begin(&mut system, MAIN), 4);
    assert_eq!((system.now(), read(&mut system, SIDE)), (0, 2));
    system.wait(4);
    assert_eq!(system.now(), 4);
    assert_eq!(begin(&mut system, SIDE), 6);
    assert_eq!(read(&mut system, MAIN), 8);
    system.wait(6);
    assert_eq!(system.now(), 8);
    assert_eq!(read(&mut system, SIDE), 10);
}

#[test]
fn two_accesses_of_the_core_on_one_path_take_as_long_as_both() {
    let (mut system, _) = board(one);
    assert_eq!(begin(&mut system, MAIN), 4);
    assert_eq!(read(&mut system, MAIN + 4), 8);
    assert_eq!(begin(&mut system, MAIN), 12);
    assert_eq!((begin(&mut system, MAIN + 4), system.now()), (16, 12), "the second begins at 12");
    assert_eq!((begin(&mut system, DMA), system.now()), (19, 19), "a register is waited for");
    let nothing = system.begin(0x7000, DATA, None);
    assert_eq!((nothing, system.now()), (Err(Abort), 20));
}

#[test]
fn an_access_that_was_begun_and_a_transfer_wait_for_each_other() {
    let (mut system, log) = board(one);
    system.write(DMA, 0, DATA).unwrap(); // the transfer: 3 to 7
    assert_eq!((begin(&mut system, SIDE), system.now()), (5, 3), "another path");
    assert_eq!((begin(&mut system, MAIN), system.now()), (11, 7), "the same path");
    system.wait(11);
    assert_eq!(taken(&log), noted(&[(7, "0: Ok(0)")]));
    system.write(DMA + 4, 0, DATA).unwrap(); // 11 to 14; asks at 15
    assert_eq!(begin(&mut system, MAIN), 18);
    assert_eq!(read(&mut system, SIDE), 16);
    assert_eq!(read(&mut system, MAIN), 26, "the transfer: 18 to 22");
    assert_eq!(taken(&log), noted(&[(22, "0: Ok(0)")]));
}

#[test]
fn an_access_that_was_begun_reads_and_writes_at_its_beginning() {
    let (mut system, _) = board(one);
    let begun = system.begin(MAIN, DATA, Some(5));
    assert_eq!(begun, Ok(Begun { value: 0, completes: 4 }));
    assert_eq!(system.peek(MAIN, Width::Word), Some(5));
    assert_eq!(system.begin(MAIN, DATA, None), Ok(Begun { value: 5, completes: 8 }));
}

/// Logs all that it is notified of, and checks that time does not go back.
#[derive(Clone, Default)]
struct Observer(Log);

impl Observer {
    fn note(&self, at: Cycle, what: String) {
        let mut log = self.0.lock().unwrap();
        assert!(
            log.last().is_none_or(|last| at >= last.0),
            "{what} at {at}, behind {:?}",
            log.last()
        );
        log.push((at, what));
    }
}

impl Instrument for Observer {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn answered(&mut self, _by: Answered) {}

    fn accessed(&mut self, at: Cycle, address: u32, _access: Access, _write: bool, _value: u32) {
        self.note(at, format!("access to {address:#x}"));
    }

    fn paused(&mut self, at: Cycle, cycles: Cycle, _why: Pause) {
        self.note(at, format!("{cycles} idle"));
    }
}

#[test]
fn observers_hear_of_accesses_in_the_order_in_which_they_complete() {
    let (mut system, _) = board(one);
    let observer = Observer::default();
    system.attach(Box::new(observer.clone()));
    begin(&mut system, MAIN);
    read(&mut system, SIDE);
    system.idle(3);
    begin(&mut system, MAIN + 4);
    system.wait(9);
    let heard =
        [(2, "access to 0x8000"), (4, "access to 0x100"), (5, "1 idle"), (9, "access to 0x104")];
    assert_eq!(taken(&observer.0), noted(&heard));
}

/// Random accesses, begun and not, beside bursts and single transfers on both paths.
fn random_work(system: &mut System, seed: u32) -> Vec<Cycle> {
    let mut random = Random(seed);
    let mut begun = 0;
    let mut step = || {
        let address = [MAIN, SIDE][random.below(2) as usize] + 4 * random.below(64);
        match random.below(8) {
            0 => system.idle(1 + random.below(6)),
            1 => {
                let when = 4 * random.below(4);
                system.write(DMA + when, random.below(4), DATA).unwrap();
            }
            2 => begun = system.begin(address, DATA, None).unwrap().completes,
            3 => begun = system.begin(address, DATA, Some(random.0)).unwrap().completes,
            4 => system.wait(begun),
            5 => system.write(address, random.0, DATA).unwrap(),
            _ => drop(system.read(address, DATA).unwrap()),
        }
        system.now()
    };
    (0..5_000).map(|_| step()).collect()
}

#[test]
fn observers_change_nothing_of_what_overlaps() {
    let plan = |tag| match tag {
        0 => transfer(MAIN, None, false),
        1 => transfer(SIDE + 8, Some(1), true),
        2 => transfer(MAIN + 4, Some(2), true),
        _ => None,
    };
    for seed in 0..8 {
        let ((mut seen, seen_log), (mut unseen, log)) = (board(plan), board(plan));
        seen.attach(Box::new(Observer::default()));
        assert_eq!(random_work(&mut seen, seed), random_work(&mut unseen, seed));
        let bytes =
            |system: &System| system.memories().iter().map(|m| m.bytes().to_vec()).collect();
        let bytes: [Vec<Vec<u8>>; 2] = [bytes(&seen), bytes(&unseen)];
        assert_eq!((taken(&seen_log), &bytes[0]), (taken(&log), &bytes[1]));
    }
}
