"""A Futi function within JAX: a callback on the host, with a derivative that is Futi's.

    python examples/jax_callback.py
"""

import futi
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def from_futi(model: futi.Model, entry: str):
    """The entry point, of floats to a float, as a JAX function: it can be jitted, differentiated in reverse, and mapped."""
    function, gradient = model[entry], model.value_and_grad(entry, argnums=tuple(range(len(model[entry]._args))))

    @jax.custom_vjp
    def call(*args):
        return jax.pure_callback(lambda *xs: function(*map(np.asarray, xs)), jax.ShapeDtypeStruct((), np.float64), *args, vmap_method="sequential")

    def forward(*args):
        shapes = (jax.ShapeDtypeStruct((), np.float64), tuple(jax.ShapeDtypeStruct(x.shape, x.dtype) for x in args))
        return jax.pure_callback(lambda *xs: gradient(*map(np.asarray, xs)), shapes, *args, vmap_method="sequential")

    call.defvjp(forward, lambda gradients, seed: tuple(seed * g for g in gradients))
    return call


def main():
    model = futi.compile("entry energy [n] (x: [n]f64) (k: f64) : f64 = k / 2 * f64.sum (map (\\x -> x * x) x)")
    energy = jax.jit(from_futi(model, "energy"))
    x = jnp.array([1.0, 2.0, 3.0])
    by_x, by_k = jax.grad(energy, argnums=(0, 1))(x, 2.0)
    print("energy", energy(x, 2.0), "force", -by_x, "by k", by_k)
    print("of several", jax.vmap(energy, in_axes=(0, None))(jnp.stack([x, 2 * x]), 2.0))
    return energy(x, 2.0), by_x, by_k


if __name__ == "__main__":
    main()
