#!/usr/bin/env python3
"""Attacks the program `futi` from outside: with what people and files give it, as it is run.

    attack.py FUTI [--inputs N] [--seconds S] [--seed K] [--backend vulkan] [--kind NAME].. [--list]

Whatever the input, `futi` ends, in time and within its memory, with status 0, 1 or 2; it says nothing of an internal error or a panic, and where two ways lead to one
answer they agree: the interpreter and the backend, a program and its trace, a program and its printed IR. What breaks that is found: it is printed with the files to do
it again, and the status is 1. Each kind of input has a comment that says what it is after. The seed says which inputs come; their number ends the run, or the time does.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITE = sorted((ROOT / "conformance" / "suite").rglob("*.fut"))
MEMORY = 8 << 30
SECONDS = 20
# of the backend: a limit of the device, or code that it has none for
LIMITS = re.compile(r"cannot run this program|more elements than can be counted|device memory|out of memory|no more memory|no memory for|limit on memory|bytes of stack")
EDGES = [0, 1, 2, 3, 5, 7, 1 << 31, (1 << 31) - 1, 1 << 32, 1 << 61, 1 << 62, (1 << 62) + 1, (1 << 63) - 1]
EDGES += [-x for x in EDGES if x] + [-(1 << 63)]
LARGE = 1 << 30


class Found(Exception):
    """What must not be."""


class Run:
    """The folder of one input, and the program in it."""

    def __init__(self, futi, folder, rng, backend):
        self.futi, self.folder, self.rng, self.backend = futi, pathlib.Path(folder), rng, backend
        self.log = []

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def run(self, *args, stdin=b"", shell=None, memory=MEMORY, seconds=SECONDS, statuses=(0, 1, 2), stack=None):
        """Runs `futi` with these arguments, or a shell command in which $FUTI is it; gives status, output and messages."""
        command = ["bash", "-c", shell] if shell else [str(self.futi), *map(str, args)]
        stdin = stdin if isinstance(stdin, bytes) else stdin.encode()
        self.log.append(f"$ {shell or 'futi ' + ' '.join(map(str, args))}   # < {stdin[:200]!r}")
        env = {**os.environ, "FUTI": str(self.futi), "FUTI_VK_CACHE": str(self.folder.parent / "cache")}

        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if stack:
                resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))

        try:
            done = subprocess.run(command, input=stdin, capture_output=True, cwd=self.folder, env=env, timeout=seconds, preexec_fn=limits)
        except subprocess.TimeoutExpired:
            raise Found(f"no end in {seconds} s") from None
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        self.log.append(f"  status {done.returncode}\n  {err.strip()[:600]}")
        if done.returncode not in statuses:
            raise Found(f"status {done.returncode}")
        if re.search(r"futi: internal error|a defect of Futi|panicked at", err):
            raise Found("an internal error")
        return done.returncode, out, err

    def start(self, *args, env=None, stdin=subprocess.DEVNULL):
        """Starts `futi` with these arguments, to be sent signals."""
        self.log.append("$ futi " + " ".join(args))
        reset = lambda: [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)]
        out = open(self.folder / "out", "wb")
        return subprocess.Popen([str(self.futi), *args], stdin=stdin, stdout=out, stderr=out, cwd=self.folder, env={**os.environ, **(env or {})}, preexec_fn=reset)

    def agree(self, file, entry, stdin, dead_checks=False, dead_values=False):
        """Runs an entry point by the interpreter and by the backend. Where checks may be dead, on which nothing relies, only the interpreter makes them. Where values may
        be dead that fail, the backend may give what the interpreter gives without them."""
        status, out, err = self.run("run", file, "-e", entry, stdin=stdin)
        if self.backend and not (dead_checks and status == 1):
            other = self.run("run", file, "-e", entry, "--backend", self.backend, stdin=stdin)
            one, what = (status, out, err), f"on {self.backend}"
            if dead_values and (status, other[0]) == (1, 0):
                _, live, _ = self.run("ir", file, "-e", entry, "--stage", "simplified")
                self.write("live.ir", live)
                one, what = self.run("run", "live.ir", "-e", entry, stdin=stdin), "of what is live"
            self.same(one, other, what)
        return status, out, err

    @staticmethod
    def same(one, two, what):
        if two[0] != 0 and LIMITS.search(two[2]):
            return
        if one[0] != 0 and LIMITS.search(one[2]):
            return
        if (one[0] == 0) != (two[0] == 0):
            raise Found(f"status {one[0]}, but {two[0]} {what}")
        if one[0] == 0 and one[1] != two[1]:
            raise Found(f"{one[1][:200]!r}, but {two[1][:200]!r} {what}")


KINDS = {}


def kind(f):
    KINDS[f.__name__] = f
    return f


def edge(rng, most=None):
    while True:
        x = rng.choice(EDGES) if rng.random() < 0.7 else rng.randint(-4, 9)
        if most is None or x <= most:
            return x


def ints(rng, n, low=-9, high=9):
    xs = [rng.randint(low, high) for _ in range(n)]
    return "[" + ", ".join(f"{x}i64" for x in xs) + "]" if xs else "empty([0]i64)"


# Sizes: what is made of numbers that are none, or whose products and sums wrap.
SHAPES = [
    # product of sizes, one of them below zero; elements read and written beyond
    "entry main (m: i64) (k: i64) (xs: []i64) = let x = unflatten (xs :> [{c} * m]i64) in map (\\i -> x[0, k + i]) (iota 2)",
    "entry main (m: i64) (k: i64) (xs: []i64) = let x = copy (unflatten (xs :> [{c} * m]i64)) with [0, k] = 7 in flatten x",
    "entry main (n: i64) (m: i64) (xs: []i64) = unflatten (xs :> [n * m]i64)",
    "entry main (n: i64) (m: i64) (xs: []i64) = map i64.sum (unflatten (xs :> [n * m]i64))",
    "entry main (n: i64) (m: i64) (xs: []i64) = (unflatten (xs :> [n * m]i64))[n - 1]",
    # only the length is asked for
    "entry main (n: i64) (k: i64) (xs: []i64) = length (iota n) + k",
    "entry main (n: i64) (k: i64) (xs: []i64) = length (take n xs)",
    "entry main (n: i64) (k: i64) (xs: []i64) = length (drop n xs)",
    "entry main (n: i64) (k: i64) (xs: []i64) = length xs[n:k]",
    "entry main (n: i64) (k: i64) (xs: []i64) = length (xs :> [n]i64)",
    "entry main (n: i64) (k: i64) (xs: []i64) = length (concat (replicate n ()) (replicate k ()))",
    "def f (n: i64) = iota n entry main (n: i64) (k: i64) (xs: []i64) = if null (f n) then k else length (f n)",
    "entry main (n: i64) (k: i64) (xs: []i64) = length (flatten (replicate n (replicate k (replicate 0 1i64))))",
    "entry main (n: i64) (k: i64) (xs: []i64) = length (replicate n (replicate 0 1i64) ++ replicate k (replicate 0 1i64))",
    # sizes that all elements of a map share
    "entry main (n: i64) (k: i64) (xs: []i64) = map (\\x -> i64.sum (map (+ x) (iota (i64.min n 9)))) xs",
    "entry main (n: i64) (k: i64) (xs: []i64) = tabulate (i64.min n 9) (\\i -> tabulate (i64.min k 9) (\\j -> i + j))",
    "entry main (n: i64) (k: i64) (xs: []i64) = map (\\_ -> iota (i64.min n 9)) xs",
    # slices and strides at the ends
    "entry main (n: i64) (k: i64) (xs: []i64) = xs[n:k]",
    "entry main (n: i64) (s: i64) (xs: []i64) = xs[::s]",
    "entry main (n: i64) (s: i64) (xs: []i64) = xs[n::s]",
    "entry main (n: i64) (k: i64) (xs: []i64) = (copy xs) with [n:k] = replicate (k - n) 5",
    # indices
    "entry main (n: i64) (k: i64) (xs: []i64) = xs[n] + xs[k]",
    "entry main (n: i64) (k: i64) (xs: []i64) = map (\\x -> xs[x + n]) xs",
    "entry main (n: i64) (k: i64) (xs: []i64) = (copy xs) with [n] = k",
    "entry main (n: i64) (k: i64) (xs: []i64) = scatter (copy xs) (map (+ n) (indices xs)) xs",
    "entry main (n: i64) (k: i64) (xs: []i64) = rotate n xs",
    # division
    "entry main (n: i64) (k: i64) (xs: []i64) = map (\\x -> (x + n) / k) xs",
    "entry main (n: i64) (k: i64) (xs: []i64) = (n % k, n // k, n %% k)",
    # ranges
    "entry main (n: i64) (k: i64) (xs: []i64) = length (n...k)",
    "entry main (n: i64) (k: i64) (xs: []i64) = length (n..<k)",
    # an assertion whose array is only counted
    "entry main (n: i64) (k: i64) (xs: []i64) = length (assert (n > k) xs)",
]


@kind
def sizes(r):
    """Sizes, products and sums of them, indices, slices and ranges at and beyond their ends, on both backends."""
    text = r.rng.choice(SHAPES)
    r.write("p.fut", text.replace("{c}", str(r.rng.choice([1, 2, 4, 8]))))
    n, k = edge(r.rng), edge(r.rng)
    if re.search(r"\(replicate [nk]|iota n\)|= k \* |f n", text) and "()" not in text and "replicate 0" not in text:
        n, k = min(n, LARGE >> 14), min(k, LARGE >> 14)
    if "()" in text:
        n, k = (x if x <= 1 << 20 or x > 1 << 60 else 5 for x in (n, k))
    r.agree("p.fut", "main", f"{n}i64 {k}i64 {ints(r.rng, r.rng.choice([0, 1, 2, 3, 4, 6]))}")


@kind
def strides(r):
    """Strides of all sizes; Python has the same elements."""
    xs = list(range(r.rng.randint(0, 7)))
    s = r.rng.choice([edge(r.rng), -(1 << 63), (1 << 63) - 1, -(1 << 63) + 1])
    r.write("p.fut", "entry main (s: i64) (xs: []i64) = xs[::s]")
    status, out, _ = r.agree("p.fut", "main", f"{s}i64 " + (str(xs).replace(",", "i64,").replace("]", "i64]") if xs else "empty([0]i64)"))
    if (status == 0) != (s != 0):
        raise Found(f"status {status} for a stride of {s}")
    found = [int(x) for x in re.findall(r"(-?\d+)i64", out)] if "empty" not in out else []
    if s != 0 and found != xs[::s]:
        raise Found(f"{found}, not {xs[::s]}, by {s}")


@kind
def dead_failures(r):
    """An array that cannot be made, of which only the size is used, behind functions, branches and loops: after any pass it is an error, as before."""
    makers = ["iota n", "take n xs", "drop n xs", "xs :> [n]i64", "replicate n 1i64", "xs[n:]", "xs[:n]", "rotate 1 (iota n)", "map (+ 1) (iota n)", "reverse (take n xs)", "iota n ++ xs"]
    uses = ["length (A)", "let [m] (_: [m]i64) = A in m", "if null (A) then 1 else 2", "length (map (+ 1) (A)) * 2", "length (copy (A))", "let b = A in length b + length b",
            "length (indices (A))", "(loop s = 0 for _i < 2 do s + length (A))", "(if k > 0 then length (A) else 3)"]
    use, maker = r.rng.choice(uses), r.rng.choice(makers)
    wrapped = r.rng.random() < 0.5
    text = f"def make (n: i64) (xs: []i64) = {maker}\n" if wrapped else ""
    text += "entry main (n: i64) (k: i64) (xs: []i64) = " + use.replace("A", "make n xs" if wrapped else maker)
    r.write("p.fut", text)
    stdin = f"{r.rng.randint(-3, 6)}i64 {r.rng.randint(-1, 2)}i64 {ints(r.rng, r.rng.randint(0, 5))}"
    one = r.agree("p.fut", "main", stdin)
    status, ir, _ = r.run("ir", "p.fut", "--stage", "simplified")
    if status == 0:
        r.write("p.ir", ir)
        r.same(one, r.run("run", "p.ir", stdin=stdin), "after simplification")


@kind
def runtime_failures(r):
    """Programs of the suite with arguments of their own that are wrong by one number, on both backends."""
    path = r.rng.choice(SUITE)
    text = path.read_text(errors="replace")
    blocks = re.findall(r"^-- input *\{([^}]*)\}", text, re.M)
    entries = re.findall(r"^-- entry: *(\w+)", text, re.M) or ["main"]
    if not blocks or "import" in text:
        return
    numbers = lambda m: str(edge(r.rng)) if r.rng.random() < 0.3 and len(m.group()) < 6 else m.group()
    stdin = re.sub(r"-?\d+(?=i64\b|i32\b|\b[^.ef\d])", numbers, r.rng.choice(blocks))
    if any(int(x) > 1 << 20 for x in re.findall(r"\d+", stdin) if len(x) < 40):
        return
    shutil.copy(path, r.folder / "p.fut")
    r.agree("p.fut", r.rng.choice(entries), stdin, dead_values=True)


def corrupted(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        if not data:
            break
        at, what = rng.randrange(len(data)), rng.random()
        if what < 0.3:
            data[at] = rng.randrange(256)
        elif what < 0.5:
            del data[at:at + rng.randint(1, 20)]
        elif what < 0.7:
            end = min(len(data), at + rng.randint(1, 40))
            data[at:at] = data[at:end]
        elif what < 0.9:
            other = rng.randrange(len(data))
            data[at:at] = data[other:other + rng.randint(1, 12)]
        else:
            data[at:at] = rng.choice([b"\xff", b"\x00", b"\x1b[31m", "\u202e".encode(), b"9" * 40, b"(" * 50, b"-- ==\n"])
    return bytes(data)


@kind
def truncated(r):
    """Programs that end somewhere."""
    data = r.rng.choice(SUITE).read_bytes()
    r.write("p.fut", data[:r.rng.randrange(len(data) + 1)])
    r.run(r.rng.choice(["check", "fmt", "test"]), "p.fut")


@kind
def mutated(r):
    """Programs with bytes and pieces changed, doubled and left out."""
    r.write("p.fut", corrupted(r.rng, r.rng.choice(SUITE).read_bytes()))
    r.run(r.rng.choice(["check", "check", "ir", "test", "doc"]), "p.fut", seconds=60)


@kind
def data(r):
    """Arguments that are not what the program takes: types, shapes, numbers, text, binary."""
    r.write("p.fut", "entry main (xs: [][]f32) (n: i32) (b: bool) (t: []u8) = (map f32.sum xs, n, b, t)")
    good = b'[[1.0f32, 2.0f32], [f32.nan, -f32.inf]] -7i32 true "text"'
    if r.rng.random() < 0.3:
        good = b"b\x02\x02 f32" + (2).to_bytes(8, "little") * 2 + bytes(16) + good[-18:]
    r.run("run", "p.fut", stdin=corrupted(r.rng, good))


IRS = {}


@kind
def ir(r):
    """The text of IR with pieces changed: refused, or run with all checks, by both backends the same."""
    path = r.rng.choice(SUITE)
    stage = r.rng.choice([[], ["--stage", "simplified"], ["--stage", "flat"]])
    key = (path, *stage)
    if key not in IRS:
        IRS[key] = r.run("ir", path, *stage)[1] if "import" not in path.read_text(errors="replace") else ""
    text = IRS[key]
    if not text.startswith("futi-ir"):
        return
    for _ in range(r.rng.choice([1, 1, 2, 3])):
        what = r.rng.random()
        if what < 0.35:
            text = re.sub(r" certs \([^)]*\)", lambda m: "" if r.rng.random() < 0.5 else m.group(), text)
        elif what < 0.7:
            text = re.sub(r"\b\d+i64\b", lambda m: f"{edge(r.rng, 1 << 20)}i64" if r.rng.random() < 0.2 else m.group(), text)
        elif what < 0.8:
            text = re.sub(r"\[(\w+)\]", lambda m: f"[{r.rng.randint(0, 5)}]" if r.rng.random() < 0.1 else m.group(), text)
        else:
            text = corrupted(r.rng, text.encode()).decode(errors="replace")
    r.write("p.ir", text)
    blocks = re.findall(r"^-- input *\{([^}]*)\}", path.read_text(errors="replace"), re.M) or [""]
    entry = re.findall(r'^entry "(\w+)"', text, re.M) or ["main"]
    r.agree("p.ir", r.rng.choice(entry), r.rng.choice(blocks), dead_checks=True)


@kind
def unchecked(r):
    """IR that reads, writes or reshapes without a check, at places that there are and at others."""
    i, n, k = edge(r.rng, 1 << 20), r.rng.randint(0, 5), edge(r.rng, 1 << 40)
    body = r.rng.choice([
        f"let (y_9: i64) = index xs_1[{i}i64] in (y_9)",
        f"let (c_8: [n_0]i64) = copy xs_1 let (u_7: [n_0]i64) = update c_8[{i}i64] = 5i64 let (y_9: i64) = index u_7[0i64] in (y_9)",
        f"let (u_7: [{n}]i64) = slice xs_1[{i}i64:{n}:{k}i64] let (y_9: i64) = index u_7[0i64] in (y_9)",
        f"let (u_7: [{n}][2]i64) = reshape [{n}][2] xs_1 let (y_9: i64) = index u_7[0i64, 1i64] in (y_9)",
        f"let (u_7: [{n}]i64) = coerce [{n}] xs_1 let (y_9: i64) = index u_7[0i64] in (y_9)",
        f"let (u_7: [{n}][2]i64) = flatindex xs_1 at {i}i64 [{n} : {k}i64, 2 : 1i64] let (y_9: i64) = index u_7[0i64, 1i64] in (y_9)",
        f"let (u_7: [{n}]i64) = concat {n} (xs_1, xs_1) let (y_9: i64) = index u_7[{i}i64] in (y_9)",
        f"let (u_7: [k_2]i64) = iota i64 (k_2, 0i64, 1i64) let (y_9: i64) = index u_7[{i}i64] in (y_9)",
        f"let (s_6: i64) = screma n_0 (xs_1) map \\(p_5: i64) -> (i64) {{ let (q_4: i64) = index xs_1[p_5] in (q_4) }} reduce comm \\(a_10: i64, b_11: i64) -> (i64) "
        "{ let (c_12: i64) = add.i64(a_10, b_11) in (c_12) } neutral (0i64) in (s_6)",
        "let (y_9: i64, s_4: [n_0]i64, f_5: [y_9]bool, o_6: [n_0]i64) = flatmap n_0 (xs_1) size k_7: i64 irregular 0 map \\(x_8: i64) -> (i64) { in (x_8) } in (y_9)",
    ])
    r.write("p.ir", f'futi-ir 1 entry "main"(n_0: i64, xs_1: [n_0]i64, k_2: i64) -> (r_3: i64) sig 1 ("xs": [""]i64, "k": i64) -> i64 {{ {body} }}')
    r.agree("p.ir", "main", f"{ints(r.rng, r.rng.randint(0, 6), -2, 6)} {r.rng.randint(-5, 9)}i64")


@kind
def missing_sizes(r):
    """IR whose sizes no argument shows."""
    r.write("p.ir", 'futi-ir 1 entry "main"(n_0: i64, xs_1: [3]f64) -> (r_3: i64) sig 1 ("xs": [""]f64) -> i64 { in (n_0) }')
    if r.run("run", "p.ir", stdin="[1.0, 2.0, 3.0]")[0] == 0:
        raise Found("a size that nothing shows is a number")


TRACED = [
    "entry main [n] (xs: [n]f64) = (n, f64.sum xs / f64.i64 n)",
    "entry main [n] (xs: [n]f64) = map (* f64.i64 n) xs",
    "entry main [n] (xs: [n]f64) = (loop (i, a) = (0, 0.0) while i < n do (i + 1, a + xs[i] * f64.i64 i)).1",
    "entry main [n] (xs: [n]f64) = if n > 2 then xs[n - 1] else f64.i64 n",
    "entry main [n] (xs: [n]f64) = iota (n + 1)",
    "entry main [n] (xs: [n]f64) = (replicate n xs[0], n * n)",
]


@kind
def traces(r):
    """A trace is a program that means the same, for the same arguments."""
    text = r.rng.choice(TRACED)
    r.write("p.fut", text)
    xs = [round(r.rng.uniform(-9, 9), 2) for _ in range(r.rng.randint(1, 6))]
    stdin = str(xs)
    keep = r.rng.choice(["reals", "reals,arrays", "reals,booleans", "reals,booleans,arrays"])
    one = r.run("run", "p.fut", stdin=stdin)
    status, trace, _ = r.run("trace", "p.fut", "--keep", keep, stdin=stdin)
    if status != 0:
        # without arrays a result that is none of reals has no trace
        return
    r.write("t.ir", trace)
    r.same(one, r.run("run", "t.ir", stdin=stdin), "by its trace")


GROWING = {
    "calls": ("def f0 (x: i32) = x + 1\n", "def f{i} (x: i32) = f{p} (f{p} x)\n", "entry main (x: i32) = f{n} x"),
    "types": ("type t0 = i32\n", "type t{i} = (t{p}, t{p})\n", "entry main (x: t{n}): i32 = 1"),
    "sums": ("type t0 = #z i32\n", "type t{i} = #a{i} t{p} | #b{i} t{p}\n", "def f (x: t{n}) = 1\nentry main = 1"),
    "functors": ("module type s = {{ type t val x: t }}\nmodule d (m: s) = {{ type t = (m.t, m.t) def x = (m.x, m.x) }}\nmodule m0 = {{ type t = i32 def x = 1i32 }}\n",
                 "module m{i} = d m{p}\n", "entry main (y: i32) = let z = m{n}.x in y"),
    "modules": ("module m0 = {{ def x = 1i32 }}\n", "module m{i} = {{ module a = m{p} module b = m{p} def x = a.x + b.x }}\n", "entry main = m{n}.x"),
    "arrays": ("def f0 (n: i64) = iota n\n", "def f{i} (n: i64) = concat (f{p} n) (f{p} n)\n", "entry main (n: i64) = i64.sum (f{n} n)"),
    "functions": ("def f0 (g: i32 -> i32) (x: i32) = g (g x)\n", "def f{i} (g: i32 -> i32) = f{p} (f{p} g)\n", "entry main (y: i32) = f{n} (\\x -> x + 1) y"),
    "polymorphism": ("def pair x = (x, x)\ndef f0 x = pair x\n", "def f{i} x = f{p} (f{p} x)\n", "entry main (x: i32) = let y = f{n} x in 1"),
    "branches": ("def f0 (c: bool) (x: i32) = x\n", "def f{i} (c: bool) (x: i32) = if c then f{p} c (x + 1) else f{p} c (x * 2)\n", "entry main (c: bool) (x: i32) = f{n} c x"),
    "parameters": ("type t0 'a = (a, a)\n", "type t{i} 'a = t{p} (t{p} a)\n", "entry main (x: t{n} i32): i32 = 1"),
}


@kind
def growth(r):
    """Short programs that grow with each definition: refused with their place before they take the memory."""
    first, step, last = GROWING[r.rng.choice(list(GROWING))]
    n = r.rng.choice([3, 8, 12, 18, 25, 40, 60])
    text = first.format() + "".join(step.format(i=i, p=i - 1) for i in range(1, n + 1)) + last.format(n=n)
    r.write("p.fut", text)
    r.run(r.rng.choice(["check", "ir"]), "p.fut", memory=4 << 30, seconds=60)


@kind
def nested(r):
    """Syntax that is nested deeply."""
    n = r.rng.choice([10, 200, 3000, 40000])
    opened, inner, closed = r.rng.choice([("(", "1", ")"), ("[", "1", "]"), ("-", "1", ""), ("if true then ", "1", " else 2"), ("let x = ", "1", " in x"), ("\\x -> ", "1", ""),
                                          ("#a (", "1", ")"), ("{a=", "1", "}"), ("f (", "1", ")"), ("!", "true", ""), ("1 + (", "2", ")"), ("match 1 case x -> ", "1", "")])
    r.write("p.fut", "def x = " + opened * n + inner + closed * n)
    r.run(r.rng.choice(["check", "fmt"]), "p.fut", seconds=60)


@kind
def many(r):
    """Many definitions, cases, fields, parameters, errors."""
    n = r.rng.choice([10, 300, 3000, 3000, 100000])
    text = r.rng.choice([
        "".join(f"def f{i} (x: i32) = x + {i}\n" for i in range(n)) + "entry main = f0 1",
        "entry main (x: i32) = match x " + " ".join(f"case {i} -> {i * 7 % 91}" for i in range(n)) + " case _ -> 0",
        "type t = " + " | ".join(f"#c{i} i32" for i in range(min(n, 300))) + "\ndef f (t: t) = match t " + " ".join(f"case #c{i} x -> x + {i}" for i in range(min(n, 300))),
        "entry main = {" + ", ".join(f"a{i} = {i}" for i in range(min(n, 300))) + "}",
        "def f " + " ".join(f"(x{i}: i32)" for i in range(n)) + " = x0\n",
        "".join(f"def f{i} = undefined{i}\n" for i in range(n)),
        "entry main = [" + ", ".join(str(i) for i in range(n)) + "]",
    ])
    r.write("p.fut", text)
    r.run("check", "p.fut", seconds=60)


@kind
def recursion(r):
    """Calls that never end, or end late: the limit on the stack is a failure of the program."""
    body = r.rng.choice(["f (n + 1)", "1 + f (n + 1)", "if n % 3 >= 0 then (if n % 5 >= 0 then f (n + 1) + 1 else 2) else 3", "f (n + 1) * f (n + 2)"])
    r.write("p.fut", f"def f (n: i64): i64 = if n == {r.rng.choice([100, 20000, -1])} then 1 else {body}\nentry main (n: i64) = f n")
    if "* f" in body:
        return
    r.run("run", "p.fut", stdin="0i64", seconds=60)


@kind
def empty_rows(r):
    """Rows without elements, as many as can be counted: no time in their number."""
    n = r.rng.choice([5, 1 << 40, (1 << 62), (1 << 63) - 1])
    text, stdin = r.rng.choice([
        ("entry main (n: i64) = length (replicate n (replicate 0 1i64))", f"{n}i64"),
        ("entry main (xs: [][]i32) = map (map (+ 1)) xs", f"empty([{n}][0]i32)"),
        ("entry main (xs: [][]i32) = (transpose xs, length xs)", f"empty([{n}][0]i32)"),
        ("entry main [n][m] (xs: [n][m]i32) = concat (transpose xs) (transpose xs)", f"empty([0][{n}]i32)"),
    ])
    r.write("p.fut", text)
    r.agree("p.fut", "main", stdin)


@kind
def streams(r):
    """Output that nobody reads, or that there is no room for."""
    r.write("p.fut", "-- ==\n-- input { 1 } output { 2 }\nentry main (x: i32) = x + 1\n")
    r.write("bad.fut", "def x = y\n")
    command = r.rng.choice(["test p.fut", "backends", "check bad.fut", "run p.fut", "ir p.fut", "trace p.fut", "explain E0301", "fmt --check p.fut", "test bad.fut", "check nope.fut"])
    where = r.rng.choice(["| true", ">/dev/full", "2>/dev/full", ">&-", "2>&-", "<&-", ">/dev/full 2>/dev/full"])
    # the status is the shell's, of `true` where there is a pipe: what counts is how futi itself ended
    r.run(shell=f'{{ echo 1 | "$FUTI" {command}; echo $? >status; }} {where}', statuses=range(256))
    status = (r.folder / "status").read_text().strip() if (r.folder / "status").exists() else "0"
    if status not in ("0", "1", "2", "141"):
        raise Found(f"status {status} of futi {command} {where}")


@kind
def sources(r):
    """Sources that are no files, or no text."""
    command = r.rng.choice(["check", "fmt", "test", "run", "doc"])
    what = r.rng.choice(["fifo", "/dev/zero", "/dev/urandom", "folder", "bom", "latin", "nul", "loop", "none"])
    path = r.folder / "p.fut"
    if what == "fifo":
        os.mkfifo(path)
    elif what.startswith("/"):
        path.symlink_to(what)
    elif what == "folder":
        path.mkdir()
    elif what == "loop":
        path.symlink_to(path)
    elif what != "none":
        path.write_bytes({"bom": b"\xef\xbb\xbfentry main = 1i32\n", "latin": b"-- \xe4\ndef x = 1\n", "nul": b"def x = 1\x00\n"}[what])
    status, _, _ = r.run(command, "p.fut")
    if what == "bom" and status != 0:
        raise Found("a byte-order mark is no text")


@kind
def blocks(r):
    """Test blocks: long lines, endless programs, wrong data."""
    long = "[" + ", ".join(["1"] * r.rng.choice([10, 1000, 40000])) + "]"
    text = r.rng.choice([
        f"-- ==\n-- input {{ {long} }} output {{ 1 }}\nentry main (xs: []i32) = xs\n",
        f"-- ==\n-- input {{ 1 }}{' ' * r.rng.choice([10, 5000])}output {{ 2 }}\nentry main (x: i32) = x\n",
        f"-- ==\n-- input {{ {long[:-1]} }}\nentry main (xs: []i32) = xs\n",
        "-- ==\n-- input { 1 } output { 2 }\nentry main (x: i32) = loop y = x + 1 while x == 1 do y\n",
        "-- ==\n-- input @ ../../../../etc/passwd\nentry main (x: i32) = x\n",
        "-- ==\n-- input { 1 } error: (((\nentry main (x: i32) = x\n",
        "-- ==\n-- script input { main 1 }\nentry main (x: i32) = x\n",
        "-- ==\n-- random input { [9223372036854775807]i32 }\nentry main (x: []i32) = x\n",
    ])
    r.write("p.fut", text)
    r.run("test", "p.fut", "--time-limit", "2", "--no-terminal", seconds=30)


@kind
def outside(r):
    """Test blocks that read files outside of the program's folder, by names and by links."""
    (r.folder / "program").mkdir()
    r.write("secret.in", "1i32")
    where = r.rng.choice(["../secret.in", str(r.folder / "secret.in"), "link.in", "folder/secret.in"])
    (r.folder / "program" / "link.in").symlink_to(r.folder / "secret.in")
    (r.folder / "program" / "folder").symlink_to(r.folder)
    case = r.rng.choice([f"input @ {where} output {{ 1i32 }}", f"input {{ 1i32 }} output @ {where}", f'script input {{ $loaddata "{where}" }} output {{ 1i32 }}'])
    r.write("program/p.fut", f"-- ==\n-- {case}\nentry main (x: i32) = x\n")
    if r.run("test", "program/p.fut", "--no-terminal")[0] == 0:
        raise Found("a file outside was read")


