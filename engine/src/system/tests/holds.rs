//! A device that keeps a path without an access. Cycles are counted by hand.

use super::*;
use crate::device::{Hold, Transfer};

/// A write of n makes it hold the path for n cycles, twice, around a read of the memory.
struct Holder {
    log: Log,
    burst: bool,
}

impl Holder {
    fn hold(&self, tag: Tag, cycles: u32, port: &mut Port) {
        port.hold(Hold { tag, address: 0, cycles, burst: tag > 0 && self.burst });
    }
}

impl Device for Holder {
    fn reset(&mut self, _port: &mut Port) {}

    fn read(&mut self, _offset: u32, _width: Width, _port: &mut Port) -> u32 {
        0
    }

    fn write(&mut self, _offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.hold(0, value, port);
    }

    fn transferred(&mut self, tag: Tag, answer: Result<u32, Abort>, port: &mut Port) {
        self.log.lock().unwrap().push((port.now(), format!("{tag}: {answer:?}")));
        let (address, burst) = (0, self.burst);
        match tag {
            0 => port.transfer(Transfer { tag: 1, address, access: DATA, write: None, burst }),
            1 => self.hold(2, 3, port),
            _ => {}
        }
    }
}

const DEVICE: u32 = 0x1000;

/// Memory at 0 (4 cycles an access) and the device (1 cycle) on one path.
fn board(burst: bool) -> (System, Log) {
    let log = Log::default();
    let waits = Timing::Waits(Waits::new(Width::Word, 3, 3));
    let window = DeviceWindow { base: DEVICE, size: 0x10, device: 0, offset: 0, bus: 0 };
    let holder = Holder { log: Arc::clone(&log), burst };
    let mut system = System::new(Parts {
        architecture: crate::cores::ALL[0],
        memories: vec![Memory::new("main", 0, 0x1000, Kind::Ram, waits)],
        map: Map::new(
            vec![Window { base: 0, size: 0x1000, memory: 0, offset: 0 }],
            vec![window],
            Vec::new(),
        ),
        buses: vec![PeripheralBus { cycles: 1, ..PeripheralBus::default() }],
        paths: 1,
        devices: vec![("holder".into(), Box::new(holder), Vec::new())],
        inputs: Vec::new(),
        wires: Vec::new(),
        oscillator_hz: 1,
        synchroniser_cycles: 2,
    });
    system.reset(&[]);
    (system, log)
}

/// The cycle at which a read of the core completes.
fn read(system: &mut System) -> Cycle {
    system.read(0, DATA).unwrap();
    system.now()
}

#[test]
fn a_core_waits_for_a_path_that_is_held() {
    let (mut system, log) = board(true);
    system.write(DEVICE, 5, DATA).unwrap(); // 0 to 1; held 1 to 6, the read 6 to 10, held 10 to 13
    assert_eq!(read(&mut system), 17);
    assert_eq!(taken(&log), noted(&[(6, "0: Ok(0)"), (10, "1: Ok(0)"), (13, "2: Ok(0)")]));
    assert_eq!(read(&mut system), 21);
}

#[test]
fn without_a_burst_a_core_that_waits_goes_before_each_of_them() {
    let (mut system, log) = board(false);
    system.write(DEVICE, 5, DATA).unwrap();
    assert_eq!(read(&mut system), 10, "6 to 10");
    assert_eq!(read(&mut system), 18, "the device's read 10 to 14");
    assert_eq!(read(&mut system), 25, "held 18 to 21");
    assert_eq!(taken(&log), noted(&[(6, "0: Ok(0)"), (14, "1: Ok(0)"), (21, "2: Ok(0)")]));
}

#[test]
fn the_core_goes_on_inside_while_the_path_is_held() {
    let (mut system, _) = board(true);
    system.write(DEVICE, 5, DATA).unwrap();
    system.idle(15);
    assert_eq!(read(&mut system), 20, "all of it is over at 13");
}

#[test]
fn a_hold_of_no_cycle_takes_one() {
    let (mut system, log) = board(true);
    system.write(DEVICE, 0, DATA).unwrap();
    system.idle(20);
    assert_eq!(taken(&log)[0].0, 2);
}
