//! The controller, rule by rule.

use super::super::rig::Rig;
use super::{Aic, EDGE, POSITIVE};
use crate::device::Service;

const SVR: u32 = 0x080;
const IVR: u32 = 0x100;
const FVR: u32 = 0x104;
const ISR: u32 = 0x108;
const IPR: u32 = 0x10C;
const CISR: u32 = 0x114;
const IECR: u32 = 0x120;
const IDCR: u32 = 0x124;
const ICCR: u32 = 0x128;
const ISCR: u32 = 0x12C;
const EOICR: u32 = 0x130;
const SPU: u32 = 0x134;

/// Source n has the vector 0x1000 + n; sources 2 to 6 are level-sensitive, of priorities 1, 1, 3, 5 and 7.
/// Pins request at level 1, so that none does yet.
fn controller() -> Rig {
    let mut rig = Rig::new(Aic::default());
    for n in 0..32 {
        rig.write(SVR + 4 * n, 0x1000 + n);
    }
    for n in [0, 16, 17, 18] {
        rig.write(4 * n, POSITIVE);
    }
    for (n, priority) in [(2, 1), (3, 1), (4, 3), (5, 5), (6, 7)] {
        rig.write(4 * n, priority);
    }
    rig.write(SPU, 0x5BAD).write(IECR, 0x7C);
    rig
}

#[test]
fn a_level_requests_only_while_it_is_up_and_enabled() {
    let mut rig = controller();
    rig.at(5).input("line4", 1);
    rig.at(6).write(IDCR, 1 << 4);
    assert_eq!((rig.read(IPR), rig.read(CISR)), (1 << 4, 0), "pending all the same");
    rig.at(7).write(IECR, 1 << 4);
    rig.at(9).input("line4", 0);
    assert_eq!(rig.changes("irq"), [(0, 0), (5, 1), (6, 0), (7, 1), (9, 0)]);
}

#[test]
fn what_is_served_is_decided_when_the_vector_is_read() {
    let mut rig = controller();
    rig.input("line4", 1).input("line6", 1);
    assert_eq!((rig.read(IVR), rig.read(ISR), rig.output("irq")), (0x1006, 6, 0));
}

#[test]
fn of_equal_priorities_the_lowest_number_comes_first() {
    let mut rig = controller();
    rig.input("line3", 1).input("line2", 1);
    assert_eq!(rig.read(IVR), 0x1002);
    assert_eq!(rig.output("irq"), 0, "3 has no higher priority");
}

#[test]
fn only_a_higher_priority_nests_and_each_end_goes_back_one() {
    let mut rig = controller();
    rig.input("line4", 1);
    assert_eq!(rig.read(IVR), 0x1004);
    rig.input("line3", 1);
    assert_eq!((rig.output("irq"), rig.output("open")), (0, 0x60));
    rig.input("line6", 1);
    assert_eq!((rig.output("irq"), rig.read(IVR), rig.read(ISR)), (1, 0x1006, 6));
    rig.input("line6", 0).write(EOICR, 0);
    assert_eq!((rig.output("irq"), rig.read(ISR)), (0, 4), "4 is still in service");
    rig.input("line4", 0).write(EOICR, 0);
    assert_eq!((rig.output("irq"), rig.read(IVR)), (1, 0x1003));
}

#[test]
fn all_eight_priorities_nest() {
    let mut rig = Rig::new(Aic::default());
    rig.write(IECR, !0);
    for n in 0..8 {
        rig.write(4 * (8 + n), n).write(SVR + 4 * (8 + n), n);
        rig.input(
            ["line8", "line9", "line10", "line11", "line12", "line13", "line14", "line15"]
                [n as usize],
            1,
        );
        assert_eq!((rig.output("irq"), rig.read(IVR)), (1, n));
    }
    assert_eq!(rig.output("open"), 0);
}

#[test]
fn an_edge_is_kept_until_it_is_served_and_comes_once() {
    let mut rig = controller();
    rig.write(4 * 4, EDGE | 3).input("line4", 1).input("line4", 0);
    assert_eq!((rig.output("irq"), rig.read(IPR)), (1, 1 << 4));
    assert_eq!((rig.read(IVR), rig.read(IPR)), (0x1004, 0));
    rig.write(EOICR, 0);
    assert_eq!(rig.output("irq"), 0);
    rig.write(IDCR, 1 << 4).input("line4", 1);
    assert_eq!(rig.read(IPR), 1 << 4, "a disabled source keeps its edge too");
}

