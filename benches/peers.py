"""The peers of the benchmark `interp`: the same work by CPython, NumPy and JAX on the CPU.

Reads requests from standard input, one a line: `peer workload n repetitions`. Answers each with the seconds that the repetitions took together, or with
`missing` and a reason. Inputs are those of the benchmark: see `arguments` in benches/interp.rs.
"""

import sys
import time

try:
    import numpy as np
except ImportError:
    np = None
try:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
except ImportError:
    jax = None


def ramp(n):
    return (np.arange(n, dtype=np.float64) % 1000.0) * 0.001


def gmm(n):
    """Parameters and data of a mixture of 10 components in 10 dimensions: those of `gmm_arguments` in benches/interp.rs."""
    d = k = 10
    t = d * (d + 1) // 2

    def wave(count, phase):
        return np.sin(np.arange(count, dtype=np.float64) * 0.7 + phase)

    alphas = 0.1 * wave(k, 0.1)
    means = wave(k * d, 0.2).reshape(k, d)
    icf = 0.2 * wave(k * t, 0.3).reshape(k, t)
    xs = 1.5 * wave(n * d, 0.4).reshape(n, d)
    return alphas, means, icf, xs


def gmm_objective():
    d = k = 10
    rows, columns = [], []
    for c in range(d):
        for r in range(c + 1, d):
            rows.append(r)
            columns.append(c)
    rows, columns = np.array(rows), np.array(columns)

    def log_gamma_distribution(a, p):
        from math import lgamma, log, pi

        return 0.25 * p * (p - 1) * log(pi) + sum(lgamma(a + 0.5 * (1 - j)) for j in range(1, p + 1))

    def objective(alphas, means, icf, xs, gamma, m):
        n = xs.shape[0]
        log_diagonal = icf[:, :d]
        q = jnp.zeros((k, d, d)).at[:, rows, columns].set(icf[:, d:])
        q = q.at[:, jnp.arange(d), jnp.arange(d)].set(jnp.exp(log_diagonal))
        centred = xs[:, None, :] - means[None, :, :]
        mapped = jnp.einsum("krc,nkc->nkr", q, centred)
        scores = alphas + log_diagonal.sum(1) - 0.5 * (mapped**2).sum(2)
        likelihood = jax.scipy.special.logsumexp(scores, axis=1).sum()
        likelihood -= n * jax.scipy.special.logsumexp(alphas) + 0.5 * n * d * jnp.log(2 * jnp.pi)
        nu = d + m + 1
        constant = nu * d * (jnp.log(gamma) - 0.5 * jnp.log(2.0)) - log_gamma_distribution(0.5 * nu, d)
        squares = jnp.exp(2 * log_diagonal).sum() + (icf[:, d:] ** 2).sum()
        prior = 0.5 * gamma**2 * squares - m * log_diagonal.sum() - k * constant
        return likelihood + prior

    return objective


def work(peer, workload, n):
    """A function to time, all set up; None where there is none."""
    if peer == "cpython":
        if workload != "multiply_add":
            return None

        def loop():
            x, a, b = 0.5, 0.999, 0.001
            for _ in range(n):
                x = x * a + b
            return x

        return loop
    if workload == "multiply_add":
        if peer != "jax":
            return None
        f = jax.jit(lambda a, b: jax.lax.fori_loop(0, n, lambda i, x: x * a + b, 0.5))
        return lambda: f(0.999, 0.001).block_until_ready()
    if workload in ("gmm_objective", "gmm_gradient"):
        if peer != "jax":
            return None
        args = [jnp.array(a) for a in gmm(n)]
        objective = gmm_objective()
        of_model = jax.grad(objective, argnums=(0, 1, 2)) if workload == "gmm_gradient" else objective
        f = jax.jit(lambda *a: of_model(*a, 1.0, 2))
        return lambda: jax.block_until_ready(f(*args))
    if workload == "product":
        a, b = ramp(n * n).reshape(n, n), ramp(n * n).reshape(n, n)[::-1].copy()
        if peer == "numpy":
            return lambda: a @ b
        a, b = jnp.array(a), jnp.array(b)
        f = jax.jit(lambda a, b: a @ b)
        return lambda: f(a, b).block_until_ready()
    xs = ramp(n)
    of = {
        "polynomial": (lambda x: x * x * x + 2 * x),
        "total": (lambda x: x.sum()),
        "prefixes": (lambda x: x.cumsum()),
    }[workload]
    if peer == "numpy":
        return lambda: of(xs)
    xs = jnp.array(xs)
    f = jax.jit(of)
    return lambda: f(xs).block_until_ready()


def main():
    ready = {}
    for line in sys.stdin:
        peer, workload, n, repetitions = line.split()
        if peer in ("numpy", "jax") and np is None or peer == "jax" and jax is None:
            print(f"missing {peer}", flush=True)
            continue
        key = (peer, workload, int(n))
        if key not in ready:
            ready[key] = work(*key)
            if ready[key] is not None and peer == "jax":
                ready[key]()
        run = ready[key]
        if run is None:
            print("missing no such work", flush=True)
            continue
        start = time.perf_counter()
        for _ in range(int(repetitions)):
            run()
        print(time.perf_counter() - start, flush=True)


main()
