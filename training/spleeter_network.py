"""The two-stem network of Spleeter in numpy, written independently of the kernels of the separator.

Hennequin, Khlif, Voituret, Moussallam, "Spleeter: a fast and efficient music source separation tool with pre-trained
models", Journal of Open Source Software 5 (50), 2154, 2020.
"""

import numpy as np

STEMS = ("vocals", "accompaniment")
FRAMES = 512
BINS = 1024
FRAME_SIZE = 4096
HOP = 1024
LEVELS = 6


def layer_names(stem):
    """Names in the checkpoint of the convolutions, transposed convolutions and normalisations of a stem."""

    def name(kind, number):
        return kind if number == 0 else f"{kind}_{number}"

    return (
        [name("conv2d", stem * 7 + i) for i in range(7)],
        [name("conv2d_transpose", stem * 6 + i) for i in range(6)],
        [name("batch_normalization", stem * 12 + i) for i in range(12)],
    )


def read_network(tensors):
    """Returns the layers of both stems: kernels, biases, and gains and offsets of the normalisations."""
    nets = []
    for stem in range(2):
        convs, transposed, norms = layer_names(stem)
        net = {}
        for i, name in enumerate(convs):
            net[f"conv{i + 1}"] = (tensors[f"{name}/kernel"], tensors[f"{name}/bias"])
        for i, name in enumerate(transposed):
            net[f"up{i + 1}"] = (tensors[f"{name}/kernel"], tensors[f"{name}/bias"])
        for i, name in enumerate(norms):
            gain = tensors[f"{name}/gamma"] / np.sqrt(tensors[f"{name}/moving_variance"] + np.float32(1e-3))
            net[f"norm{i + 1}"] = (gain, tensors[f"{name}/beta"] - tensors[f"{name}/moving_mean"] * gain)
        nets.append(net)
    return nets


def conv(x, kernel, bias):
    """5 × 5 convolution of stride 2 with 1 zero before and 2 after."""
    padded = np.pad(x, ((1, 2), (1, 2), (0, 0)))
    height, width = x.shape[0] // 2, x.shape[1] // 2
    out = np.zeros((height * width, kernel.shape[3]), np.float32)
    for i in range(5):
        columns = [padded[i : i + 2 * height : 2, j : j + 2 * width : 2] for j in range(5)]
        columns = np.concatenate(columns, axis=2).reshape(height * width, -1)
        out += columns @ kernel[i].reshape(-1, kernel.shape[3])
    return out.reshape(height, width, -1) + bias


def conv_transposed(x, kernel, bias):
    """5 × 5 transposed convolution of stride 2, the adjoint of `conv`."""
    height, width, _ = x.shape
    flat = x.reshape(height * width, -1)
    out = np.zeros((2 * height + 3, 2 * width + 3, kernel.shape[2]), np.float32)
    for i in range(5):
        for j in range(5):
            part = (flat @ kernel[i, j].T).reshape(height, width, -1)
            out[i : i + 2 * height : 2, j : j + 2 * width : 2] += part
    return out[1 : 1 + 2 * height, 1 : 1 + 2 * width] + bias


def last_conv(x, kernel, bias):
    """4 × 4 convolution of dilation 2 with 3 zeros before and after."""
    padded = np.pad(x, ((3, 3), (3, 3), (0, 0)))
    out = np.zeros((x.shape[0], x.shape[1], 2), np.float32)
    for i in range(4):
        for j in range(4):
            out += padded[2 * i : 2 * i + x.shape[0], 2 * j : 2 * j + x.shape[1]] * kernel[i, j, 0]
    return out + bias


def run_unet(net, x):
    """Estimates magnitudes of one stem from those of the mixture: frames × bins × 2."""
    skips = []
    y = x
    for level in range(1, LEVELS + 1):
        y = conv(y, *net[f"conv{level}"])
        if level == LEVELS:
            break
        skips.append(y)
        gain, offset = net[f"norm{level}"]
        y = y * gain + offset
        y = np.where(y > 0, y, np.float32(0.2) * y)
    for level in range(1, LEVELS + 1):
        y = np.maximum(conv_transposed(y, *net[f"up{level}"]), 0)
        gain, offset = net[f"norm{LEVELS + level}"]
        y = y * gain + offset
        if level < LEVELS:
            y = np.concatenate([skips[-level], y], axis=2)
    logits = last_conv(y, *net["conv7"])
    return x / (1 + np.exp(-logits))


def masks(nets, x):
    """Returns the mask of the voice for one window of magnitudes: frames × bins × 2."""
    voice, rest = (run_unet(net, x) for net in nets)
    return (voice**2 + 0.5e-10) / (voice**2 + rest**2 + 1e-10)


def spectrogram(audio):
    """Spectrogram of samples × 2: frames × 2049 × 2, complex. The first frame ends before the audio."""
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME_SIZE) / FRAME_SIZE)).astype(np.float32)
    padded = np.concatenate([np.zeros((FRAME_SIZE, 2), np.float32), audio, np.zeros((FRAME_SIZE, 2), np.float32)])
    count = -(-(len(audio) + FRAME_SIZE) // HOP)
    frames = np.stack([padded[t * HOP : t * HOP + FRAME_SIZE] for t in range(count)])
    return np.fft.rfft(frames * window[None, :, None], axis=1).astype(np.complex64)


def synthesise(spectra, length):
    """Inverse of `spectrogram`: samples × 2."""
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME_SIZE) / FRAME_SIZE)
    frames = np.fft.irfft(spectra, FRAME_SIZE, axis=1) * window[None, :, None]
    out = np.zeros((len(frames) * HOP + FRAME_SIZE, 2))
    for t, frame in enumerate(frames):
        out[t * HOP : t * HOP + FRAME_SIZE] += frame
    return (out[FRAME_SIZE : FRAME_SIZE + length] / 1.5).astype(np.float32)


def separate_voice(nets, audio):
    """Separates the voice from samples × 2, window by window without overlap; silent above 11 kHz."""
    spectra = spectrogram(audio)
    voice = np.zeros_like(spectra)
    for start in range(0, len(spectra), FRAMES):
        part = spectra[start : start + FRAMES, :BINS]
        x = np.zeros((FRAMES, BINS, 2), np.float32)
        x[: len(part)] = np.abs(part)
        voice[start : start + FRAMES, :BINS] = part * masks(nets, x)[: len(part)]
    return synthesise(voice, len(audio))
