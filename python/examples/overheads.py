"""What the package costs: a call of ten elements over the interpreter's own run, and 256 MB in and out beside copies of them.

    python examples/overheads.py [--small]
"""

import statistics
import sys
import time

import futi
import numpy as np

SOURCE = """
entry same [n] (xs: [n]f32) : [n]f32 = xs
entry ten (xs: [10]f64) : [10]f64 = xs
"""


def seconds(f, runs: int) -> float:
    """The median of several runs."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        f()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main(small: bool) -> None:
    m = futi.compile(SOURCE)
    ten = np.arange(10.0)
    per_call = seconds(lambda: m.ten(ten), 50 if small else 20_000)
    print(f"a call of ten elements: {per_call * 1e6:.1f} us")
    n = 1 << (16 if small else 26)
    x = np.ones(n, np.float32)
    runs = 3 if small else 9
    for _ in range(2):
        m.same(x), x.copy()
    # in turn, so that what else goes on weighs on both
    pairs = [(seconds(lambda: m.same(x), 1), seconds(lambda: x.copy(), 1)) for _ in range(runs)]
    ratio = statistics.median(call / (2 * copy) for call, copy in pairs)
    call, copy = (statistics.median(column) for column in zip(*pairs))
    print(f"{x.nbytes >> 20} MiB in and out: {call * 1e3:.1f} ms, a copy {copy * 1e3:.1f} ms: {ratio:.2f} times two copies")


if __name__ == "__main__":
    main("--small" in sys.argv)
