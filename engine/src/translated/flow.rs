//! Blocks of a function of the host, and the ways between them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, InstBuilder, MemFlags, Signature, TrapCode, Type, Value,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::Context;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch};

/// Of accesses to the frame: the state that a function takes over and gives back.
pub(crate) const FRAME: MemFlags = MemFlags::trusted();

/// A signature of functions of the host.
pub(crate) fn signature(isa: &dyn TargetIsa, parameters: &[Type], result: Type) -> Signature {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.extend(parameters.iter().map(|&one| AbiParam::new(one)));
    signature.returns.push(AbiParam::new(result));
    signature
}

/// Begins a function of an area: its parameters are the address of a frame and the number of an entry, its result is a
/// number. Returns its builder, the frame and the entry.
pub(crate) fn begin_function<'a>(
    context: &'a mut Context,
    of_builder: &'a mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
) -> (FunctionBuilder<'a>, Value, Value) {
    context.func.signature = signature(isa, &[I64, I32], I32);
    let mut b = FunctionBuilder::new(&mut context.func, of_builder);
    let first = b.create_block();
    b.append_block_params_for_function_params(first);
    b.begin(first);
    let (frame, entry) = (b.block_params(first)[0], b.block_params(first)[1]);
    (b, frame, entry)
}

/// The ways out of the block of a core that is under way. They share a block of the function, which keeps what that one
/// does not set.
#[derive(Default)]
pub(crate) struct WaysOut {
    shared: Option<Block>,
}

impl WaysOut {
    /// Leaves with a number, the function's result.
    pub fn leave(&mut self, b: &mut FunctionBuilder, number: Value) {
        let shared = *self.shared.get_or_insert_with(|| {
            let block = b.aside();
            b.append_block_param(block, I32);
            block
        });
        b.ins().jump(shared, &[number.into()]);
    }

    /// Begins the shared block, if a way leads there, and the ways of the next block of the core. Returns the number.
    pub fn begin(&mut self, b: &mut FunctionBuilder) -> Option<Value> {
        let shared = self.shared.take()?;
        b.begin(shared);
        Some(b.block_params(shared)[0])
    }
}

/// All emitters do this with blocks.
pub(crate) trait Flow {
    /// A block of its own, seldom reached.
    fn aside(&mut self) -> Block;

    /// Emits a block from here on, to which all leads that ever will.
    fn begin(&mut self, block: Block);

    /// Goes on if `holds`, else leaves by `out`.
    fn require_or(&mut self, holds: Value, out: Block);

    /// Goes to the block of the entry that was asked for. There is no other.
    fn enter(&mut self, entry: Value, blocks: impl Iterator<Item = (usize, Block)>);

    /// Goes on by the first way if even the `slowest` way from here, `now`, ends in time: before the cycle at a place of
    /// the frame. Else goes by the second.
    fn ask(&mut self, now: Value, slowest: u32, end: (Value, usize), ways: (Block, Block));
}

impl Flow for FunctionBuilder<'_> {
    fn aside(&mut self) -> Block {
        let block = self.create_block();
        self.set_cold_block(block);
        block
    }

    fn begin(&mut self, block: Block) {
        self.switch_to_block(block);
        self.seal_block(block);
    }

    fn require_or(&mut self, holds: Value, out: Block) {
        let on = self.create_block();
        self.ins().brif(holds, on, &[], out, &[]);
        self.begin(on);
    }

    fn enter(&mut self, entry: Value, blocks: impl Iterator<Item = (usize, Block)>) {
        let nowhere = self.create_block();
        let mut switch = Switch::new();
        blocks.for_each(|(number, block)| switch.set_entry(number as u128, block));
        switch.emit(self, entry, nowhere);
        self.switch_to_block(nowhere);
        self.set_cold_block(nowhere);
        self.ins().trap(TrapCode::unwrap_user(1));
    }

    fn ask(
        &mut self,
        now: Value,
        slowest: u32,
        (frame, end): (Value, usize),
        (on, out): (Block, Block),
    ) {
        let latest = self.ins().iadd_imm(now, i64::from(slowest));
        let kind = self.func.dfg.value_type(now);
        let end = self.ins().load(kind, FRAME, frame, end as i32);
        let fits = self.ins().icmp(IntCC::UnsignedLessThan, latest, end);
        self.ins().brif(fits, on, &[], out, &[]);
    }
}
