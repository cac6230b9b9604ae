"""The network that corrects hand-made shares of four stems, and what its error is.

It hears, in 96 bands, the level of the mixture, how much of it is difference of the sides, and two opinions of the
shares of vocals, drums and bass, which may be the same. It says for each band and frame how much the second opinion
counts, and what the odds of each stem are multiplied by: with all outputs zero the shares stay as they are.
"""

import jax
import jax.numpy as jnp
import numpy as np

from spectra import four_stem_edges, kept_bins

BANDS = 96
INPUTS = 8 * BANDS
OUTPUTS = 5
DISTANCES = (1, 2, 4, 8, 16, 32)
FLOOR = 0.02
"""No stem's share is taken for smaller, so that what the rules overlook can be found."""
SECOND_FIRST = 0.4055
"""The logit of the weight of the second opinion before anything is learned: 0.6."""
LEAST = 10**-2.2
"""A stem that is so far below the mixture is as good as silent."""

BINS, WEIGHTS = kept_bins()
BAND_OF = np.clip(np.searchsorted(four_stem_edges(), BINS, "right") - 1, 0, BANDS - 1)


def new_network(key, width):
    keys = iter(jax.random.split(key, 10))

    def layer(seen, given, gain):
        return jax.random.normal(next(keys), (seen, given)) * gain * np.sqrt(2 / seen)

    p = {"w0": layer(3 * INPUTS, width, 0.7), "b0": jnp.zeros(width)}
    for i in range(len(DISTANCES)):
        p[f"w{i + 1}"] = layer(3 * width, width, 0.3)
        p[f"b{i + 1}"] = jnp.zeros(width)
    return {**p, "wo": jnp.zeros((width, BANDS * OUTPUTS)), "bo": jnp.zeros(BANDS * OUTPUTS)}


def hear(p, level, side, heard, key=None, dropped=0.0):
    """Corrections, (songs, frames, bands, 5): logits of the four stems, and of the weight of the second opinion."""
    songs, frames, _ = level.shape
    opinions = jnp.moveaxis(jnp.sqrt(jnp.clip(heard, 0, 1)), 1, 2).reshape(songs, frames, -1)
    x = jnp.concatenate([level, side, opinions], -1)

    def seen(x, d):
        before = jnp.pad(x, ((0, 0), (d, 0), (0, 0)))[:, :frames]
        after = jnp.pad(x, ((0, 0), (0, d), (0, 0)))[:, d:]
        return jnp.concatenate([before, x, after], -1)

    h = jax.nn.relu(seen(x, 1) @ p["w0"] + p["b0"])
    for i, d in enumerate(DISTANCES):
        added = jax.nn.relu(seen(h, d) @ p[f"w{i + 1}"] + p[f"b{i + 1}"])
        if key is not None:
            key, now = jax.random.split(key)
            added = added * jax.random.bernoulli(now, 1 - dropped, (songs, 1, added.shape[-1])) / (1 - dropped)
        h = h + added
    return (h @ p["wo"] + p["bo"]).reshape(songs, frames, BANDS, OUTPUTS)


def four(shares):
    """Shares of three stems, (songs, 3, frames, bins), and on the last axis those of all four."""
    shares = jnp.moveaxis(shares, 1, -1)
    return jnp.concatenate([shares, jnp.maximum(0, 1 - shares.sum(-1, keepdims=True))], -1)


def corrected(corrections, shares, band_of):
    """Shares of four stems on the last axis, from both opinions, (songs, 6, frames, bins), and the corrections."""
    c = corrections[:, :, band_of]
    weight = jax.nn.sigmoid(c[..., 4:] + SECOND_FIRST)
    mixed = (1 - weight) * four(shares[:, :3]) + weight * four(shares[:, 3:])
    return jax.nn.softmax(jnp.log(mixed + FLOOR) + c[..., :4], -1)


def uncorrected(shares):
    """What the rules alone make of both opinions."""
    return 0.4 * four(shares[:, :3]) + 0.6 * four(shares[:, 3:])


def distortion_db(found, energy, best, truth, lost, weights):
    """The distortion of each stem in dB, (songs, 4), about the negative of SDR; of a silent stem, its level."""
    error = (weights * energy)[..., None] * (found - four_of_best(best)) ** 2
    mixture = (weights * energy).sum((1, 2))[:, None]
    return 10 * jnp.log10(
        (error.sum((1, 2)) + lost.sum(1) + LEAST * mixture) / (truth.sum(1) + LEAST * mixture + 1e-12)
    )


def four_of_best(best):
    best = jnp.moveaxis(best, 1, -1)
    return jnp.concatenate([best, 1 - best.sum(-1, keepdims=True)], -1)
