//! How kernels are made: first what they declare ([`Declaring`]), then what they do ([`Doing`]), then the kernel, checked. What stands inside a branch or a loop is made by a function, so
//! that none is left open, and neither of the two can be printed or run: only what [`Doing::finish`] returns is a kernel.

use crate::check::{CheckError, Checked};
use crate::ir::*;
use futi_core::ir::Prov;
use futi_core::prim::{BinOp, CmpOp, Prim, Scalar, ScalarType};

/// A kernel whose tables are being made.
pub struct Declaring(Kernel);

/// A kernel whose tables are made, and whose statements are.
pub struct Doing {
    declaring: Declaring,
    /// The statements of the innermost body.
    here: Vec<Stm>,
}

/// Statements that are made, and are to stand inside a branch or a loop.
#[must_use]
#[derive(Default)]
pub struct Body(Vec<Stm>);

/// Who makes statements: [`Doing`], and whoever has one.
pub trait Maker {
    /// Where statements go.
    fn doing(&mut self) -> &mut Doing;

    /// Makes statements that are to stand inside another one.
    fn aside<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (Body, T) {
        let outer = std::mem::take(&mut self.doing().here);
        let made = make(self);
        (Body(std::mem::replace(&mut self.doing().here, outer)), made)
    }
}

impl Maker for Doing {
    fn doing(&mut self) -> &mut Doing {
        self
    }
}

impl Declaring {
    /// A kernel that declares nothing yet.
    pub fn new(name: &str, prov: Prov) -> Declaring {
        Declaring(Kernel::new(name, prov))
    }

    /// Says how many invocations a group may have.
    pub fn group(&mut self, sizes: GroupSizes) {
        self.0.group = sizes;
    }

    /// A scalar that the host gives.
    pub fn param(&mut self, name: &str, ty: ScalarType) -> Exp {
        self.0.params.push(Named { name: Ident::new(name), ty });
        Exp::Param(Param(self.0.params.len() as u32 - 1))
    }

    /// A block of device memory. What is done with it is found out at the end.
    pub fn block(&mut self, name: &str, elem: ScalarType) -> Block {
        self.0.blocks.push(BlockDecl { name: Ident::new(name), elem, access: Access::default() });
        Block(self.0.blocks.len() as u32 - 1)
    }

    /// An array of the group.
    pub fn shared(&mut self, name: &str, elem: ScalarType, fixed: u32, each: u32) -> Array {
        self.0.shared.push(SharedDecl { name: Ident::new(name), elem, fixed, each });
        Array::Shared(Shared(self.0.shared.len() as u32 - 1))
    }

    /// An array of each invocation.
    pub fn private(&mut self, name: &str, elem: ScalarType, len: u32) -> Array {
        self.0.private.push(PrivateDecl { name: Ident::new(name), elem, len });
        Array::Private(Private(self.0.private.len() as u32 - 1))
    }

    /// A place where it may fail, behind those before.
    pub fn site(&mut self, prov: Prov, operands: u32) -> Site {
        self.0.sites.push(SiteDecl { prov, operands });
        Site(self.0.sites.len() as u32 - 1)
    }

    /// Says what a launch costs at most.
    pub fn cost(&mut self, cost: Cost) {
        self.0.cost = Some(cost);
    }

    /// Goes on with the statements.
    pub fn done(self) -> Doing {
        Doing { declaring: self, here: Vec::new() }
    }
}

impl Doing {
    /// More to declare, which only the statements tell.
    pub fn declare(&mut self) -> &mut Declaring {
        &mut self.declaring
    }

