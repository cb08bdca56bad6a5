//! The channels register by register, with a bus that answers by hand.

use super::super::rig::Rig;
use super::*;

const SOURCE: u32 = 0x0200_0100;
const DESTINATION: u32 = 0x0300_0200;

fn dma() -> Rig {
    Rig::new(Dma::default())
}

/// A channel is to move so many units.
fn set(rig: &mut Rig, n: u32, control: u32, units: u32) {
    let base = CHANNEL_BYTES * n;
    rig.write(base, SOURCE).write(base + 4, DESTINATION);
    rig.write(base + 8, control << 16 | units);
}

/// The next transfer: address, whether it is sequential, the value written.
fn next(rig: &mut Rig, answer: u32) -> (u32, bool, Option<u32>) {
    let transfer = rig.transfer(Ok(answer));
    assert!(transfer.burst);
    (transfer.address, transfer.access.is_sequential(), transfer.write)
}

#[test]
fn a_channel_takes_the_bus_two_cycles_after_the_store_and_gives_it_back() {
    let mut rig = dma();
    rig.at(100);
    set(&mut rig, 3, 0x8000, 2);
    assert_eq!(rig.next_event(), 102);
    rig.at(102);
    let hold = rig.hold();
    assert_eq!((hold.cycles, hold.burst), (1, false), "the core's own access goes first");
    assert_eq!(next(&mut rig, 0xABCD), (SOURCE, true, None));
    assert_eq!(next(&mut rig, 0), (DESTINATION, true, Some(0xABCD)));
    assert_eq!(next(&mut rig, 0x1234), (SOURCE + 2, true, None));
    assert_eq!(rig.read_as(0x2E, Width::Half), 0x8000);
    assert_eq!(next(&mut rig, 0), (DESTINATION + 2, true, Some(0x1234)));
    let hold = rig.hold();
    assert_eq!((hold.cycles, hold.burst), (1, true));
    assert_eq!((rig.read_as(0x2E, Width::Half), rig.transfers()), (0, 0));
    assert_eq!((rig.blocks.clone(), rig.sent("interrupt3")), (vec![(3, 2)], vec![]));
}

#[test]
fn the_first_access_to_the_cartridge_alone_is_no_part_of_a_burst() {
    let cartridge = 0x0800_0100;
    for (source, destination, sequential) in [
        (cartridge, DESTINATION, [false, true, true, true]),
        (SOURCE, cartridge, [true, false, true, true]),
        (cartridge, cartridge + 0x100, [false, true, true, true]),
    ] {
        let mut rig = dma();
        rig.write(0x24, source).write(0x28, destination).write(0x2C, 0x8000_0002);
        rig.at(2).hold();
        assert_eq!([(); 4].map(|()| next(&mut rig, 0).1), sequential);
    }
}

#[test]
fn addresses_step_as_the_control_register_says() {
    // (control, source, destination) after a unit of 4 or 2 bytes.
    let table: [(u32, u32, u32); 6] = [
        (0x8000, 2, 2),
        (0x8400, 4, 4),
        (0x84A0, 4u32.wrapping_neg(), 4u32.wrapping_neg()),
        (0x8540, 0, 0),
        (0x8460, 4, 4),
        (0x80C0, 2u32.wrapping_neg(), 0),
    ];
    for (control, source, destination) in table {
        let mut rig = dma();
        set(&mut rig, 1, control, 2);
        rig.at(2).hold();
        next(&mut rig, 0);
        next(&mut rig, 0);
        assert_eq!(next(&mut rig, 0).0, SOURCE.wrapping_add(source), "{control:#x}");
        assert_eq!(next(&mut rig, 0).0, DESTINATION.wrapping_add(destination), "{control:#x}");
    }
}

#[test]
fn the_end_of_a_block_requests_an_interrupt_if_it_is_asked_to() {
    let mut rig = dma();
    set(&mut rig, 2, 0xC000, 1);
    rig.at(2).hold();
    rig.at(9);
    next(&mut rig, 0);
    next(&mut rig, 0);
    assert_eq!(rig.sent("interrupt2"), [(9, 1)]);
}

#[test]
fn the_first_channel_goes_before_the_others_and_breaks_their_bursts() {
    let mut rig = dma();
    rig.write(0x24, 0x0800_0100).write(0x28, DESTINATION).write(0x2C, 0x8000_0003);
    rig.at(2).hold();
    next(&mut rig, 0);
    set(&mut rig, 0, 0x8000, 1);
    rig.at(4);
    next(&mut rig, 0);
    let tags: Vec<_> = (0..4).map(|_| rig.transfer(Ok(0))).collect();
    let seen: Vec<_> = tags.iter().map(|one| (one.tag, one.access.is_sequential())).collect();
    assert_eq!(seen, [(0, true), (0, true), (3, false), (3, true)]);
    assert_eq!(next(&mut rig, 0), (0x0800_0104, true, None));
}

#[test]
fn a_count_of_0_is_the_most_and_addresses_are_cut() {
    for (n, units, source, destination) in [
        (0, 0x4000, 0x0600_0000, 0x0600_0000),
        (1, 0x4000, 0x0E00_0000, 0x0600_0000),
        (3, 0x1_0000, 0x0E00_0000, 0x0E00_0000),
    ] {
        let mut dma = Dma::default();
        let mut port = Port::new(0);
        let base = CHANNEL_BYTES * n as u32;
        dma.write(base, Width::Word, 0xFE00_0003, &mut port);
        dma.write(base + 4, Width::Word, 0xFE00_0003, &mut port);
        dma.write(base + 8, Width::Word, 0x8400_0000, &mut port);
        let channel = dma.channels[n];
        assert_eq!((channel.left, channel.width()), (units, Width::Word));
        assert_eq!((channel.source, channel.destination), (source, destination), "{n}");
    }
}

#[test]
fn a_channel_that_is_disabled_in_time_moves_nothing() {
    let mut rig = dma();
    set(&mut rig, 3, 0x8000, 1);
    rig.at(1).write_as(0x2E, Width::Half, 0).at(50);
    assert_eq!(rig.transfers(), 0);
}

#[test]
fn what_is_not_there_is_reported() {
    let mut rig = dma();
    set(&mut rig, 3, 0x9000, 1);
    rig.at(50);
    assert_eq!((rig.transfers(), rig.unmodelled().len()), (0, 1));
    set(&mut rig, 2, 0x8000, 1);
    rig.at(52).hold();
    rig.transfer(Err(Abort));
    assert_eq!(rig.unmodelled().len(), 2, "{:?}", rig.unmodelled());
}
