"""Entry points and what is made of them, against what is worked out by hand."""

import dataclasses
import typing

import futi
import numpy as np
import pytest

SOURCE = """
type point = {x: f64, y: f64}
entry square (x: f64) : f64 = x * x
entry dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
entry cubes [n] (xs: [n]f64) : f64 = f64.sum (map (\\x -> x * x * x) xs)
entry swap (p: point) : point = {x = p.y, y = p.x}
entry norm2 (p: point) : f64 = p.x * p.x + p.y * p.y
entry all_of [n] (ps: [n]point) (t: (i32, bool)) : ([n]f64, point, (), i32) =
  (map (\\p -> p.x - p.y) ps, {x = f64.sum (map (.x) ps), y = f64.sum (map (.y) ps)}, (), t.0 + i32.bool t.1)
entry both [n] (xs: [n]f64) (k: i64) : (f64, {scaled: [n]f64, k: i64}) = (f64.sum (map (\\x -> x * x) xs), {scaled = map (* 2) xs, k = k + 1})
entry times [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 = map (\\row -> f64.sum (map2 (*) row x)) a
entry upto (n: i64) (x: f64) : []f64 = map (\\i -> x * f64.i64 i) (filter (\\i -> i % 2 == 0) (iota n))
entry halves (x: f32) (h: f16) (b: bool) (i: u8) : (f32, f16, bool, u8) = (x / 2, h / 2, !b, i / 2)
entry maybe (x: f64) : #none | #some f64 = if x > 0 then #some x else #none
entry get (m: #none | #some f64) : f64 = match m case #none -> -1 case #some x -> x
entry rosenbrock [n] (x: [n]f64) : f64 =
  f64.sum (map (\\i -> 100 * (x[i + 1] - x[i] * x[i]) ** 2 + (1 - x[i]) ** 2) (iota (n - 1)))
entry wrong (x: f64) : f64 = with_vjp_tape (\\x -> (x, f64.sin x)) (\\(x, d) -> d * f64.sin x) x
"""


@pytest.fixture(scope="module", params=["interp"])
def m(request):
    return futi.compile(SOURCE, backend=request.param)


@dataclasses.dataclass
class Point:
    x: float
    y: float


class Pair(typing.NamedTuple):
    first: int
    second: bool


def test_calls(m):
    assert m.square(3.0) == 9.0 and m.square(3) == 9.0
    assert m.dot([1, 2], ys=np.array([3.0, 4.0])) == 11.0
    assert m.swap({"x": 1.0, "y": 2.0}) == {"x": 2.0, "y": 1.0}
    assert m.swap(Point(1.0, 2.0)) == {"x": 2.0, "y": 1.0}
    a, p, unit, k = m.all_of({"x": [5.0, 6.0], "y": [1.0, 2.0]}, (3, True))
    np.testing.assert_array_equal(a, [4.0, 4.0])
    assert (p, unit, k) == ({"x": 11.0, "y": 3.0}, (), 4)
    assert m.all_of(Point([5.0], [1.0]), Pair(1, False))[3] == 1
    x, h, b, i = m.halves(np.float32(3), np.float16(1), np.bool_(True), np.uint8(200))
    assert (x, h, b, i) == (1.5, 0.5, False, 100)
    assert [type(v) for v in (x, h, b, i)] == [np.float32, np.float16, np.bool_, np.uint8]


def test_arrays_in_any_order(m):
    a = np.arange(12.0).reshape(3, 4)
    x = np.ones(8)[::2]
    np.testing.assert_array_equal(m.times(a, x), a @ x)
    np.testing.assert_array_equal(m.times(np.asfortranarray(a), x), a @ x)
    np.testing.assert_array_equal(m.times(a.T, np.ones(3)), a.T @ np.ones(3))
    assert m.times(np.zeros((0, 4)), x).shape == (0,)
    y = m.times(a, x)
    y += 1  # it is its own


def test_gradients(m):
    assert m.grad("square")(3.0) == 6.0
    np.testing.assert_array_equal(m.grad("cubes")([1.0, 2.0]), [3.0, 12.0])
    xs, ys = m.grad("dot", argnums=(0, 1))([1.0, 2.0], [3.0, 4.0])
    np.testing.assert_array_equal(xs, [3.0, 4.0])
    np.testing.assert_array_equal(ys, [1.0, 2.0])
    np.testing.assert_array_equal(m.grad("dot", argnums=-1)([1.0, 2.0], [3.0, 4.0]), [1.0, 2.0])
    assert m.value_and_grad("norm2")(Point(3.0, 4.0)) == (25.0, Point(6.0, 8.0))
    assert m.grad("norm2")({"x": 3.0, "y": 4.0}) == {"x": 6.0, "y": 8.0}
    (value, aux), g = m.value_and_grad("both", has_aux=True)([1.0, 2.0], 4)
    assert value == 5.0 and aux["k"] == 5
    np.testing.assert_array_equal(aux["scaled"], [2.0, 4.0])
    np.testing.assert_array_equal(g, [2.0, 4.0])
    g, aux = m.grad("both", has_aux=True)([1.0, 2.0], 4)
    np.testing.assert_array_equal(g, [2.0, 4.0])
    assert aux["k"] == 5


