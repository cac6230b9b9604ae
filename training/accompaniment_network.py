"""A U-Net that divides the accompaniment into drums, bass and other; it starts from Spleeter's accompaniment network.

Encoder and decoder are those of Spleeter (`spleeter_network.py`) up to the last two layers: the sixth transposed
convolution has `MAPS` outputs instead of one, and the last convolution has an output for each of the three stems and
both audio channels instead of one for each channel. The masks of a channel are a softmax over the stems.
"""

import numpy as np
import tensorflow as tf

from spleeter_network import LEVELS

STEMS = ("drums", "bass", "other")
MAPS = 4
"""Outputs of the last transposed convolution."""
TOP = ("up5", "up6", "norm11", "norm12", "conv7")
"""Layers near the output, which are trained at the full rate from the beginning."""


def first_weights(net, seed=0):
    """Returns the initial weights by name, from the layers of a network as `spleeter_network.read_network` does."""
    r = np.random.default_rng(seed)
    p = {f"{layer}/{part}": x for layer, pair in net.items() for part, x in zip("ab", pair, strict=True)}
    for unused in ("norm6/a", "norm6/b"):
        del p[unused]
    kernel = p["up6/a"]
    p["up6/a"] = np.repeat(kernel, MAPS, 2) + r.normal(0, 0.5 * kernel.std(), (5, 5, MAPS, kernel.shape[3]))
    for name in ("up6/b", "norm12/a", "norm12/b"):
        p[name] = np.repeat(p[name], MAPS)
    p["conv7/a"] = r.normal(0, 0.3 / np.sqrt(16 * MAPS), (4, 4, MAPS, 2 * len(STEMS)))
    p["conv7/b"] = np.zeros(2 * len(STEMS))
    return {name: x.astype(np.float32) for name, x in p.items()}


def masks(p, x):
    """Returns the masks of magnitudes (examples, frames, 1024, 2): (examples, frames, 1024, 2, 3)."""
    skips, y = [], x
    for level in range(1, LEVELS + 1):
        y = tf.nn.conv2d(y, p[f"conv{level}/a"], 2, "SAME") + p[f"conv{level}/b"]
        if level == LEVELS:
            break
        skips.append(y)
        y = tf.nn.leaky_relu(y * p[f"norm{level}/a"] + p[f"norm{level}/b"], 0.2)
    for level in range(1, LEVELS + 1):
        kernel = p[f"up{level}/a"]
        shape = tf.shape(y)
        shape = tf.stack([shape[0], 2 * shape[1], 2 * shape[2], tf.shape(kernel)[2]])
        y = tf.nn.relu(tf.nn.conv2d_transpose(y, kernel, shape, 2, "SAME") + p[f"up{level}/b"])
        y = y * p[f"norm{LEVELS + level}/a"] + p[f"norm{LEVELS + level}/b"]
        if level < LEVELS:
            y = tf.concat([skips[-level], y], 3)
    # The gradient of a dilated `conv2d` is not implemented on processors.
    y = tf.nn.atrous_conv2d(y, p["conv7/a"], 2, "SAME") + p["conv7/b"]
    shape = tf.shape(x)
    return tf.nn.softmax(tf.reshape(y, [shape[0], shape[1], shape[2], 2, len(STEMS)]))
