"""What is wrong is an exception that says where."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import futi
import numpy as np
import pytest

SOURCE = """
entry main [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
entry third (xs: []i32) : i32 = xs[2]
entry ints (k: i64) : i64 = k + 1
entry spin (k: i64) : i64 = loop k while k > 0 do (k + 1) % 1000 + 1
"""


@pytest.fixture(scope="module")
def m():
    return futi.compile(SOURCE)


def test_programs_that_are_refused(tmp_path):
    with pytest.raises(futi.ProgramError, match="E0") as e:
        futi.compile("entry main (x: i32) : i32 =\n  x + true")
    assert e.value.place[1] == 2
    path = tmp_path / "p.fut"
    path.write_text("entry main = nothing")
    with pytest.raises(futi.ProgramError) as e:
        futi.load(path)
    assert e.value.place == (str(path), 1, 14)
    with pytest.raises(futi.ProgramError, match="No such file"):
        futi.load(tmp_path / "missing.fut")
    assert issubclass(futi.ProgramError, futi.FutiError)


def test_runs_that_fail(m):
    with pytest.raises(futi.RunError, match="Index \\[2\\] out of bounds") as e:
        m.third(np.zeros(2, np.int32))
    assert e.value.place == ("<source>", 3, 33)
    # and it goes on
    assert m.third(np.arange(3, dtype=np.int32)) == 2


@pytest.mark.parametrize(
    "args, named, says",
    [
        (([1.0],), {}, "main takes 2 arguments \\(xs, ys\\), not 1"),
        (([1.0], [1.0], [1.0]), {}, "main takes 2 arguments"),
        (([1.0],), {"zs": [1.0]}, "main has no further parameter `zs`"),
        (([1.0], [1.0, 2.0]), {}, "argument `ys` has shape \\[2\\], which does not match the shape of `xs`"),
        (([[1.0]], [1.0]), {}, "argument `xs` has type \\[1\\]\\[1\\]f64, expected \\[\\]f64"),
        ((1.0, [1.0]), {}, "argument `xs` has type f64, expected \\[\\]f64"),
        ((np.zeros(1, np.float32), [1.0]), {}, "an array of float32 is given for float64"),
        ((np.zeros(1, np.int64), [1.0]), {}, "an array of int64 is given for float64"),
        ((["a"], [1.0]), {}, "given for float64"),
        ((None, [1.0]), {}, "given for float64"),
        (({}, [1.0]), {}, "given for float64"),
        (([[1.0], [1.0, 2.0]], [1.0]), {}, "inhomogeneous"),
    ],
)
def test_arguments_that_do_not_fit(m, args, named, says):
    with pytest.raises(ValueError, match=says):
        m.main(*args, **named)


def test_what_is_not_there(m):
    with pytest.raises(AttributeError, match="no entry point `nope`: it has main, third, ints, spin"):
        m.nope
    with pytest.raises(futi.ArgumentError, match="no backend `quux`"):
        futi.compile(SOURCE, backend="quux")
    with pytest.raises(futi.ArgumentError, match="ad is `auto`"):
        futi.compile(SOURCE, ad="quux")
    with pytest.raises(futi.ArgumentError, match="which is no float"):
        m.grad("ints")
    with pytest.raises(futi.ArgumentError, match="`k` of ints has no floats"):
        m.jacobian("ints")
    with pytest.raises(futi.ArgumentError, match="2 parameters"):
        m.grad("main", argnums=2)
    with pytest.raises(futi.ArgumentError, match="in_axes"):
        m.vmap("main", in_axes=(1, 0))
    with pytest.raises(futi.ArgumentError, match="out of range|given"):
        m.ints(2**70)
    with pytest.raises(futi.ArgumentError, match="given"):
        m.ints(1.5)


def test_it_imports_where_there_is_no_vulkan():
    code = "import futi; futi.compile('entry main (x: i32) = x', backend='vulkan')"
    env = {**os.environ, "VK_DRIVER_FILES": "/nowhere", "VK_ICD_FILENAMES": "/nowhere"}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert "futi.errors.ArgumentError" in ran.stderr and "vulkan" in ran.stderr


def test_ctrl_c_stops_a_run():
    code = textwrap.dedent(f"""
        import futi, signal
        # where nobody listens to it, as in the background, it is ignored
        signal.signal(signal.SIGINT, signal.default_int_handler)
        m = futi.compile({SOURCE!r})
        print("ready", flush=True)
        try:
            m.spin(1)
        except KeyboardInterrupt:
            print("stopped", m.ints(1))
    """)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=30)[0] == "stopped 2\n"
    finally:
        child.kill()


def test_the_lock_is_released(m):
    counted = []
    x = np.ones(300_000)
    thread = threading.Thread(target=lambda: [m.main(x, x) for _ in range(3)])
    thread.start()
    while thread.is_alive():
        counted.append(time.perf_counter())
        time.sleep(0.001)
    # this thread has gone on all the time: no pause is as long as a run
    assert len(counted) > 5


def test_several_threads(m):
    results = []
    call = lambda k: results.append((k, m.main(np.full(10, float(k)), np.ones(10))))
    threads = [threading.Thread(target=call, args=(k,)) for k in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert sorted(results) == [(k, 10.0 * k) for k in range(8)]
