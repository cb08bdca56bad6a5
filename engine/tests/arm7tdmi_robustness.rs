//! No guest can make the core panic: random instructions in random modes on random memory, part of
//! which refuses every access, with interrupts at random cycles.

mod flat_bus;

use cyclescope_engine::bus::{Bus, Pending};
use cyclescope_engine::core::{Core, Limit};
use cyclescope_engine::cores::arm7tdmi::{Arm7tdmi, State};
use flat_bus::FlatBus;

/// Xorshift: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    fn array<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| self.next())
    }

    fn state(&mut self) -> State {
        State {
            user: self.array(),
            fiq: self.array(),
            supervisor: self.array(),
            abort: self.array(),
            irq: self.array(),
            undefined: self.array(),
            cpsr: self.next(),
            spsr: self.array(),
            pipeline: self.array(),
            pipeline_aborted: [self.next() & 7 == 0, self.next() & 7 == 0],
            ..State::default()
        }
    }
}

#[test]
fn random_programs_never_panic_and_always_advance() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut bus = FlatBus { refused: 0x8000_0000..0x9000_0000, ..FlatBus::default() };
    let mut core = Arm7tdmi::new();
    let mut vectors = [0u32; 8];
    for _ in 0..60_000 {
        for _ in 0..64 {
            let at = random.next() as usize & (flat_bus::SIZE - 4);
            bus.memory[at..at + 4].copy_from_slice(&random.next().to_le_bytes());
        }
        core.set_state(&random.state());
        bus.asserted = bus.now() + u64::from(random.next() & 63);
        bus.request = Pending { inputs: (random.next() & 3).into(), stop: false };
        let (start, retired) = (bus.now(), core.retired());
        for _ in 0..50 {
            let before = bus.now();
            core.step(&mut bus);
            assert!(bus.now() > before, "a step spends at least one cycle");
        }
        core.run(&mut bus, Limit { instructions: retired + 60, ..Limit::cycle(start + 1000) });
        for entry in bus.entries.drain(..) {
            vectors[entry.vector as usize / 4] += 1;
        }
    }
    let [_, reached @ .., _, _] = vectors;
    let (unused, irq, fiq) = (vectors[5], vectors[6], vectors[7]);
    assert_eq!(unused, 0);
    assert!(reached[..4].iter().all(|&n| n > 1000) && irq > 1000 && fiq > 1000, "{vectors:?}");
}

#[test]
fn a_core_copied_at_any_boundary_goes_on_alike() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut bus = FlatBus::default();
    for byte in &mut bus.memory {
        *byte = random.next() as u8;
    }
    let mut core = Arm7tdmi::new();
    for _ in 0..2_000 {
        core.set_state(&random.state());
        let limit = Limit { instructions: core.retired() + 20, ..Limit::cycle(bus.now() + 500) };
        core.run(&mut bus, limit);
        let mut copy = Arm7tdmi::new();
        copy.set_state(&core.state());
        let mut copied_bus = bus.clone();
        for _ in 0..20 {
            core.step(&mut bus);
            copy.step(&mut copied_bus);
        }
        assert_eq!((core.state(), bus.now()), (copy.state(), copied_bus.now()));
    }
}