def test_nested_derivatives(m):
    second = m.grad(m.grad("square"))
    assert second(3.0) == 2.0
    assert m.grad(second)(3.0) == 0.0
    np.testing.assert_array_equal(m.hessian("cubes")([1.0, 2.0]), [[6.0, 0.0], [0.0, 12.0]])
    h = m.hessian("norm2")(Point(1.0, 2.0))
    assert h == {"x": {"x": 2.0, "y": 0.0}, "y": {"x": 0.0, "y": 2.0}}


def test_directions(m):
    assert m.jvp("dot", ([1.0, 2.0], [3.0, 4.0]), ([1.0, 0.0], [0.0, 1.0])) == (11.0, 5.0)
    value, (scalar, record) = m.jvp("both", ([1.0, 2.0], 4), ([1.0, 0.0], None))
    assert value[0] == 5.0 and value[1]["k"] == 5 and scalar == 2.0 and record["k"] is None
    np.testing.assert_array_equal(record["scaled"], [2.0, 0.0])
    y, pull = m.vjp("times", np.eye(2), [3.0, 4.0])
    np.testing.assert_array_equal(y, [3.0, 4.0])
    a, x = pull([1.0, 10.0])
    np.testing.assert_array_equal(a, [[3.0, 4.0], [30.0, 40.0]])
    np.testing.assert_array_equal(x, [1.0, 10.0])
    # the result's size is known when it has been run
    y, pull = m.vjp("upto", 6, 2.0)
    np.testing.assert_array_equal(y, [0.0, 4.0, 8.0])
    assert pull([1.0, 1.0, 1.0]) == (None, 6.0)
    _, t = m.jvp("upto", (6, 2.0), (None, 1.0))
    np.testing.assert_array_equal(t, [0.0, 2.0, 4.0])


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_jacobians(m, mode):
    a, x = np.arange(6.0).reshape(2, 3), np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(m.jacobian("times", 1, mode)(a, x), a)
    by_a, by_x = m.jacobian("times", (0, 1), mode)(a, x)
    np.testing.assert_array_equal(by_x, a)
    # ∂(a x)ᵢ / ∂aⱼₖ = xₖ where i = j
    np.testing.assert_array_equal(by_a, np.einsum("ij,k->ijk", np.eye(2), x))
    np.testing.assert_array_equal(m.jacobian("upto", 1, mode)(6, 2.0), [0.0, 2.0, 4.0])
    assert m.jacobian("swap", 0, mode)(Point(1.0, 2.0)) == {"x": {"x": 0.0, "y": 1.0}, "y": {"x": 1.0, "y": 0.0}}


def test_vmap(m):
    np.testing.assert_array_equal(m.vmap("square")([1.0, 2.0, 3.0]), [1.0, 4.0, 9.0])
    np.testing.assert_array_equal(m.vmap("dot", in_axes=(0, None))([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]), [21.0, 43.0])
    np.testing.assert_array_equal(m.vmap(m.grad("square"))([1.0, 2.0]), [2.0, 4.0])
    np.testing.assert_array_equal(m.vmap(m.vmap("square"))([[3.0]]), [[9.0]])
    swapped = m.vmap("swap")({"x": [1.0, 2.0], "y": [3.0, 4.0]})
    np.testing.assert_array_equal(swapped["x"], [3.0, 4.0])
    # of sizes that only runs tell
    np.testing.assert_array_equal(m.vmap("upto", in_axes=(None, 0))(3, [1.0, 2.0]), [[0.0, 2.0], [0.0, 4.0]])
    with pytest.raises(futi.ArgumentError, match="2 different shapes"):
        m.vmap("upto", in_axes=(0, None))([2, 6], 1.0)


def test_opaque_values_go_back(m):
    some, none = m.maybe(2.0), m.maybe(-2.0)
    assert (m.get(some), m.get(none)) == (2.0, -1.0)
    with pytest.raises(futi.ArgumentError, match="that a program has made is wanted"):
        m.get(2.0)


def test_minimization(m):
    optimize = pytest.importorskip("scipy.optimize")
    one = futi.compile("entry main [n] (x: [n]f64) : f64 = f64.sum (map (\\x -> (x - 3) ** 2) x)")
    result = optimize.minimize(one.value_and_grad, np.zeros(3), jac=True)
    np.testing.assert_allclose(result.x, [3.0, 3.0, 3.0], atol=1e-6)
    result = optimize.minimize(m.value_and_grad("rosenbrock"), np.zeros(4), jac=True)
    np.testing.assert_allclose(result.x, np.ones(4), atol=1e-4)


def test_gradients_are_checked(m):
    futi.check_grads(m.dot, ([1.0, 2.0], [3.0, 4.0]))
    futi.check_grads(m.norm2, (Point(1.0, 2.0),))
    futi.check_grads(m.both, ([1.0, 2.0], 3))
    futi.check_grads(m.rosenbrock, ([0.5, 1.5, -1.0],))
    # its rule says sin where the derivative is cos
    with pytest.raises(futi.GradientError, match="vjp in direction 0"):
        futi.check_grads(m.wrong, (0.5,))


def test_derivatives_by_definition_and_by_transformation():
    source = "entry f [n] (x: [n]f64) : f64 = f64.sum (map f64.sin x)"
    x = np.linspace(0, 1, 20_000)
    results = [futi.compile(source, ad=ad).grad("f")(x) for ad in ("definition", "transform", "auto")]
    for g in results:
        np.testing.assert_allclose(g, np.cos(x), rtol=1e-14)