@kind
def formatting(r):
    """`futi fmt` where there is no room for the new text: the old one stays, or the new one is complete."""
    old = "".join(f"def f{i} x=x+{i}\n" for i in range(r.rng.choice([3, 200, 900])))
    r.write("p.fut", old)
    r.write("q.fut", old)
    r.run("fmt", "q.fut")
    r.run(shell=f"trap '' XFSZ; ulimit -f {r.rng.choice([1, 2, 4, 8, 20])}; exec \"$FUTI\" fmt p.fut")
    if (r.folder / "p.fut").read_text() not in (old, (r.folder / "q.fut").read_text()):
        raise Found("the source is lost")


@kind
def orphans(r):
    """What `futi test` runs when it is killed."""
    r.write("p.fut", "-- ==\n-- input { 1 } output { 2 }\nentry main (x: i32) = loop y = x + 1 while x == 1 do y\n")
    sent = r.rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    # the environment tells its children from others
    name = f"attack-{os.getpid()}-{r.folder.name}"
    tester = r.start("test", "p.fut", "--no-terminal", env={"ATTACK": name})
    time.sleep(0.7)
    tester.send_signal(sent)
    tester.wait(SECONDS)
    time.sleep(2)
    left = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"ATTACK={name}\0".encode() in (process / "environ").read_bytes() and b"Z" not in (process / "stat").read_bytes().split(b")")[-1].split()[:1]:
                left.append(int(process.name))
        except OSError:
            pass
    for number in left:
        os.kill(number, 9)
    if left:
        raise Found(f"processes go on after {sent}")


