"""The network of BeatNet in numpy: its input, its layers, and its checkpoint without PyTorch.

Heydari, Cwitkowitz, Duan, "BeatNet: CRNN and Particle Filtering for Online Joint Beat, Downbeat and Meter Tracking",
ISMIR 2021.
"""

import io
import pickle
import zipfile

import numpy as np

RATE, FRAME, HOP = 22_050, 1_411, 441
BINS, BANDS, UNITS, TAPS = 705, 136, 150, 10
LAYERS = (0, 1)


class _Tensors(dict):
    """A dictionary that accepts the attributes that PyTorch stores with it."""


class _Checkpoint(pickle.Unpickler):
    """Reads the tensors of a checkpoint, and refuses everything else that a pickle may contain."""

    def __init__(self, data, storages):
        super().__init__(io.BytesIO(data))
        self.storages = storages

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return _Tensors
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, offset, size, *_: storage[offset:offset + int(np.prod(size))].reshape(size)
        if (module, name) == ("torch", "FloatStorage"):
            return np.float32
        raise pickle.UnpicklingError(f"a checkpoint must only contain tensors (got {module}.{name})")

    def persistent_load(self, key):
        return self.storages(key[2])


def read_checkpoint(data):
    """Returns the tensors of a checkpoint file by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        root = archive.namelist()[0].split("/")[0]
        reader = _Checkpoint(archive.read(f"{root}/data.pkl"),
                             lambda key: np.frombuffer(archive.read(f"{root}/data/{key}"), "<f4"))
        return dict(reader.load())


def filter_bank():
    """Returns bins × bands: triangles of 24 bands an octave from 30 Hz to 17 kHz around 440 Hz, each with sum 1."""
    steps = np.arange(np.floor(np.log2(30 / 440) * 24), np.ceil(np.log2(17_000 / 440) * 24))
    centres = 440 * 2 ** (steps / 24)
    centres = centres[(centres >= 30) & (centres <= 17_000)]
    # The bins are taken to be 1 / 1410 of the sample rate apart, as in training.
    bin_hz = np.arange(BINS) * RATE / (2 * BINS)
    right = np.clip(np.searchsorted(bin_hz, centres), 1, BINS - 1)
    nearest = right - (centres - bin_hz[right - 1] < bin_hz[right] - centres)
    bins = np.unique(nearest)
    bank = np.zeros((BINS, len(bins) - 2))
    for band, (start, centre, stop) in enumerate(zip(bins, bins[1:], bins[2:])):
        bank[start:centre, band] = np.linspace(0, 1, centre - start, endpoint=False)
        bank[centre:stop, band] = np.linspace(1, 0, stop - centre, endpoint=False)
        bank[:, band] /= bank[:, band].sum()
    assert bank.shape[1] == BANDS
    return bank


def features_of(samples):
    """Returns frames × 272: logarithmic bands and their rise since the previous frame. Samples: mono, 22,050 Hz."""
    frames = 1 + len(samples) // HOP
    padded = np.concatenate([np.zeros(FRAME // 2), samples, np.zeros(FRAME + HOP)])
    cut = np.stack([padded[n * HOP:n * HOP + FRAME] for n in range(frames)])
    spectra = np.abs(np.fft.fft(cut * np.hanning(FRAME), axis=1))[:, :BINS]
    bands = np.log10(1 + spectra @ filter_bank())
    rise = np.maximum(np.diff(bands, axis=0, prepend=bands[:1]), 0)
    return np.hstack([bands, rise])


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def run_network(net, features):
    """Returns frames × 3: the probabilities of a beat, a downbeat and neither."""
    kernel, bias = net["conv1.weight"][:, 0], net["conv1.bias"]
    taps = np.stack([features[:, k:k + features.shape[1] - TAPS + 1] for k in range(TAPS)], axis=-1)
    maps = np.maximum(np.einsum("tfk,ck->tcf", taps, kernel) + bias[None, :, None], 0)
    pairs = maps.shape[2] // 2
    pooled = maps[:, :, :2 * pairs].reshape(len(maps), 2, pairs, 2).max(axis=3).reshape(len(maps), -1)
    x = pooled @ net["linear0.weight"].T + net["linear0.bias"]
    for layer in LAYERS:
        given = x @ net[f"lstm.weight_ih_l{layer}"].T + net[f"lstm.bias_ih_l{layer}"] + net[f"lstm.bias_hh_l{layer}"]
        recurrent = net[f"lstm.weight_hh_l{layer}"].T
        hidden, cell = np.zeros(UNITS), np.zeros(UNITS)
        outputs = []
        for row in given:
            i, f, g, o = np.split(row + hidden @ recurrent, 4)
            cell = _sigmoid(f) * cell + _sigmoid(i) * np.tanh(g)
            hidden = _sigmoid(o) * np.tanh(cell)
            outputs.append(hidden)
        x = np.stack(outputs)
    scores = x @ net["linear.weight"].T + net["linear.bias"]
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
