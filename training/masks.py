"""Masks of four stems: from the rules, corrected by a network, and their error against the true stems."""

import jax
import jax.numpy as jnp
import numpy as np

from spectra import four_stem_edges, kept_bins

BANDS = 96
FLOOR = 0.02
"""Lower limit of each stem's mask, so that the network can raise stems that the rules miss."""
SECOND_FIRST = 0.4055
"""Initial logit of the second estimate's weight, which is then 0.6."""
LEAST = 10**-2.2
"""Energy relative to the mixture below which a stem counts as silent."""

BINS, WEIGHTS = kept_bins()


def bands_of(bins):
    """Returns the band of each bin; bins outside the bands get the nearest one."""
    return np.clip(np.searchsorted(four_stem_edges(), bins, "right") - 1, 0, BANDS - 1)


def four(masks):
    """Converts masks of three stems, (songs, 3, frames, bins), to masks of all four on the last axis."""
    masks = jnp.moveaxis(masks, 1, -1)
    return jnp.concatenate([masks, jnp.maximum(0, 1 - masks.sum(-1, keepdims=True))], -1)


def corrected(corrections, masks, band_of):
    """Returns corrected masks of four stems on the last axis, from both estimates, (songs, 6, frames, bins)."""
    c = corrections[:, :, band_of]
    weight = jax.nn.sigmoid(c[..., 4:] + SECOND_FIRST)
    mixed = (1 - weight) * four(masks[:, :3]) + weight * four(masks[:, 3:])
    return jax.nn.softmax(jnp.log(mixed + FLOOR) + c[..., :4], -1)


def uncorrected(masks):
    """Combines both estimates of the rules without a network, with fixed weights."""
    return 0.4 * four(masks[:, :3]) + 0.6 * four(masks[:, 3:])


def distortion_db(found, energy, best, truth, lost, weights):
    """Returns each stem's distortion in dB, (songs, 4): about the negative SDR, or the level of a silent stem."""
    error = (weights * energy)[..., None] * (found - four_of_best(best)) ** 2
    mixture = (weights * energy).sum((1, 2))[:, None]
    return 10 * jnp.log10(
        (error.sum((1, 2)) + lost.sum(1) + LEAST * mixture) / (truth.sum(1) + LEAST * mixture + 1e-12)
    )


def four_of_best(best):
    best = jnp.moveaxis(best, 1, -1)
    return jnp.concatenate([best, 1 - best.sum(-1, keepdims=True)], -1)
