"""Futhark's own programs as clients of the server: FUTHARK is its compiler. What they think they have compiled is a script that starts the server."""

import json
import os
import subprocess

import pytest

# Half a second of runs is not to be many thousands of them.
SOURCE = """
def long (x: f64) : f64 = f64.sum (tabulate 5000 (\\i -> x * f64.i64 (i / 5000)))

-- Sums.
-- ==
-- entry: total
-- input { [1.0, 2.5] } output { 3.5 }
-- random input { [1000]f64 }
-- script input { ($loaddata "values") }
entry total [n] (xs: [n]f64) : f64 = let sum = f64.sum xs in sum + long sum

-- Products.
-- ==
-- entry: scaled
-- input { [1i64, 2i64] 3i64 } output { [3i64, 6i64] 2i64 }
entry scaled [n] (xs: [n]i64) (k: i64) : ([n]i64, i64) = (map (* k) xs, n + i64.f64 (long (f64.i64 k)))

entry point (x: f64) : {x: f64, y: f64} = {x, y = x * x}
entry norm (p: {x: f64, y: f64}) : f64 = p.x + p.y
"""


@pytest.fixture
def compiled(tmp_path, futi_program, backend):
    futhark = os.environ.get("FUTHARK")
    if not futhark:
        pytest.skip("there is no compiler of Futhark's: set FUTHARK to it")
    (tmp_path / "p.fut").write_text(SOURCE)
    (tmp_path / "values").write_text("[4.0, 5.0]")
    program = tmp_path / "p"
    program.write_text(f'#!/bin/sh\nexec "{futi_program}" server --backend {backend} "$0.fut"\n')
    program.chmod(0o755)

    def run(*args):
        ran = subprocess.run([futhark, *args], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    return run


def test_script(compiled):
    assert compiled("script", "--skip-compilation", "p.fut", "total [1.0, 2.0]").strip() == "3.0f64"
    assert compiled("script", "--skip-compilation", "p.fut", "norm (point 3.0)").strip() == "12.0f64"
    assert "[5i64, 10i64]" in compiled("script", "--skip-compilation", "p.fut", "scaled [1i64, 2i64] 5i64")


def test_bench(compiled, tmp_path):
    said = compiled("bench", "--skip-compilation", "--backend=c", f"--futhark={os.environ['FUTHARK']}", "-r", "2", "--no-convergence-phase", "--json", "out.json", "p.fut")
    assert "Error" not in said
    datasets = {name: data for entry in json.loads((tmp_path / "out.json").read_text()).values() for name, data in entry["datasets"].items()}
    assert len(datasets) >= 3
    for name, data in datasets.items():
        assert len(data["runtimes"]) >= 2, (name, data)