@kind
def sessions(r):
    """A session: text that is none, mistakes, large values, computations that never end and are interrupted; it goes on."""
    bad = [b"\xff\xfe", b"let x =", b"(((", b":load nope.fut", b":type", b"1i32 / 0", b"[1i32][5]", b"\x1b[2J", b":nothing", b"iota 1000000", b"def f x = f x", b"\x00", b"import \"nope\""]
    lines = [r.rng.choice(bad) for _ in range(r.rng.randint(1, 6))]
    # a command ends what `let x =` has begun
    lines = [b + b"\n\n" for b in lines] + [b":pwd\n6i64 * 7i64\n"]
    _, out, _ = r.run("repl", "--keep-going", stdin=b"".join(lines))
    if "42" not in out:
        raise Found("the session has ended")
    if len(out) > 200_000:
        raise Found(f"{len(out)} bytes of output")


@kind
def interrupted(r):
    """A computation in a session that is interrupted: the session goes on."""
    session = r.start("repl", stdin=subprocess.PIPE)
    session.stdin.write(b"loop x = 1i64 while x > 0 do (x + 1) %% 1000 + 1\n")
    session.stdin.flush()
    time.sleep(0.8)
    session.send_signal(signal.SIGINT)
    try:
        session.communicate(b"6i64 * 7i64\n", timeout=SECONDS)
    except (subprocess.TimeoutExpired, BrokenPipeError):
        session.kill()
        raise Found("the interrupt stops nothing, or all") from None
    if b"42" not in (r.folder / "out").read_bytes():
        raise Found("the session has ended")


