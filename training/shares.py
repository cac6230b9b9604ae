"""Shares of four stems: as the rules give them, as a network corrects them, and how far they are from the truth."""

import jax
import jax.numpy as jnp
import numpy as np

from spectra import four_stem_edges, kept_bins

BANDS = 96
FLOOR = 0.02
"""No stem's share is taken for smaller, so that what the rules overlook can be found."""
SECOND_FIRST = 0.4055
"""The logit of the weight of the second opinion before anything is learned: 0.6."""
LEAST = 10**-2.2
"""A stem that is so far below the mixture is as good as silent."""

BINS, WEIGHTS = kept_bins()


def bands_of(bins):
    """The band of each of some bins; what lies beyond the bands counts to the nearest."""
    return np.clip(np.searchsorted(four_stem_edges(), bins, "right") - 1, 0, BANDS - 1)


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
