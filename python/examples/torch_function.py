"""A Futi function within PyTorch: an ``autograd.Function`` whose backward pass is Futi's derivative.

    python examples/torch_function.py
"""

import futi
import torch


def from_futi(model: futi.Model, entry: str):
    """The entry point, of floats to one value, as a function of tensors on the host."""
    function = model[entry]

    class Call(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *tensors):
            ctx.save_for_backward(*tensors)
            return torch.as_tensor(function(*(t.detach().numpy() for t in tensors)))

        @staticmethod
        def backward(ctx, seed):
            _, pullback = function.vjp(*(t.detach().numpy() for t in ctx.saved_tensors))
            return tuple(torch.as_tensor(g) for g in pullback(seed.numpy()))

    return Call.apply


def main():
    model = futi.compile("entry energy [n] (x: [n]f64) (k: f64) : f64 = k / 2 * f64.sum (map (\\x -> x * x) x)")
    energy = from_futi(model, "energy")
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    k = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    value = energy(x, k)
    value.backward()
    print("energy", value.item(), "force", -x.grad, "by k", k.grad.item())
    return value, x.grad, k.grad


if __name__ == "__main__":
    main()
