"""Trains the network that estimates the masks of guitar and piano in `other`, and whether they are present at all.

    python train_guitar_piano.py SONGS_FOLDER OUT.npz --minutes 120 [--init BEFORE.npz] [--parts OTHER_FOLDER]

Three of five examples are an excerpt of a song that the engine separated, with another tone and in another key. The
others are new songs: parts of up to three songs at random levels, transposed, with random tone controls, separated
approximately as the engine does (a soft mask from inaccurate estimates). Some examples of both kinds are limited to a
window of pan positions, which keeps only what lies near one position. The targets are the optimal gain of guitar and
of piano in each band and frame, and the presence of each in the whole excerpt.
"""

import argparse
import glob
import os
import time
import zipfile

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
import jax
import jax.numpy as jnp
import numpy as np
import optax

ask = argparse.ArgumentParser()
ask.add_argument("songs")
ask.add_argument("out")
ask.add_argument("--minutes", type=float, default=120)
ask.add_argument("--init")
ask.add_argument("--parts", help="songs of which only the parts (`e` and `k`) are used")
ask.add_argument("--seed", type=int, default=11)
ask.add_argument("--rate", type=float, default=1e-3)
asked = ask.parse_args()
WIDTH = 128
BANDS = 96
DIL = [1, 2, 4, 8, 16, 32]
T = 192
r = np.random.default_rng(asked.seed)


def edges(first=5, last=1500, bands=96):
    e = [int(np.floor(first * (last / first) ** (i / bands) + 0.5)) for i in range(bands + 1)]
    for i in range(1, bands + 1):
        e[i] = max(e[i], e[i - 1] + 1)
    return np.array(e)


BINS = np.diff(edges()).astype(np.float32)
cache = {}
names = []
names_of_parts = []


def look_for_songs():
    """Updates the list of songs, including those added during training; one in twenty is held out."""
    global names, names_of_parts
    names = [
        f for f in sorted(glob.glob(os.path.join(asked.songs, "*.npz"))) if int(os.path.basename(f)[:-4]) % 20
    ]
    names_of_parts = names + (sorted(glob.glob(os.path.join(asked.parts, "*.npz"))) if asked.parts else [])


def one_of(files):
    while True:
        f = files[r.integers(len(files))]
        if f not in cache:
            try:
                cache[f] = {k: v for k, v in np.load(f).items()}
            except (OSError, ValueError, EOFError, zipfile.BadZipFile):  # still being written
                continue
        return cache[f]


def shift(x, by, empty):
    """Shifts the bands of (frames, bands, …) up or down."""
    if by == 0:
        return x
    y = np.full_like(x, empty)
    if by > 0:
        y[:, by:] = x[:, :-by]
    else:
        y[:, :by] = x[:, -by:]
    return y