    /// The kernel, with the accesses that its statements make.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn finish(self) -> Result<Checked, Vec<CheckError>> {
        let mut kernel = Kernel { body: self.here, ..self.declaring.0 };
        let accesses = kernel.accesses();
        kernel.blocks.iter_mut().zip(accesses).for_each(|(block, access)| block.access = access);
        Checked::new(kernel)
    }

    /// Puts what is made behind what is there.
    pub fn put(&mut self, body: Body) {
        self.here.extend(body.0);
    }

    /// What is done so far with each block, and the type of its elements.
    pub fn accesses(&self) -> Vec<(ScalarType, Access)> {
        let blocks = &self.declaring.0.blocks;
        blocks.iter().map(|b| b.elem).zip(accesses(blocks.len(), &self.here)).collect()
    }

    /// A new variable, without a value yet.
    pub fn local(&mut self, name: &str, ty: ScalarType) -> Local {
        let locals = &mut self.declaring.0.locals;
        locals.push(Named { name: Ident::new(name), ty });
        Local(locals.len() as u32 - 1)
    }

    /// A new variable with a value.
    pub fn bind(&mut self, name: &str, ty: ScalarType, value: Exp) -> Local {
        let local = self.local(name, ty);
        self.set(local, value);
        local
    }

    /// Gives a variable a value.
    pub fn set(&mut self, local: Local, value: Exp) {
        self.here.push(Stm::Let(local, value));
    }

    /// An element, in a new variable of the array's type.
    pub fn load(&mut self, name: &str, from: Array, index: Exp) -> Exp {
        // an array that is not there is told of at the end
        let to = self.local(name, self.declaring.0.elem(from).unwrap_or(ScalarType::Bool));
        self.here.push(Stm::Load { to, from, index });
        Exp::Local(to)
    }

    /// Writes an element.
    pub fn store(&mut self, to: Array, index: Exp, value: Exp) {
        self.here.push(Stm::Store { to, index, value });
    }

    /// An atomic operation; gives what was there before, if it reads.
    pub fn atomic(
        &mut self,
        op: AtomicOp,
        at: Array,
        index: Exp,
        operands: Vec<Exp>,
        order: Order,
        scope: Scope,
    ) -> Option<Exp> {
        let ty = self.declaring.0.elem(at).unwrap_or(ScalarType::Bool);
        let old = op.reads().then(|| self.local("old", ty));
        self.here.push(Stm::Atomic(Atomic { op, old, at, index, operands, order, scope }));
        old.map(Exp::Local)
    }

    /// An atomic operation of which nobody asks what was there before.
    pub fn update(&mut self, op: AtomicOp, at: Array, index: Exp, operands: Vec<Exp>, order: Order, scope: Scope) {
        self.here.push(Stm::Atomic(Atomic { op, old: None, at, index, operands, order, scope }));
    }

    /// A fence.
    pub fn fence(&mut self, scope: Scope) {
        self.here.push(Stm::Fence(scope));
    }

    /// A barrier.
    pub fn barrier(&mut self) {
        self.here.push(Stm::Barrier);
    }

    /// Fails.
    pub fn fail(&mut self, site: Site, point: Exp, operands: Vec<Exp>) {
        self.here.push(Stm::Fail { site, point, operands });
    }

    /// An exchange of a subgroup.
    pub fn subgroup(&mut self, name: &str, ty: ScalarType, op: SubgroupOp, value: Exp) -> Exp {
        let to = self.local(name, ty);
        self.here.push(Stm::Subgroup { to, op, value });
        Exp::Local(to)
    }

    /// A choice between what is made.
    pub fn choose(&mut self, cond: Exp, yes: Body, no: Body) {
        self.here.push(Stm::If { cond, yes: yes.0, no: no.0 });
    }

    /// A choice.
    pub fn branch(&mut self, cond: Exp, yes: impl FnOnce(&mut Doing), no: impl FnOnce(&mut Doing)) {
        let ((yes, ()), (no, ())) = (self.aside(yes), self.aside(no));
        self.choose(cond, yes, no);
    }

    /// What is done only if a condition holds.
    pub fn when(&mut self, cond: Exp, yes: impl FnOnce(&mut Doing)) {
        self.branch(cond, yes, |_| {});
    }

    /// A counting loop with a variable of its own, and what is made for each value of it.
    pub fn for_each(&mut self, index: Local, [from, below, step]: [Exp; 3], body: Body) {
        self.here.push(Stm::For { index, from, below, step, body: body.0 });
    }

    /// A counting loop with a new variable, which the body gets.
    pub fn count(&mut self, name: &str, ty: ScalarType, bounds: [Exp; 3], body: impl FnOnce(&mut Doing, Exp)) {
        let index = self.local(name, ty);
        let (body, ()) = self.aside(|b| body(b, Exp::Local(index)));
        self.for_each(index, bounds, body);
    }

    /// A loop of what is made; the condition reads what was made before it.
    pub fn while_holds(&mut self, before: Body, cond: Exp, body: Body) {
        self.here.push(Stm::While { before: before.0, cond, body: body.0 });
    }

    /// A loop whose condition the first function makes.
    pub fn repeat(&mut self, before: impl FnOnce(&mut Doing) -> Exp, body: impl FnOnce(&mut Doing)) {
        let ((before, cond), (body, ())) = (self.aside(before), self.aside(body));
        self.while_holds(before, cond, body);
    }
}

/// An operator of two operands.
pub fn bin(op: BinOp, ty: ScalarType, x: Exp, y: Exp) -> Exp {
    Exp::Prim(Prim::Bin(op, ty), vec![x, y])
}

/// A comparison.
pub fn cmp(op: CmpOp, ty: ScalarType, x: Exp, y: Exp) -> Exp {
    Exp::Prim(Prim::Cmp(op, ty), vec![x, y])
}