@kind
def size_expressions(r):
    """Sizes that are expressions: of polymorphic functions, of parameters, of arithmetic."""
    op = r.rng.choice(["%", "//", "**", "<<", ">>", "%%", "&", "|", "^", "+", "-", "*", "/", "i64.max"])
    size = f"i64.max (count xs) {r.rng.randint(1, 3)}" if op == "i64.max" else f"count xs {op} {r.rng.randint(1, 3)}"
    r.write("p.fut", f"def count 'a [n] (_: [n]a) = n\ndef f 'a [n] (xs: [n]a) = iota ({size})\nentry main (ys: []bool) = map (+ 1) (f ys)\n")
    r.agree("p.fut", "main", r.rng.choice(["[true, false]", "empty([0]bool)", "[true, true, false, false]"]))


@kind
def limits(r):
    """--memory, --nodes and the system's own limit: a failure, and not the end by a signal."""
    r.write("p.fut", "entry main (n: i64) = i64.sum (loop xs = iota n for i < n do map (+ i) xs)\n")
    n = r.rng.choice([10, 10**6, 10**9, 10**12])
    what = r.rng.random()
    if what < 0.2:
        r.write("t.fut", "entry main (n: i64) (x: f64) = loop y = x for i < n do y * x + f64.i64 i\n")
        if r.run("trace", "t.fut", "--memory", "1MiB", stdin="300000i64 0.5")[0] == 0:
            raise Found("a trace of more than its memory")
    elif what < 0.3:
        # many small pieces, of which one is the first that there is no room for
        r.write("large.fut", "entry main = [" + ", ".join(map(str, range(300_000))) + "]")
        r.run("check", "large.fut", "--nodes", "1000000000", memory=r.rng.choice([650, 700, 800, 900]) << 20, seconds=60)
    elif what < 0.6:
        r.run("run", "p.fut", "--memory", r.rng.choice(["1KiB", "1MiB", "64MiB"]), stdin=f"{min(n, 5000) if n < 10**9 else n}i64")
    else:
        r.run("run", "p.fut", stdin=f"{n if n != 10**6 else 10}i64", memory=r.rng.choice([300 << 20, 1 << 30]))


