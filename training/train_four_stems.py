"""Trains the network that corrects the rule-based masks of four stems.

    python train_four_stems.py SONGS_FOLDER OUT.npz --minutes 40 [--init BEFORE.npz]

Songs added to the folder during training are used too. Those with seeds divisible by 12 are held out: OUT.npz
is the state that performs best on them, a running mean of the weights. The input of each example is both
estimates, or one of them twice.
"""

import argparse
import glob
import os
import time

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
import jax
import jax.numpy as jnp
import numpy as np
import optax

from four_stem_network import new_network, predict
from masks import BANDS, BINS, WEIGHTS, bands_of, corrected, distortion_db, uncorrected

BAND_OF = bands_of(BINS)
WAYS = {"both": (0, 1, 2, 3, 4, 5), "at once": (0, 1, 2, 0, 1, 2), "voice first": (3, 4, 5, 3, 4, 5)}
STRIDE = 3
"""Each step uses every third bin."""

ask = argparse.ArgumentParser()
ask.add_argument("songs")
ask.add_argument("out")
ask.add_argument("--minutes", type=float, default=40)
ask.add_argument("--init")
ask.add_argument("--width", type=int, default=48)
ask.add_argument("--rate", type=float, default=4e-3)
ask.add_argument("--frames", type=int, default=160, help="of each example")
ask.add_argument("--batch", type=int, default=4)
ask.add_argument("--every", type=int, default=80, help="steps from one look at the held-out songs to the next")
asked = ask.parse_args()
r = np.random.default_rng(5)
cache = {}


def seeds():
    return sorted(int(os.path.basename(f)[:-4]) for f in glob.glob(f"{asked.songs}/*.npz") if ".part" not in f)


def read(seed):
    if seed not in cache:
        cache[seed] = dict(np.load(f"{asked.songs}/{seed}.npz"))
    return cache[seed]


def example(song, at, frames, way, bins):
    """Returns an excerpt of a song at the given bins, as inputs of the network and of the error."""
    to = at + frames
    columns = list(WAYS[way])
    return (
        song["level"][at:to].astype(np.float32),
        song["side"][at:to].astype(np.float32),
        song["estimates"][columns, at:to].astype(np.float32),
        song["masks"][columns, at:to][:, :, bins].astype(np.float32) / 255,
        10 ** song["energy"][at:to][:, bins].astype(np.float32),
        song["best"][:, at:to][:, :, bins].astype(np.float32) * (2 / 255) - 0.5,
        song["truth"][at:to],
        song["lost"][at:to],
    )


def stacked(examples):
    return [np.stack(parts) for parts in zip(*examples, strict=True)]


def batch(songs, bins):
    picked = []
    for seed in r.choice(songs, asked.batch):
        song = read(seed)
        at = int(r.integers(0, len(song["level"]) - asked.frames + 1))
        level, *others = example(song, at, asked.frames, str(r.choice(list(WAYS))), bins)
        tone = np.interp(np.linspace(0, 1, BANDS), np.linspace(0, 1, 6), r.normal(0, 0.12, 6))
        picked.append((level + tone.astype(np.float32), *others))
    return stacked(picked)


def loss(p, key, bands, weights, level, side, estimates, masks, energy, best, truth, lost):
    corrections = predict(p, level, side, estimates, key, 0.15)
    found = corrected(corrections, masks, bands)
    return distortion_db(found, energy, best, truth, lost, weights).mean() + 0.05 * (corrections**2).mean()


@jax.jit
def judge(p, trust, level, side, estimates, masks, energy, best, truth, lost):
    found = corrected(trust * predict(p, level, side, estimates), masks, BAND_OF)
    rules = uncorrected(masks)
    return [distortion_db(x, energy, best, truth, lost, WEIGHTS) for x in (found, rules)]


def held_out(p, songs, trust=1.0):
    """Returns, for each method, the reduction of each stem's distortion against the rules alone, in dB."""
    every = np.arange(len(BINS))
    gains = {}
    for way in WAYS:
        pairs = [judge(p, trust, *stacked([example(read(s), 0, 500, way, every)])) for s in songs]
        gains[way] = np.mean([np.asarray(rules - found)[0] for found, rules in pairs], 0)
    return gains


start = time.time()
p = new_network(jax.random.PRNGKey(0), asked.width)
if asked.init:
    p = {k: jnp.asarray(v) for k, v in np.load(asked.init).items()}
opt = optax.chain(
    optax.clip_by_global_norm(1.0),
    optax.inject_hyperparams(optax.adamw)(learning_rate=asked.rate, weight_decay=3e-3),
)


@jax.jit
def step(p, mean, state, key, *given):
    value, slope = jax.value_and_grad(loss)(p, key, *given)
    updates, state = opt.update(slope, state, p)
    p = optax.apply_updates(p, updates)
    mean = jax.tree.map(lambda m, x: 0.98 * m + 0.02 * x, mean, p)
    return p, mean, state, value


state, mean, key, best_gain = opt.init(p), p, jax.random.PRNGKey(1), -np.inf
n, seen, kept_back = 0, [], []
while (minutes := (time.time() - start) / 60) < asked.minutes:
    if n % asked.every == 0:
        known = seeds()
        songs, before, kept_back = [s for s in known if s % 12], kept_back, [s for s in known if s % 12 == 0]
        gains = held_out(mean, kept_back)
        overall = float(np.mean(list(gains.values())))
        print(
            f"step {n}, {minutes:.1f} min, {len(songs)} songs, training {np.mean(seen[-asked.every :] or [0]):.3f} dB"
        )
        for way, gain in gains.items():
            print(f"  held out ({len(kept_back)}), {way}: vocals, drums, bass, other", *gain.round(2), flush=True)
        if overall > best_gain or before != kept_back:
            best_gain = overall
            np.savez(asked.out, **jax.tree.map(np.asarray, mean))
    rate = asked.rate * min(1, (n + 1) / 40) * max(0.02, 0.5 * (1 + np.cos(np.pi * minutes / asked.minutes)))
    state[1].hyperparams["learning_rate"] = jnp.asarray(rate)
    bins = r.integers(STRIDE) + STRIDE * np.arange(len(BINS) // STRIDE)
    key, now = jax.random.split(key)
    p, mean, state, value = step(p, mean, state, now, BAND_OF[bins], STRIDE * WEIGHTS[bins], *batch(songs, bins))
    seen.append(float(value))
    n += 1

p = dict(np.load(asked.out))
for trust in (0.5, 0.75, 1.0, 1.25):
    gains = held_out(p, kept_back, trust)
    print(f"trust {trust}:", {way: gain.round(2).tolist() for way, gain in gains.items()})