/// A conversion.
pub fn conv(from: ScalarType, to: ScalarType, x: Exp) -> Exp {
    Exp::Prim(Prim::Conv(from, to), vec![x])
}

/// A number of an integer type.
pub fn int(ty: ScalarType, x: i64) -> Exp {
    Exp::Lit(Scalar::from_i64(ty, x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Rule;
    use ScalarType::{I32, I64};

    /// A kernel with every statement.
    #[test]
    fn what_is_built_is_what_is_written() {
        let mut k = Declaring::new("sum of a group", Prov(3));
        k.group(GroupSizes { least: 1, most: 256, power_of_two: true });
        let n = k.param("n", I64);
        let (x, r, tickets) = (k.block("x", I32), k.block("r", I32), k.block("tickets", I32));
        let (s, p) = (k.shared("s", I32, 0, 1), k.private("p", I32, 2));
        let site = k.site(Prov(4), 1);
        k.cost(Cost { reads: n.clone(), writes: int(I64, 4), operations: n.clone() });
        let mut k = k.done();
        let (here, group) = (Exp::Builtin(Builtin::Invocation), Exp::Builtin(Builtin::Group));
        let own = k.load("own", Array::Block(x), here.clone());
        let sum = k.bind("sum", I32, int(I32, 0));
        k.store(p, int(I32, 0), own.clone());
        k.store(s, here.clone(), own.clone());
        k.barrier();
        k.when(cmp(CmpOp::Eq, I32, here, int(I32, 0)), |k| {
            k.count("i", I32, [int(I32, 0), Exp::Builtin(Builtin::GroupSize), int(I32, 1)], |k, i| {
                let x = k.load("x", s, i);
                k.set(sum, bin(BinOp::Add, I32, Exp::Local(sum), x));
            });
            k.store(Array::Block(r), group, Exp::Local(sum));
            k.fence(Scope::Device);
            let old = k.atomic(
                AtomicOp::Add,
                Array::Block(tickets),
                int(I32, 0),
                vec![int(I32, 1)],
                Order::Relaxed,
                Scope::Device,
            );
            k.branch(
                cmp(CmpOp::Lt, I32, old.expect("it reads"), int(I32, 0)),
                |k| k.fail(site, int(I64, 0), vec![conv(I32, I64, Exp::Local(sum))]),
                |k| k.repeat(|_| Exp::Lit(Scalar::Bool(false)), |_| {}),
            );
        });
        k.subgroup("any", ScalarType::Bool, SubgroupOp::Any, Exp::Lit(Scalar::Bool(true)));
        let kernel = k.finish().expect("a well-formed kernel");
        let text = "futi-kernel 1

kernel sum_of_a_group @3 {
  group 1 to 256 power_of_two
  param n_0: i64
  block x_0: read i32
  block r_1: write i32
  block tickets_2: atomic i32
  shared s_0: i32[0 + 1 each]
  private p_0: i32[2]
  local own_0: i32
  local sum_1: i32
  local i_2: i32
  local x_3: i32
  local old_4: i32
  local any_5: bool
  site 0 of 1 @4
  cost reads param.n_0 writes 4i64 operations param.n_0
  own_0 = load block.x_0[@invocation]
  sum_1 = 0i32
  store private.p_0[0i32] = own_0
  store shared.s_0[@invocation] = own_0
  barrier
  if eq.i32(@invocation, 0i32) {
    for i_2 from 0i32 below @group_size step 1i32 {
      x_3 = load shared.s_0[i_2]
      sum_1 = add.i32(sum_1, x_3)
    }
    store block.r_1[@group] = sum_1
    fence device
    old_4 = atomic add block.tickets_2[0i32](1i32) relaxed device
    if lt.i32(old_4, 0i32) {
      fail 0 at 0i64 (conv.i32.i64(sum_1))
    } else {
      loop {
      } while false {
      }
    }
  }
  any_5 = subgroup any true
}
";
        assert_eq!(kernel.kernel().to_string(), text);
        assert_eq!(text.parse().as_ref(), Ok(kernel.kernel()));
    }

    #[test]
    fn what_is_wrong_is_no_kernel() {
        let mut k = Declaring::new("", Prov(0)).done();
        let x = k.local("x", I32);
        k.when(cmp(CmpOp::Eq, I32, Exp::Builtin(Builtin::Lane), int(I32, 0)), |k| {
            k.set(x, int(I64, 0));
            k.barrier();
        });
        k.set(x, Exp::Local(x));
        let rules: Vec<Rule> = k.finish().expect_err("it is wrong").into_iter().map(|e| e.rule).collect();
        assert_eq!(rules, [Rule::Types, Rule::Uniform, Rule::Assigned]);
    }
}