def smooth(sh, t, b):
    z = r.normal(0, 1, (sh[0] // t + 2, sh[1] // b + 2))
    i = np.minimum(np.arange(sh[0]) // t, z.shape[0] - 1)
    j = np.minimum(np.arange(sh[1]) // b, z.shape[1] - 1)
    return z[i][:, j]


def tone(deviation):
    points = r.normal(0, deviation, 6)
    return (10 ** (np.interp(np.linspace(0, 1, BANDS), np.linspace(0, 1, 6), points) / 10)).astype(np.float32)


# An example has the targets of guitar and piano, the energy of `other`, its proportion of the mixture (4, T, BANDS),
# and the presence of guitar and piano (1, 0, or −1 where it is not trained).


def presence(proportion):
    """Returns 1 for a present instrument, 0 for an absent one, −1 for a proportion in between (not trained)."""
    return 1 if proportion > 0.06 else 0 if proportion < 0.003 else -1


def divided_example():
    d = one_of(names)
    at = r.integers(0, d["o"].shape[0] - T + 1)
    o = 10.0 ** d["o"][at : at + T].astype(np.float32)
    m = 10.0 ** d["m"][at : at + T].astype(np.float32)
    q = d["q"][:, at : at + T].astype(np.float32) / 255
    whole = o.sum(-1)
    part = np.minimum(whole / (m + 1e-9), 1)
    window = r.random() < 0.35
    if window:
        pan_energy = o[..., :15].sum((0, 1))
        b = int(r.choice(15, p=pan_energy / pan_energy.sum())) if pan_energy.sum() > 0 else 7
        o, q = o[..., max(0, b - 1) : min(b + 2, 15)], q[..., max(0, b - 1) : min(b + 2, 15)]
    energy = o.sum(-1)
    gain = (q * o).sum(-1) / (energy + 1e-9)
    proportions = (gain * energy).sum((1, 2)) / (energy.sum() + 1e-9)
    known = [presence(s) if d["present"][i] else 0 for i, s in enumerate(proportions)]
    by = int(r.integers(-5, 6)) if r.random() < 0.7 else 0
    curve = tone(2.5)
    out = np.empty((4, T, BANDS), np.float32)
    out[0] = shift(gain[0], by, 0)
    out[1] = shift(gain[1], by, 0)
    out[2] = shift(energy / BINS, by, 1e-9) * curve
    out[3] = shift(part, by, 1)
    return out, known


def mixed_example():
    out = np.zeros((4, T, BANDS), np.float32)
    mode = r.random()
    one = one_of(names_of_parts)
    two = one_of(names_of_parts) if mode < 0.6 else one
    three = one_of(names_of_parts) if mode < 0.4 else two
    picks = (
        [(one, i) for i in range(len(one["k"])) if one["k"][i] == 0]
        + [(two, i) for i in range(len(two["k"])) if two["k"][i] == 1]
        + [(three, i) for i in range(len(three["k"])) if three["k"][i] >= 2]
    )
    drop = r.random(3) < (0.25, 0.25, 0.15)
    starts = (
        [r.integers(0, 433 - T + 1) for _ in range(4)]
        if r.random() < 0.5
        else [r.integers(0, 433 - T + 1)] * 4
    )
    key = r.integers(-4, 5) if r.random() < 0.7 else 0
    for d, i in picks:
        kind = int(d["k"][i])
        if kind < 3 and drop[kind]:
            continue
        level = r.normal(3 if kind > 2 else 0, 5)
        x = shift(
            d["e"][i, starts[kind] : starts[kind] + T].astype(np.float32),
            int(key + (r.integers(-1, 2) if kind > 2 else 0)),
            -9,
        )
        out[kind] += 10**x * (10 ** (level / 10)) * tone(2.5)
    S = out[:3].sum(0)
    I = out[3]
    tot = S + I + 1e-9
    w = S * 10 ** (r.normal(-0.1, 0.3) + 0.35 * smooth(S.shape, 5, 3) + 0.2 * smooth(S.shape, 1, 2))
    mask = w / (w + I + 1e-9)
    O = mask**2 * tot
    part = O / tot
    src = out
    window = r.random() < 0.35
    if window:
        at4 = r.uniform(0, 1, 4)
        c = at4[r.integers(4)] + r.normal(0, 0.06)
        near4 = np.exp(-0.5 * ((at4 - c) / r.uniform(0.08, 0.3)) ** 2) + 10 ** r.uniform(-2.5, -0.7)
        near4 = near4.astype(np.float32)
        near = np.tensordot(near4, out, 1) / tot
        near = np.clip(near * 10 ** (0.15 * smooth(S.shape, 1, 1)), 1e-4, 1) ** r.uniform(1, 4)
        src = out * near4[:, None, None]
        tot = src.sum(0) + 1e-9
        O = mask**2 * near * tot
    q = np.minimum(src[:3] / (mask * tot + 1e-9), 1)
    tq = q.sum(0)
    q = np.where(tq > 1, q / (tq + 1e-9), q)
    proportions = (q[:2] * O).sum((1, 2)) / (O.sum() + 1e-9)
    known = [presence(s) for s in proportions]
    return np.stack([q[0], q[1], O, part]).astype(np.float32), known


def batch(n):
    divided = min(0.6, len(names) / 250)
    examples = [divided_example() if r.random() < divided else mixed_example() for _ in range(n)]
    return np.stack([e for e, _ in examples]), np.array([k for _, k in examples], np.float32)


def net(p, A, part):
    """Returns the masks of guitar, piano and the rest (…, T, BANDS, 3), and the presence logits of the first two."""
    mean = A.mean((1, 2), keepdims=True)
    x = jnp.concatenate([jnp.log10(A / (mean + 1e-20) + 1e-7) / 2 + 1.2, jnp.log10(part + 1e-3) + 1], -1)

    def conv(w, b, x, d):
        l = jnp.pad(x, ((0, 0), (d, 0), (0, 0)))[:, : x.shape[1]]
        rr = jnp.pad(x, ((0, 0), (0, d), (0, 0)))[:, d:]
        return jnp.concatenate([l, x, rr], -1) @ w + b

    h = jax.nn.relu(conv(p["w0"], p["b0"], x, 1))
    for i, d in enumerate(DIL):
        h = h + jax.nn.relu(conv(p[f"w{i + 1}"], p[f"b{i + 1}"], h, d))
    o = (h @ p["wo"] + p["bo"]).reshape(h.shape[0], h.shape[1], BANDS, 3)
    loud = jnp.sqrt(A.mean(-1))
    loud = loud / (loud.sum(1, keepdims=True) + 1e-20)
    pooled = (h * loud[..., None]).sum(1)
    there = jax.nn.relu(pooled @ p["wp"] + p["bp"]) @ p["wq"] + p["bq"]
    return jax.nn.softmax(o, -1), there


def losses(p, E, known):
    A = E[:, 2]
    gains, there = net(p, A, E[:, 3])
    A = A / (A.mean((1, 2), keepdims=True) + 1e-20)
    best = jnp.moveaxis(E[:, :2], 1, -1)
    error = 0
    for P, weight in ((A * BINS / BINS.mean(), 0.7), (A, 0.5), (jnp.sqrt(A + 1e-7), 0.5)):
        err = (P[..., None] * (gains[..., :2] - best) ** 2).sum((1, 2))
        error += weight * 3 * (err / (P.sum((1, 2))[:, None] + 1e-9)).mean()
    doubt = optax.sigmoid_binary_cross_entropy(there, jnp.maximum(known, 0)) * (known >= 0)
    return error, doubt.sum() / ((known >= 0).sum() + 1e-9)


def loss(p, E, known):
    error, doubt = losses(p, E, known)
    return error + 0.15 * doubt, (error, doubt)


def new_network(k):
    ks = jax.random.split(k, 12)
    p = {
        "w0": jax.random.normal(ks[0], (6 * BANDS, WIDTH)) * np.sqrt(2 / (3 * BANDS)),
        "b0": jnp.zeros(WIDTH),
        "wo": jax.random.normal(ks[9], (WIDTH, BANDS * 3)) * 0.02,
        "bo": jnp.zeros(BANDS * 3),
        "wp": jax.random.normal(ks[10], (WIDTH, 32)) * np.sqrt(2 / WIDTH),
        "bp": jnp.zeros(32),
        "wq": jax.random.normal(ks[11], (32, 2)) * 0.1,
        "bq": jnp.zeros(2),
    }
    for i in range(len(DIL)):
        p[f"w{i + 1}"] = jax.random.normal(ks[i + 1], (3 * WIDTH, WIDTH)) * np.sqrt(2 / (3 * WIDTH)) * 0.3
        p[f"b{i + 1}"] = jnp.zeros(WIDTH)
    return p


p = new_network(jax.random.PRNGKey(0))
if asked.init:
    before = dict(np.load(asked.init))
    if before["w0"].shape[0] == 3 * BANDS:  # a network trained without the mixture as input
        wide = np.zeros((3, 2, BANDS, WIDTH), np.float32)
        wide[:, 0] = before["w0"].reshape(3, BANDS, WIDTH)
        before["w0"] = wide.reshape(6 * BANDS, WIDTH)
    p = {k: jnp.asarray(before.get(k, v)) for k, v in p.items()}
start = time.time()
opt = optax.chain(
    optax.clip_by_global_norm(1.0),
    optax.inject_hyperparams(optax.adamw)(learning_rate=asked.rate, weight_decay=1e-3),
)
st = opt.init(p)


@jax.jit
def step(p, st, E, known):
    (_, parts), g = jax.value_and_grad(loss, has_aux=True)(p, E, known)
    u, st = opt.update(g, st, p)
    return optax.apply_updates(p, u), st, parts


n = 0
seen = []
look_for_songs()
while (minutes := (time.time() - start) / 60) < asked.minutes:
    rate = asked.rate * min(1, (n + 1) / 50) * 0.5 * (1 + np.cos(np.pi * minutes / asked.minutes))
    st[1].hyperparams["learning_rate"] = jnp.asarray(rate)
    p, st, parts = step(p, st, *batch(16))
    seen.append([float(x) for x in parts])
    n += 1
    if n % 25 == 0:
        look_for_songs()
        print(n, len(names), round(minutes, 1), *np.mean(seen[-25:], 0).round(4), flush=True)
        np.savez(asked.out, **jax.tree.map(np.asarray, p))
np.savez(asked.out, **jax.tree.map(np.asarray, p))
