//! The EEPROM by the data sheet.

use super::*;
use crate::devices::rig::Rig;

fn rig() -> Rig {
    let parameters = Parameters { base: 0x81_0000, size: 0x1000 };
    let mut rig = Rig::new(Eeprom::new(parameters).unwrap());
    rig.input("core_hz", 16_000_000);
    rig
}

#[test]
fn a_read_halts_the_core_for_four_cycles() {
    let mut rig = rig();
    rig.at(10).write(EEARL, 0x34).write(EEARH, 0xF2).write(EECR, EERE.into());
    assert_eq!(rig.stalled_cycles, 4);
    let transfer = rig.transfer(Ok(0x5A));
    assert_eq!((transfer.address, transfer.write), (0x81_0234, None));
    assert_eq!((rig.at(15).read(EEDR), rig.read(EECR)), (0x5A, 0));
    assert_eq!((rig.read(EEARL), rig.read(EEARH)), (0x34, 2));
}

#[test]
fn programming_starts_within_four_cycles_of_the_master_enable() {
    for late in 1..8 {
        let mut rig = rig();
        rig.at(100).write(EECR, EEMPE.into());
        let open = if late <= 4 { u32::from(EEMPE) } else { 0 };
        assert_eq!(rig.at(100 + late - 1).read(EECR), open);
        rig.at(100 + late).write(EECR, EEPE.into());
        assert_eq!((rig.stalled_cycles, rig.transfers()), if late <= 4 { (2, 1) } else { (0, 0) });
    }
    assert_eq!(rig().write(EECR, (EEMPE | EEPE).into()).transfers(), 0, "both at once");
}

#[test]
fn a_byte_takes_its_time_and_holds_what_its_mode_makes() {
    for (mode, cycles, value) in [(0, 54_400, 0x0F), (1, 28_800, 0xFF), (2, 28_800, 0x0C)] {
        let mut rig = rig();
        rig.write(EEARL, 7).write(EEDR, 0x0F).write(EECR, mode << 4 | u32::from(EEMPE));
        rig.at(2).write(EECR, mode << 4 | u32::from(EEPE));
        assert_eq!(rig.transfer(Ok(0x3C)).write, None, "the byte before");
        let ends = 2 + cycles;
        assert_eq!(rig.at(ends - 1).read(EECR), mode << 4 | u32::from(EEPE));
        assert_eq!(rig.at(ends).read(EECR), mode << 4);
        let transfer = rig.transfer(Ok(0));
        assert_eq!((transfer.address, transfer.write), (0x81_0007, Some(value)));
    }
}

#[test]
fn nothing_changes_while_a_byte_is_programmed() {
    let mut rig = rig();
    rig.write(EECR, EEMPE.into()).write(EECR, EEPE.into()).write(EEDR, 9).write(EECR, EERE.into());
    rig.write(EECR, EEMPE.into()).write(EECR, EEPE.into());
    assert_eq!((rig.transfers(), rig.stalled_cycles, rig.read(EEDR)), (1, 2, 0));
    assert_eq!(
        rig.unmodelled(),
        [
            "EEDR or EEAR written while EEPE is set: it stays as it was",
            "EERE while EEPE is set: nothing is read",
        ]
    );
}

#[test]
fn it_requests_while_it_is_ready() {
    let mut rig = rig();
    rig.write(EECR, (EERIE | EEMPE).into()).write(EECR, (EERIE | EEPE).into()).at(60_000);
    assert_eq!(rig.changes("ready"), [(0, 0), (0, 1), (0, 0), (54_400, 1)]);
    assert_eq!(rig.acknowledge("ready").output("ready"), 1);
    assert_eq!(rig.write(EECR, 0).output("ready"), 0);
}