@kind
def cache(r):
    """Files of the kernel cache that are damaged, or links, or not ours."""
    if not r.backend:
        return
    folder = r.folder.parent / "cache"
    r.write("p.fut", f"entry main (xs: []i64) = map (\\x -> x * {r.rng.randint(2, 40)} + 1) xs")
    files = [f for f in folder.rglob("*") if f.is_file()] if folder.exists() else []
    if files:
        file = r.rng.choice(files)
        what = r.rng.random()
        try:
            if what < 0.5:
                file.write_bytes(corrupted(r.rng, file.read_bytes()))
            elif what < 0.75:
                file.unlink()
                file.symlink_to("/dev/zero")
            else:
                file.write_bytes(file.read_bytes()[:r.rng.randint(0, 40)])
        except OSError:
            pass
    r.agree("p.fut", "main", ints(r.rng, 4))


# How often each kind comes: by what it costs, and by how much there is to find.
WEIGHTS = {"sizes": 8, "strides": 1, "dead_failures": 4, "runtime_failures": 4, "truncated": 30, "mutated": 20, "data": 18, "ir": 4, "unchecked": 3, "missing_sizes": 0.2, "traces": 1.5, "growth": 0.6,
           "nested": 0.5, "many": 0.15, "recursion": 0.2, "empty_rows": 0.5, "streams": 5, "sources": 5, "blocks": 0.7, "outside": 0.5, "formatting": 0.4, "orphans": 0.06, "sessions": 0.6,
           "interrupted": 0.06, "size_expressions": 1, "limits": 0.4, "cache": 0.6}


