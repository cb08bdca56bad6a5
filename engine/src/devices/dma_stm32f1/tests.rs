//! The controller by hand from RM0041.

use super::*;
use crate::devices::rig::Rig;

const ISR: u32 = 0x00;
const IFCR: u32 = 0x04;

/// Offsets of a channel's registers, from 1.
fn at(channel: u32, register: u32) -> u32 {
    8 + 20 * (channel - 1) + register
}

/// A channel set up and on.
fn on(rig: &mut Rig, channel: u32, control: u32, count: u32) {
    rig.write(at(channel, 4), count).write(at(channel, 8), 0x4001_3804);
    rig.write(at(channel, 12), 0x2000_0100).write(at(channel, 0), control | 1);
}

/// Addresses, widths and values of a transfer's two halves, answered with a value.
fn both(rig: &mut Rig, value: u32) -> (u32, u32, Option<u32>) {
    let now = rig.now();
    rig.at(now + 1);
    let read = rig.transfer(Ok(value));
    assert_eq!(read.write, None);
    let write = rig.transfer(Ok(0));
    (read.address, write.address, write.write)
}

#[test]
fn a_request_moves_one_item() {
    let mut rig = Rig::new(Dma::default());
    on(&mut rig, 4, 0x90 | 2, 2);
    assert_eq!(rig.at(9).transfers(), 0, "nobody asks");
    rig.at(10).input("usart1_tx", 1);
    assert_eq!((rig.transfers(), rig.at(11).transfers()), (0, 1));
    let read = rig.transfer(Ok(0x1FF));
    assert_eq!((read.address, read.access.width()), (0x2000_0100, Width::Byte));
    rig.input("usart1_tx", 0);
    let write = rig.transfer(Ok(0));
    assert_eq!((write.address, write.write), (0x4001_3804, Some(0xFF)));
    assert_eq!((rig.read(at(4, 4)), rig.read(ISR)), (1, 0x5000), "half of them");
    rig.input("usart1_tx", 1);
    assert_eq!(both(&mut rig, 0x42), (0x2000_0101, 0x4001_3804, Some(0x42)));
    assert_eq!((rig.read(ISR), rig.output("interrupt4")), (0x7000, 1));
    assert_eq!(rig.blocks, [(7, 2)]);
    rig.input("usart1_tx", 1).at(100);
    assert_eq!(rig.transfers(), 0, "the count is 0");
    assert_eq!((rig.write(IFCR, 0x1000).read(ISR), rig.output("interrupt4")), (0, 0));
}

#[test]
fn a_circular_channel_begins_anew() {
    let mut rig = Rig::new(Dma::default());
    on(&mut rig, 5, 0x80 | 0x20, 2);
    rig.input("usart1_rx", 1);
    let addresses: Vec<_> = (0..3).map(|n| both(&mut rig, n).1).collect();
    assert_eq!(addresses, [0x2000_0100, 0x2000_0101, 0x2000_0100]);
    assert_eq!(rig.read(at(5, 4)), 1);
}

#[test]
fn widths_of_both_sides_and_what_moves() {
    for (sizes, source, destination, written) in [
        (0x000, 0x4001_3805, 0x2000_0101, 0x78),
        (0x500, 0x4001_3806, 0x2000_0102, 0x5678),
        (0xA00, 0x4001_3808, 0x2000_0104, 0x1234_5678),
        (0x800, 0x4001_3805, 0x2000_0104, 0x78),
        (0x200, 0x4001_3808, 0x2000_0101, 0x78),
    ] {
        let mut rig = Rig::new(Dma::default());
        on(&mut rig, 1, 0x4000 | 0xC0 | sizes, 2);
        both(&mut rig, 0);
        let value = if sizes & 0x300 == 0 { 0x78 } else { 0x1234_5678 };
        let moved = both(&mut rig, value);
        assert_eq!(moved, (source, destination, Some(written)), "{sizes:#x}");
    }
}

#[test]
fn priority_then_number_decides() {
    let mut rig = Rig::new(Dma::default());
    on(&mut rig, 1, 0x4000, 1);
    on(&mut rig, 2, 0x4000, 1);
    on(&mut rig, 7, 0x4000 | 0x3000, 1);
    for flag in [0x0700_0000, 0x7, 0x70] {
        both(&mut rig, 0);
        assert_eq!(rig.read(ISR), flag);
        rig.write(IFCR, flag);
    }
}

#[test]
fn a_pulse_is_remembered_by_a_channel_that_is_on() {
    let mut rig = Rig::new(Dma::default());
    rig.input("timer2_update", 1);
    on(&mut rig, 2, 0, 5);
    assert_eq!(rig.at(5).transfers(), 0);
    rig.input("timer2_update", 1);
    both(&mut rig, 0);
    assert_eq!((rig.at(50).transfers(), rig.read(at(2, 4))), (0, 4));
}

#[test]
fn where_nothing_answers_the_channel_is_off() {
    let mut rig = Rig::new(Dma::default());
    on(&mut rig, 3, 0x4000 | 8, 4);
    rig.at(1).transfer(Err(Abort));
    assert_eq!((rig.read(ISR), rig.read(at(3, 0)) & 1), (0x900, 0));
    assert_eq!((rig.output("interrupt3"), rig.at(99).transfers()), (1, 0));
}

#[test]
fn registers_are_locked_while_a_channel_is_on() {
    let mut rig = Rig::new(Dma::default());
    on(&mut rig, 6, 0, 3);
    rig.write(at(6, 4), 9).write(at(6, 8), 1).write(at(6, 12), 1);
    assert_eq!([4, 8, 12].map(|r| rig.read(at(6, r))), [3, 0x4001_3804, 0x2000_0100]);
    assert_eq!(rig.unmodelled().len(), 1);
    assert_eq!(rig.input("halted", 2).input("halted", 0).read(at(6, 4)), 0);
}
