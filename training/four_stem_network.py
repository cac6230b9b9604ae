"""The network that corrects the rule-based masks of four stems, cell by cell; a cell is one band of one frame.

Its inputs are, for each cell and its neighbours, the level of the mixture, the proportion of the side signal,
and two estimates of the masks of vocals, drums and bass, which may be equal; for its band, the means of these
over half a second and over the whole excerpt; for its frame and for the excerpt, the total of each stem; and
the frequency of the band. Its outputs are the weight of the second estimate and a factor for the odds of each
stem: if all outputs are zero, the masks do not change. All bands use the same weights, so few songs are enough
for training.
"""

import jax
import jax.numpy as jnp
import numpy as np

CHANNELS = 8
SEEN = 15 * CHANNELS + 2 * CHANNELS + 12 + 2
HEIGHTS = np.linspace(-1, 1, 96)


def new_network(key, width):
    one, two = jax.random.split(key)
    return {
        "w0": jax.random.normal(one, (SEEN, width)) * np.sqrt(2 / SEEN),
        "b0": jnp.zeros(width),
        "w1": jax.random.normal(two, (width, width)) * np.sqrt(2 / width),
        "b1": jnp.zeros(width),
        "wo": jnp.zeros((width, 5)),
        "bo": jnp.zeros(5),
    }


def around(x, reach):
    """Returns the mean over the frames within `reach`, without those beyond the ends."""
    frames = x.shape[1]
    sums = jnp.pad(jnp.cumsum(x, 1), ((0, 0), (1, 0), (0, 0), (0, 0)))
    first = np.maximum(np.arange(frames) - reach, 0)
    end = np.minimum(np.arange(frames) + reach + 1, frames)
    return (sums[:, end] - sums[:, first]) / (end - first)[:, None, None]


def cells(level, side, estimates):
    """Returns the network input of each cell, (songs, frames, bands, SEEN)."""
    opinions = jnp.moveaxis(jnp.sqrt(jnp.clip(estimates, 0, 1)), 1, -1)
    x = jnp.concatenate([level[..., None], jnp.clip(side, 0, 1)[..., None], opinions], -1)
    frames, bands = x.shape[1:3]
    wide = jnp.pad(x, ((0, 0), (1, 1), (2, 2), (0, 0)))
    near = [wide[:, t : t + frames, b : b + bands] for t in range(3) for b in range(5)]
    weight = 10 ** (2 * level - 2.4)
    energy = jnp.moveaxis(estimates, 1, -1) * weight[..., None]
    in_frame = energy.sum(2, keepdims=True) / (weight.sum(2)[:, :, None, None] + 1e-6)
    in_piece = energy.sum((1, 2), keepdims=True) / (weight.sum((1, 2))[:, None, None, None] + 1e-6)
    shape = (*x.shape[:3], 6)
    height = jnp.broadcast_to(jnp.stack([HEIGHTS, HEIGHTS**2], -1), (*x.shape[:3], 2))
    whole = jnp.broadcast_to(x.mean(1, keepdims=True), x.shape)
    totals = [jnp.broadcast_to(jnp.sqrt(total), shape) for total in (in_frame, in_piece)]
    return jnp.concatenate([*near, around(x, 11), whole, *totals, height], -1)


def predict(p, level, side, estimates, key=None, dropped=0.0):
    """Returns corrections, (songs, frames, bands, 5): logits of the stems and of the second estimate's weight."""
    h = jax.nn.relu(cells(level, side, estimates) @ p["w0"] + p["b0"])
    if key is not None:
        kept = jax.random.bernoulli(key, 1 - dropped, (h.shape[0], 1, 1, h.shape[-1]))
        h = h * kept / (1 - dropped)
    h = jax.nn.relu(h @ p["w1"] + p["b1"])
    return h @ p["wo"] + p["bo"]
