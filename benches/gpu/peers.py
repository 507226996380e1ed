"""The peers of micro.fut and models.fut: the same formulas at the same sizes in JAX (f32, its highest precision) and in PyTorch (f32, no TF32).

    python peers.py FRAMEWORK OUT.json [--large] [--only micro.fut|models.fut]

FRAMEWORK is `jax` or `torch`. The JSON has the form of `futi bench --json`, with the same names of programs and datasets: times of calls in microseconds, arguments on the
device, each call waited for. peers.md says what each row's peer is.
"""

import json
import os
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import numpy as np

RUNS, SECONDS = 20, 2.0


def noise(i):
    return (((i * 7919 + 13) % 1009).astype(np.float32) / np.float32(1009) - np.float32(0.5)).astype(np.float32)


def grid(*shape, offset=0):
    return np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape) + offset


def ramp(n, period, step):
    return (np.arange(n, dtype=np.int64) % period).astype(np.float32) * np.float32(step)


def vectors(n):
    return ramp(n, 1000, 0.001), ramp(n, 777, 0.002)


def bins(n, m):
    return ((np.arange(n, dtype=np.int64) * 7919) % m).astype(np.int32), ramp(n, 777, 0.002)


def matrices(n):
    i, j = np.arange(n)[:, None], np.arange(n)[None]
    return ((i * j) % 17).astype(np.float32) * np.float32(0.1), ((i + j) % 13).astype(np.float32) * np.float32(0.1)


def points(n):
    d, k = 64, 25
    return noise(grid(k)), noise(grid(k, d)), 0.1 * noise(grid(k, d, offset=5)), 0.1 * noise(grid(k, d, d)), noise(grid(n, d, offset=77))


def batch(n):
    zeros = lambda m: np.zeros(m, np.float32)
    weights = 0.05 * noise(grid(1024, 512)), zeros(1024), 0.05 * noise(grid(10, 1024)), zeros(10)
    return *weights, noise(grid(n, 512, offset=3)), (np.arange(n) % 10).astype(np.int32)


def clusters(n):
    return noise(grid(n, 8)), noise(grid(16, 8, offset=7))


def plate(n):
    return (noise(grid(n, n)),)


# Program, entry points, and the arguments with their name, for two cores and for a GPU.
CASES = [
    ("micro.fut", ["saxpy", "sum", "cumsum", "grad_xsinx", "grad_scan"], vectors, "vectors", [(2**20,), (2**28,)]),
    ("micro.fut", ["hist256"], bins, "bins", [(2**20, 256), (2**26, 256)]),
    ("micro.fut", ["hist1m", "scattered"], bins, "bins", [(2**20, 2**20), (2**26, 2**20)]),
    ("micro.fut", ["matmul", "rowsum", "colsum", "rowscan", "transposed"], matrices, "matrices", [(256,), (4096,)]),
    ("models.fut", ["gmm", "gmm_grad"], points, "points", [(100,), (10000,)]),
    ("models.fut", ["mlp", "mlp_grad"], batch, "batch", [(32,), (16384,)]),
    ("models.fut", ["kmeans", "kmeans_hess"], clusters, "clusters", [(10_000,), (1_000_000,)]),
    ("models.fut", ["heat", "heat_grad"], plate, "plate", [(64,), (4096,)]),
]


def in_jax():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_default_matmul_precision", "highest")
    lse = jax.scipy.special.logsumexp

    def gmm(a, mu, q, l, x):
        below = jnp.tril(l, -1)
        c = x[:, None, :] - mu[None]
        y = jnp.exp(q)[None] * c + jnp.einsum("kij,nkj->nki", below, c)
        return lse(a[None] + q.sum(1)[None] - 0.5 * (y * y).sum(2), axis=1).sum() - x.shape[0] * lse(a)

    def mlp(w1, b1, w2, b2, x, y):
        scores = jax.nn.relu(x @ w1.T + b1) @ w2.T + b2
        return (lse(scores, axis=1) - jnp.take_along_axis(scores, y[:, None], 1)[:, 0]).mean()

    def kmeans(x, c):
        return ((x[:, None] - c[None]) ** 2).sum(2).min(1).sum()

    def kmeans_hess(x, c):
        return jax.jvp(jax.grad(lambda c: kmeans(x, c)), (c,), (jnp.ones_like(c),))

    def step(u):
        return u + 0.1 * (jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u)

    def heat(u):
        return (jax.lax.fori_loop(0, 64, lambda _, u: step(u), u) ** 2).sum()

    functions = {
        "saxpy": lambda x, y: 2 * x + y,
        "sum": lambda x, _: x.sum(),
        "cumsum": lambda x, _: jnp.cumsum(x),
        "grad_xsinx": lambda x, _: jax.grad(lambda x: (x * jnp.sin(x)).sum())(x),
        "grad_scan": lambda x, y: jax.vjp(jnp.cumsum, x)[1](y)[0],
        "hist256": lambda i, v: jnp.zeros(256, jnp.float32).at[i].add(v),
        "hist1m": lambda i, v: jnp.zeros(2**20, jnp.float32).at[i].add(v),
        "scattered": lambda i, v: jnp.zeros(2**20, jnp.float32).at[i].set(v),
        "matmul": lambda a, b: a @ b,
        "rowsum": lambda a, _: a.sum(1),
        "colsum": lambda a, _: a.sum(0),
        "rowscan": lambda a, _: jnp.cumsum(a, 1),
        "transposed": lambda a, _: a.T + 1,
        "gmm": gmm,
        "gmm_grad": jax.grad(gmm, (0, 1, 2, 3)),
        "mlp": mlp,
        "mlp_grad": jax.grad(mlp, (0, 1, 2, 3)),
        "kmeans": kmeans,
        "kmeans_hess": kmeans_hess,
        "heat": heat,
        "heat_grad": jax.grad(heat),
    }
    device = jax.devices()[0]
    return {name: jax.jit(f) for name, f in functions.items()}, lambda x: jax.device_put(x, device), jax.block_until_ready, str(device)


