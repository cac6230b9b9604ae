"""The network that corrects hand-made shares of four stems, cell by cell: a cell is a band of a frame.

It hears of each cell and of its neighbours the level of the mixture, how much of it is difference of the sides, and two
opinions of the shares of vocals, drums and bass, which may be the same; of its band what these are in the mean of half
a second around and of the whole piece; of its frame and of the piece what each stem has in all; and how high the band
lies. It says how much the second opinion counts, and what the odds of each stem are multiplied by: with all outputs
zero the shares stay as they are. What it learns of one band serves for all of them, so few songs teach it much.
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
    """The mean over the frames within reach, those beyond the ends left out."""
    frames = x.shape[1]
    sums = jnp.pad(jnp.cumsum(x, 1), ((0, 0), (1, 0), (0, 0), (0, 0)))
    first = np.maximum(np.arange(frames) - reach, 0)
    end = np.minimum(np.arange(frames) + reach + 1, frames)
    return (sums[:, end] - sums[:, first]) / (end - first)[:, None, None]


def cells(level, side, heard):
    """What is heard of each cell, (songs, frames, bands, SEEN)."""
    opinions = jnp.moveaxis(jnp.sqrt(jnp.clip(heard, 0, 1)), 1, -1)
    x = jnp.concatenate([level[..., None], jnp.clip(side, 0, 1)[..., None], opinions], -1)
    frames, bands = x.shape[1:3]
    wide = jnp.pad(x, ((0, 0), (1, 1), (2, 2), (0, 0)))
    near = [wide[:, t : t + frames, b : b + bands] for t in range(3) for b in range(5)]
    weight = 10 ** (2 * level - 2.4)
    energy = jnp.moveaxis(heard, 1, -1) * weight[..., None]
    in_frame = energy.sum(2, keepdims=True) / (weight.sum(2)[:, :, None, None] + 1e-6)
    in_piece = energy.sum((1, 2), keepdims=True) / (weight.sum((1, 2))[:, None, None, None] + 1e-6)
    shape = (*x.shape[:3], 6)
    height = jnp.broadcast_to(jnp.stack([HEIGHTS, HEIGHTS**2], -1), (*x.shape[:3], 2))
    whole = jnp.broadcast_to(x.mean(1, keepdims=True), x.shape)
    totals = [jnp.broadcast_to(jnp.sqrt(total), shape) for total in (in_frame, in_piece)]
    return jnp.concatenate([*near, around(x, 11), whole, *totals, height], -1)


def hear(p, level, side, heard, key=None, dropped=0.0):
    """Corrections, (songs, frames, bands, 5): logits of the four stems, and of the weight of the second opinion."""
    h = jax.nn.relu(cells(level, side, heard) @ p["w0"] + p["b0"])
    if key is not None:
        kept = jax.random.bernoulli(key, 1 - dropped, (h.shape[0], 1, 1, h.shape[-1]))
        h = h * kept / (1 - dropped)
    h = jax.nn.relu(h @ p["w1"] + p["b1"])
    return h @ p["wo"] + p["bo"]
