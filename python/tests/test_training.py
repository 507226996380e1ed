"""The same training in NumPy by hand, through the server, and in the package."""

import dataclasses
import pathlib

import futi
import numpy as np
import pytest

PROGRAM = pathlib.Path(__file__).with_name("digits.fut")
RATE, STEPS, COUNT = 0.05, 8, 60


@dataclasses.dataclass
class Linear:
    w: np.ndarray
    b: np.ndarray


@dataclasses.dataclass
class Mlp:
    w1: np.ndarray
    b1: np.ndarray
    w2: np.ndarray
    b2: np.ndarray


@pytest.fixture(scope="module")
def digits():
    data = pytest.importorskip("sklearn.datasets").load_digits()
    return data.data[:COUNT] / 16.0, data.target[:COUNT].astype(np.int64)


def start(cls):
    rng = np.random.default_rng(7)
    shapes = {"w": (64, 10), "b": (10,), "w1": (64, 16), "b1": (16,), "w2": (16, 10), "b2": (10,)}
    return cls(*(0.1 * rng.standard_normal(shapes[f.name]) for f in dataclasses.fields(cls)))


def entropy_and_grad(scores, y):
    """The mean entropy, and its gradient in the scores: probabilities less the class that is right, over the number of rows."""
    top = scores.max(axis=1, keepdims=True)
    p = np.exp(scores - top)
    total = p.sum(axis=1, keepdims=True)
    rows = np.arange(len(y))
    loss = (np.log(total[:, 0]) + top[:, 0] - scores[rows, y]).mean()
    d = p / total
    d[rows, y] -= 1
    return loss, d / len(y)


def linear_by_hand(p, x, y):
    loss, d = entropy_and_grad(x @ p.w + p.b, y)
    return loss, Linear(x.T @ d, d.sum(axis=0))


def mlp_by_hand(p, x, y):
    hidden = np.tanh(x @ p.w1 + p.b1)
    loss, d = entropy_and_grad(hidden @ p.w2 + p.b2, y)
    inner = (d @ p.w2.T) * (1 - hidden**2)
    return loss, Mlp(x.T @ inner, inner.sum(axis=0), hidden.T @ d, d.sum(axis=0))


def descend(p, value_and_grad):
    losses = []
    for _ in range(STEPS):
        loss, g = value_and_grad(p)
        losses.append(loss)
        p = type(p)(*(getattr(p, f.name) - RATE * getattr(g, f.name) for f in dataclasses.fields(p)))
    return losses, p


MODELS = [("linear", Linear, linear_by_hand), ("mlp", Mlp, mlp_by_hand)]


@pytest.mark.parametrize("name, cls, by_hand", MODELS)
def test_the_package_trains_as_numpy_does(digits, backend, name, cls, by_hand):
    x, y = digits
    wanted, end = descend(start(cls), lambda p: by_hand(p, x, y))
    assert wanted[-1] < wanted[0]
    m = futi.load(PROGRAM, backend=backend)
    step = m.value_and_grad(f"{name}_loss")
    found, p = descend(start(cls), lambda p: step(p, x, y))
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    assert isinstance(p, cls)
    for f in dataclasses.fields(cls):
        np.testing.assert_allclose(getattr(p, f.name), getattr(end, f.name), rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("name, cls, by_hand", MODELS)
def test_the_server_trains_as_numpy_does(digits, backend, futi_program, tmp_path, name, cls, by_hand):
    """Driven by PyPI's client."""
    futhark_server = pytest.importorskip("futhark_server")
    x, y = digits
    wanted, end = descend(start(cls), lambda p: by_hand(p, x, y))
    names = [f.name for f in dataclasses.fields(cls)]
    with futhark_server.Server(futi_program, "server", "--backend", backend, str(PROGRAM)) as server:
        for field in names:
            server.put_value(field, getattr(start(cls), field))
        server.put_value("x", x)
        server.put_value("y", y)
        server.put_value("rate", np.float64(RATE))
        losses = []
        for k in range(STEPS):
            outs = ["loss", *(f"{field}_next" for field in names)]
            server.cmd_call(f"{name}_step", *outs, *names, "x", "y", "rate")
            losses.append(server.get_value("loss"))
            server.cmd_free("loss", *names)
            for field in names:
                server.cmd_rename(f"{field}_next", field)
        np.testing.assert_allclose(losses, wanted, rtol=1e-9)
        for field in names:
            np.testing.assert_allclose(server.get_value(field), getattr(end, field), rtol=1e-8, atol=1e-12)