def in_torch():
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    name = torch.cuda.get_device_name() if device.type == "cuda" else "cpu"

    def gradient(f, count):
        def call(*args):
            leaves = [a.detach().requires_grad_() for a in args[:count]]
            return torch.autograd.grad(f(*leaves, *args[count:]), leaves)

        return call

    def gmm(a, mu, q, l, x):
        c = x[:, None, :] - mu[None]
        y = torch.exp(q)[None] * c + torch.einsum("kij,nkj->nki", torch.tril(l, -1), c)
        return torch.logsumexp(a[None] + q.sum(1)[None] - 0.5 * (y * y).sum(2), 1).sum() - x.shape[0] * torch.logsumexp(a, 0)

    def mlp(w1, b1, w2, b2, x, y):
        return torch.nn.functional.cross_entropy(torch.relu(x @ w1.T + b1) @ w2.T + b2, y.long())

    def kmeans(x, c):
        return ((x[:, None] - c[None]) ** 2).sum(2).amin(1).sum()

    def kmeans_hess(x, c):
        return torch.autograd.functional.hvp(lambda c: kmeans(x, c), c, torch.ones_like(c))

    def step(u):
        return u + 0.1 * (u.roll(1, 0) + u.roll(-1, 0) + u.roll(1, 1) + u.roll(-1, 1) - 4 * u)

    def heat(u):
        for _ in range(64):
            u = step(u)
        return (u**2).sum()

    zeros = lambda n: torch.zeros(n, device=device)
    functions = {
        "saxpy": lambda x, y: 2 * x + y,
        "sum": lambda x, _: x.sum(),
        "cumsum": lambda x, _: torch.cumsum(x, 0),
        "grad_xsinx": gradient(lambda x, _: (x * torch.sin(x)).sum(), 1),
        "grad_scan": lambda x, y: gradient(lambda x: torch.dot(torch.cumsum(x, 0), y), 1)(x)[0],
        "hist256": lambda i, v: zeros(256).index_add_(0, i, v),
        "hist1m": lambda i, v: zeros(2**20).index_add_(0, i, v),
        "scattered": lambda i, v: zeros(2**20).index_copy_(0, i.long(), v),
        "matmul": lambda a, b: a @ b,
        "rowsum": lambda a, _: a.sum(1),
        "colsum": lambda a, _: a.sum(0),
        "rowscan": lambda a, _: torch.cumsum(a, 1),
        "transposed": lambda a, _: (a.T + 1).contiguous(),
        "gmm": gmm,
        "gmm_grad": gradient(gmm, 4),
        "mlp": mlp,
        "mlp_grad": gradient(mlp, 4),
        "kmeans": kmeans,
        "kmeans_hess": kmeans_hess,
        "heat": heat,
        "heat_grad": gradient(heat, 1),
    }

    def wait(result):
        if device.type == "cuda":
            torch.cuda.synchronize()
        return result

    return functions, lambda x: torch.as_tensor(x, device=device), wait, name


def times(f, args, wait) -> list[float]:
    """Microseconds of calls, after one that compiles and one that warms up."""
    wait(f(*args))
    wait(f(*args))
    runs: list[float] = []
    began = time.perf_counter()
    while len(runs) < 3 or (len(runs) < RUNS and time.perf_counter() - began < SECONDS):
        start = time.perf_counter()
        wait(f(*args))
        runs.append((time.perf_counter() - start) * 1e6)
    return runs


def main(framework: str, out: str, *flags: str) -> None:
    functions, put, wait, device = {"jax": in_jax, "torch": in_torch}[framework]()
    only = flags[flags.index("--only") + 1] if "--only" in flags else ""
    results: dict = {}
    for program, entries, make, name, sizes in CASES:
        if not program.startswith(only):
            continue
        size = sizes["--large" in flags]
        args = [put(x) for x in make(*size)]
        dataset = " ".join([name, *(f"{n}i64" for n in size)])
        for entry in entries:
            try:
                runs, said = times(functions[entry], args, wait), ""
                print(f"{framework} {entry}: {min(runs) / 1e3:.4f} ms", flush=True)
            except Exception as e:  # what a framework cannot do is a row without a time
                runs, said = [], str(e)[:300]
                print(f"{framework} {entry}: {said}", flush=True)
            results[f"{program}:{entry}"] = {"datasets": {dataset: {"runtimes": runs, "bytes": {}, "stderr": said}}}
        del args
    with open(out, "w") as file:
        json.dump(results, file)
    print(f"{framework} on {device}")


if __name__ == "__main__":
    main(*sys.argv[1:])