def attack(futi, base, seed, number, backend, kinds):
    rng = random.Random(f"{seed} {number}")
    name = rng.choices(kinds, [WEIGHTS[k] for k in kinds])[0]
    folder = base / str(number)
    folder.mkdir()
    run = Run(futi, folder, rng, backend)
    try:
        KINDS[name](run)
    except Found as found:
        return name, str(found), run.log, folder
    except Exception as e:  # a process that is gone, a pipe that is closed: what it was asked for did not happen
        return name, repr(e), run.log, folder
    shutil.rmtree(folder, ignore_errors=True)
    return name, None, None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("futi", type=pathlib.Path)
    parser.add_argument("--inputs", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--backend")
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--most", type=int, default=20, help="end after so many are found")
    # some inputs wait more than they compute
    parser.add_argument("--jobs", type=int, default=2 * os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the kinds of input")
    args = parser.parse_args()
    if args.list:
        print("\n".join(f"{name}: {f.__doc__}" for name, f in KINDS.items()))
        return 0
    if args.backend and args.backend not in subprocess.run([args.futi.resolve(), "backends"], capture_output=True, text=True).stdout:
        print(f"{args.futi} has no backend {args.backend}: build it with --features {args.backend}", file=sys.stderr)
        return 2
    base = pathlib.Path(tempfile.mkdtemp(prefix="futi-attack-"))
    kinds, found, counts = args.kind or list(KINDS), [], collections.Counter()
    began, numbers = time.monotonic(), iter(range(args.inputs))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        def work():
            for number in iter(lambda: next(numbers, None), None):
                if time.monotonic() - began > args.seconds or len(found) >= args.most:
                    return
                name, what, log, folder = attack(args.futi.resolve(), base, args.seed, number, args.backend, kinds)
                counts[name] += 1
                if what:
                    found.append(name)
                    print(f"FOUND {name} (input {number}): {what}\n  in {folder}\n  " + "\n  ".join(log), flush=True)
        for job in [pool.submit(work) for _ in range(args.jobs)]:
            job.result()
    if not found:
        shutil.rmtree(base, ignore_errors=True)
    for name, count in sorted(counts.items()):
        print(f"{count:7} {name}" + (f", {found.count(name)} found" if name in found else ""))
    print(f"{sum(counts.values())} inputs in {time.monotonic() - began:.0f} s, {len(found)} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