#[test]
fn software_sets_and_clears_edges_and_nothing_else() {
    let mut rig = controller();
    rig.write(4, EDGE).write(IECR, 2).write(ISCR, !0);
    assert_eq!((rig.read(IPR), rig.output("irq")), (2, 1), "source 1 alone keeps edges");
    rig.write(ICCR, 2);
    assert_eq!((rig.read(IPR), rig.output("irq")), (0, 0));
    rig.input("line4", 1).write(ICCR, 1 << 4);
    assert_eq!(rig.read(IPR), 1 << 4);
}

#[test]
fn pins_have_four_kinds_and_other_sources_two() {
    for (mode, pending) in [
        (0, [1, 0, 1]),               // low level
        (EDGE, [0, 0, 1]),            // falls
        (POSITIVE, [0, 1, 0]),        // high level
        (EDGE | POSITIVE, [0, 1, 1]), // rises
    ] {
        let mut rig = Rig::new(Aic::default());
        rig.write(4 * 16, mode);
        let mut seen = vec![rig.read(IPR) >> 16 & 1];
        seen.push(rig.input("line16", 1).read(IPR) >> 16 & 1);
        seen.push(rig.input("line16", 0).read(IPR) >> 16 & 1);
        assert_eq!(seen, pending, "mode {mode:#x}");
    }
    let mut rig = Rig::new(Aic::default());
    for mode in [0, POSITIVE] {
        rig.write(4 * 4, mode).input("line4", 0);
        assert_eq!(rig.read(IPR) & 1 << 4, 0);
        assert_eq!(rig.input("line4", 1).read(IPR) & 1 << 4, 1 << 4);
    }
}

#[test]
fn a_spurious_interrupt_gives_its_own_vector_and_closes_until_its_end() {
    let mut rig = controller();
    rig.input("line4", 1).input("line4", 0);
    assert_eq!((rig.read(IVR), rig.read(ISR)), (0x5BAD, 0));
    rig.write(IECR, 1).input("line6", 1).input("line0", 1);
    assert_eq!((rig.output("irq"), rig.output("fiq"), rig.output("open")), (0, 0, 0));
    rig.write(EOICR, 0);
    assert_eq!((rig.output("irq"), rig.output("fiq")), (1, 1));
}

#[test]
fn source_0_is_fiq_without_priority() {
    let mut rig = controller();
    rig.write(0, EDGE | POSITIVE).write(IECR, 1).input("line6", 1);
    assert_eq!(rig.read(IVR), 0x1006);
    rig.input("line0", 1);
    assert_eq!((rig.output("irq"), rig.output("fiq"), rig.read(CISR)), (0, 1, 1));
    assert_eq!((rig.read(FVR), rig.output("fiq")), (0x1000, 0));
    assert_eq!(rig.read(FVR), 0x5BAD, "nothing is pending");
}

#[test]
fn in_protect_mode_a_read_changes_nothing_and_a_write_serves_what_it_found() {
    let mut rig = controller();
    rig.input("protect", 1).input("line4", 1);
    assert_eq!((rig.read(IVR), rig.output("irq"), rig.read(ISR)), (0x1004, 1, 0));
    rig.input("line6", 1).write(IVR, 0);
    assert_eq!(rig.read(ISR), 4, "what the read found, not what has come since");
    assert_eq!(rig.output("irq"), 1, "6 nests");
    rig.write(IVR, 0);
    assert_eq!(rig.read(ISR), 4, "a write without a read serves nothing");
}

#[test]
fn in_normal_mode_a_write_of_the_vector_does_nothing() {
    let mut rig = controller();
    rig.input("line4", 1).write(IVR, 0);
    assert_eq!((rig.output("irq"), rig.read(ISR)), (1, 0));
}

#[test]
fn observers_learn_which_sources_request_and_what_is_done_with_them() {
    let mut rig = controller();
    rig.write(4 * 4, EDGE | 3).input("line4", 1).input("line4", 0);
    assert_eq!(rig.output("requests"), 1 << 4);
    rig.input("line4", 1);
    assert_eq!(rig.served, [(4, Service::Merged)], "the edge before was not served yet");
    rig.read(IVR);
    assert_eq!((rig.served[1], rig.output("requests")), ((4, Service::Begun), 0));
    rig.write(EOICR, 0).read(IVR);
    assert_eq!(rig.served.len(), 2, "a spurious interrupt serves nothing");
}
