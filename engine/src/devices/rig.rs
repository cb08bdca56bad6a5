//! A rig for the devices' tests: one device, its events fired on time, its effects recorded.

use crate::bus::{Abort, Width};
use crate::device::{Device, Effect, Hold, Input, Port, Service, Tag, Transfer};
use crate::event::Queue;
use crate::time::Cycle;
use std::collections::VecDeque;

/// A device under test, after reset at cycle 0.
pub struct Rig {
    device: Box<dyn Device>,
    queue: Queue,
    port: Port,
    driven: Vec<(Cycle, usize, u32)>,
    sent: Vec<(Cycle, usize, u32)>,
    unmodelled: Vec<String>,
    transfers: VecDeque<Transfer>,
    holds: VecDeque<Hold>,
    /// Cycles by which accesses were lengthened.
    pub stalled_cycles: Cycle,
    /// Ends of blocks: the transfers' tag and number.
    pub blocks: Vec<(Tag, u32)>,
    /// Requests that were served.
    pub served: Vec<(Input, Service)>,
}

impl Rig {
    pub fn new(device: impl Device + 'static) -> Self {
        Self::of(Box::new(device))
    }

    pub fn of(device: Box<dyn Device>) -> Self {
        let mut rig = Rig {
            device,
            queue: Queue::default(),
            port: Port::new(0),
            driven: Vec::new(),
            sent: Vec::new(),
            unmodelled: Vec::new(),
            transfers: VecDeque::new(),
            holds: VecDeque::new(),
            stalled_cycles: 0,
            blocks: Vec::new(),
            served: Vec::new(),
        };
        rig.device.reset(&mut rig.port);
        rig.settle();
        rig
    }

    /// Lets time pass until `cycle`; what falls due then has fired.
    pub fn at(&mut self, cycle: Cycle) -> &mut Self {
        assert!(cycle >= self.port.now(), "time goes one way");
        while let Some((due, _, tag)) = self.queue.pop(cycle) {
            assert!(due >= self.port.now(), "an event in the past");
            self.port.take(due);
            self.device.event(tag, &mut self.port);
            self.settle();
        }
        self.port.take(cycle);
        self
    }

    pub fn now(&self) -> Cycle {
        self.port.now()
    }

    /// When the next event is due.
    pub fn next_event(&self) -> Cycle {
        self.queue.next()
    }

    pub fn read(&mut self, offset: u32) -> u32 {
        self.read_as(offset, Width::Word)
    }

    pub fn read_as(&mut self, offset: u32, width: Width) -> u32 {
        let value = self.device.read(offset, width, &mut self.port);
        self.settle();
        width.lanes(value)
    }

    pub fn write(&mut self, offset: u32, value: u32) -> &mut Self {
        self.write_as(offset, Width::Word, value)
    }

    pub fn write_as(&mut self, offset: u32, width: Width, value: u32) -> &mut Self {
        self.device.write(offset, width, width.lanes(value), &mut self.port);
        self.settle();
        self
    }

    /// Writes the bits of `mask` alone.
    pub fn write_bits(&mut self, offset: u32, mask: u32, value: u32) -> &mut Self {
        self.device.write_bits(offset, Width::Byte, mask, value, &mut self.port);
        self.settle();
        self
    }

    pub fn input(&mut self, name: &str, level: u32) -> &mut Self {
        let input = self.device.inputs().iter().position(|n| *n == name).expect("an input");
        self.device.changed(input, level, &mut self.port);
        self.settle();
        self
    }

    /// The core acknowledges the interrupt that an output requests.
    pub fn acknowledge(&mut self, name: &str) -> &mut Self {
        let output = self.index(name);
        self.device.acknowledged(output, &mut self.port);
        self.settle();
        self
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> &'static [&'static str] {
        self.device.inputs()
    }

    /// The names of the outputs.
    pub fn outputs(&self) -> &'static [&'static str] {
        self.device.outputs()
    }

    /// The level of an output now.
    pub fn output(&self, name: &str) -> u32 {
        let output = self.index(name);
        self.driven.iter().rev().find(|(_, o, _)| *o == output).map_or(0, |(_, _, level)| *level)
    }

    /// The changes of an output since reset: when, and to what.
    pub fn changes(&self, name: &str) -> Vec<(Cycle, u32)> {
        let output = self.index(name);
        let mut changes: Vec<(Cycle, u32)> = Vec::new();
        for &(at, o, level) in &self.driven {
            if o == output && changes.last().is_none_or(|last| last.1 != level) {
                changes.push((at, level));
            }
        }
        changes
    }

    /// The values sent on an output since reset: when, and what.
    pub fn sent(&self, name: &str) -> Vec<(Cycle, u32)> {
        let output = self.index(name);
        self.sent.iter().filter(|s| s.1 == output).map(|s| (s.0, s.2)).collect()
    }

    /// Completes the transfer that was asked for first with this answer, and returns it.
    pub fn transfer(&mut self, answer: Result<u32, Abort>) -> Transfer {
        let transfer = self.transfers.pop_front().expect("a transfer was asked for");
        self.device.transferred(transfer.tag, answer, &mut self.port);
        self.settle();
        transfer
    }

    /// Ends the hold of a bus that was asked for first, and returns it.
    pub fn hold(&mut self) -> Hold {
        let hold = self.holds.pop_front().expect("a hold was asked for");
        self.device.transferred(hold.tag, Ok(0), &mut self.port);
        self.settle();
        hold
    }

    /// How many transfers were asked for and are not complete.
    pub fn transfers(&self) -> usize {
        self.transfers.len()
    }

    /// Reports of unmodelled behaviour, each text once.
    pub fn unmodelled(&self) -> &[String] {
        &self.unmodelled
    }

    fn index(&self, name: &str) -> usize {
        self.device.outputs().iter().position(|n| *n == name).expect("an output")
    }

    fn settle(&mut self) {
        let now = self.port.now();
        for effect in self.port.take(now) {
            match effect {
                Effect::Schedule { tag, at } => self.queue.schedule(0, tag, at),
                Effect::Drive { output, level } => self.driven.push((now, output, level)),
                Effect::Begin { .. } => {}
                Effect::Send { output, value } => self.sent.push((now, output, value)),
                Effect::Transfer(transfer) => self.transfers.push_back(transfer),
                Effect::Hold(hold) => self.holds.push_back(hold),
                Effect::Stall(cycles) => self.stalled_cycles += Cycle::from(cycles),
                Effect::BlockEnded { tag, transfers } => self.blocks.push((tag, transfers)),
                Effect::Serve(input, service) => self.served.push((input, service)),
                Effect::Unmodelled(what) => {
                    if !self.unmodelled.contains(&what) {
                        self.unmodelled.push(what);
                    }
                }
                Effect::Fail(why) => panic!("the device failed: {why}"),
            }
        }
    }
}
