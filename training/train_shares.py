"""Trains the network that tells which shares of `other` are guitar and piano.

    python train_shares.py SONGS_FOLDER OUT.npz --minutes 120 [--init BEFORE.npz]

Each example is a new song: parts of up to three synthesised songs at random levels, transposed, with random tone
controls; then divided roughly as the engine divides (a soft mask from estimates that err), so that holes and leaks
are where the engine leaves them; and in half of the examples seen through a window of the panorama, which leaves
only what stands near one position. What is learned is the best gain of guitar and of piano in each band and frame.
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

ask = argparse.ArgumentParser()
ask.add_argument("songs")
ask.add_argument("out")
ask.add_argument("--minutes", type=float, default=120)
ask.add_argument("--init")
ask.add_argument("--width", type=int, default=128)
ask.add_argument("--seed", type=int, default=11)
asked = ask.parse_args()
width, minutes, out, init = asked.width, asked.minutes, asked.out, asked.init
BANDS = 96
DIL = [1, 2, 4, 8, 16, 32]
T = 192
r = np.random.default_rng(asked.seed)
cache = {}


def files():
    return sorted(glob.glob(os.path.join(asked.songs, "*.npz")))


def load(f):
    if f not in cache:
        try:
            d = np.load(f)
            cache[f] = (d["e"], d["k"])
        except Exception:
            return None
    return cache[f]


names = files()


def shift(x, by):
    if by == 0:
        return x
    y = np.full_like(x, -9)
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


def some():
    x = None
    while x is None:
        x = load(names[r.integers(len(names))])
    return x


def example():
    out = np.zeros((4, T, BANDS), np.float32)
    mode = r.random()
    one = some()
    two = some() if mode < 0.6 else one
    three = some() if mode < 0.4 else two
    picks = (
        [(one, i) for i in range(len(one[1])) if one[1][i] == 0]
        + [(two, i) for i in range(len(two[1])) if two[1][i] == 1]
        + [(three, i) for i in range(len(three[1])) if three[1][i] >= 2]
    )
    dropg = r.random() < 0.25
    dropp = r.random() < 0.25
    dropr = r.random() < 0.15
    at = (
        [r.integers(0, 433 - T + 1) for _ in range(4)]
        if r.random() < 0.5
        else [r.integers(0, 433 - T + 1)] * 4
    )
    key = r.integers(-4, 5) if r.random() < 0.7 else 0
    for (e, k), i in picks:
        kind = int(k[i])
        if (kind == 0 and dropg) or (kind == 1 and dropp) or (kind == 2 and dropr):
            continue
        g = r.normal(0, 5) if kind < 2 else r.normal(0, 5) if kind == 2 else r.normal(0, 4)
        eq = np.interp(np.linspace(0, 1, BANDS), np.linspace(0, 1, 6), r.normal(0, 2.5, 6))
        x = shift(
            e[i, at[kind] : at[kind] + T].astype(np.float32),
            int(key + (r.integers(-1, 2) if kind > 2 else 0)),
        )
        out[kind] += 10 ** (x + ((g + eq) / 10).astype(np.float32))
    S = out[:3].sum(0)
    I = out[3]
    tot = S + I + 1e-9
    if I.max() > 0 and r.random() < 0.85:
        w = S * 10 ** (r.normal(-0.1, 0.3) + 0.35 * smooth(S.shape, 5, 3) + 0.2 * smooth(S.shape, 1, 2))
        mask = w / (w + I + 1e-9)
    else:
        mask = np.ones_like(S)
    O = mask**2 * tot
    src = out
    if r.random() < 0.5:  # only what stands near one position, as a window of the panorama would leave it
        at4 = r.uniform(0, 1, 4)
        c = at4[r.integers(4)] + r.normal(0, 0.06)
        aff = (np.exp(-0.5 * ((at4 - c) / r.uniform(0.08, 0.3)) ** 2) + 10 ** r.uniform(-2.5, -0.7)).astype(
            np.float32
        )
        near = np.tensordot(aff, out, 1) / tot
        near = np.clip(near * 10 ** (0.15 * smooth(S.shape, 1, 1)), 1e-4, 1) ** r.uniform(1, 4)
        src = out * aff[:, None, None]
        tot = src.sum(0) + 1e-9
        O = mask**2 * near * tot
    q = np.minimum(src[:3] / (mask * tot + 1e-9), 1)  # best gain of each on what the division left
    tq = q.sum(0)
    q = np.where(tq > 1, q / (tq + 1e-9), q)
    res = np.empty((3, T, BANDS), np.float32)
    res[:2] = q[:2]
    res[2] = O
    return res


def batch(n):
    return np.stack([example() for _ in range(n)])


def feat(E):
    A = E[:, 2]
    m = A.mean((1, 2), keepdims=True)
    return jnp.log10(A / (m + 1e-20) + 1e-7) / 2 + 1.2


def net(p, x):
    def conv(w, b, x, d):
        l = jnp.pad(x, ((0, 0), (d, 0), (0, 0)))[:, : x.shape[1]]
        rr = jnp.pad(x, ((0, 0), (0, d), (0, 0)))[:, d:]
        return jnp.concatenate([l, x, rr], -1) @ w + b

    h = jax.nn.relu(conv(p["w0"], p["b0"], x, 1))
    for i, d in enumerate(DIL):
        h = h + jax.nn.relu(conv(p[f"w{i + 1}"], p[f"b{i + 1}"], h, d))
    o = (h @ p["wo"] + p["bo"]).reshape(h.shape[0], h.shape[1], BANDS, 3)
    return jax.nn.softmax(o, -1)


def loss(p, E):
    A = E[:, 2]
    A = A / (A.mean((1, 2), keepdims=True) + 1e-20)
    m = net(p, feat(E))[..., :2]
    w = jnp.moveaxis(E[:, :2], 1, -1)
    tot = 0
    for power, weight in ((1.0, 1.0), (0.5, 0.5)):
        P = (A + 1e-7) ** power
        err = (P[..., None] * (m - w) ** 2).sum((1, 2))
        n = P.sum((1, 2))[:, None]
        tot += weight * 3 * (err / (n + 1e-9)).mean()
    return tot


def initp(k):
    p = {}
    ks = jax.random.split(k, 10)
    p["w0"] = jax.random.normal(ks[0], (3 * BANDS, width)) * np.sqrt(2 / (3 * BANDS))
    p["b0"] = jnp.zeros(width)
    for i in range(len(DIL)):
        p[f"w{i + 1}"] = jax.random.normal(ks[i + 1], (3 * width, width)) * np.sqrt(2 / (3 * width)) * 0.3
        p[f"b{i + 1}"] = jnp.zeros(width)
    p["wo"] = jax.random.normal(ks[9], (width, BANDS * 3)) * 0.02
    p["bo"] = jnp.zeros(BANDS * 3)
    return p


p = initp(jax.random.PRNGKey(0)) if not init else jax.tree.map(jnp.asarray, dict(np.load(init)))
start = time.time()
lr0 = 1e-3 if not init else 7e-4
opt = optax.chain(
    optax.clip_by_global_norm(1.0),
    optax.inject_hyperparams(optax.adamw)(learning_rate=lr0, weight_decay=1e-3),
)
st = opt.init(p)


@jax.jit
def step(p, st, E):
    l, g = jax.value_and_grad(loss)(p, E)
    u, st = opt.update(g, st, p)
    return optax.apply_updates(p, u), st, l


n = 0
acc = []
while (el := (time.time() - start) / 60) < minutes:
    lr = lr0 * min(1, (n + 1) / 50) * 0.5 * (1 + np.cos(np.pi * el / minutes))
    st[1].hyperparams["learning_rate"] = jnp.asarray(lr)
    p, st, l = step(p, st, batch(16))
    acc.append(float(l))
    n += 1
    if n % 50 == 0:
        names = files()
        print(n, len(names), round(el, 1), round(float(np.mean(acc[-50:])), 4), flush=True)
        np.savez(out, **jax.tree.map(np.asarray, p))
np.savez(out, **jax.tree.map(np.asarray, p))
