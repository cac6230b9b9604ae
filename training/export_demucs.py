"""Exports the graph of Demucs (htdemucs or htdemucs_6s) with random weights.

    python export_demucs.py NETWORK.onnx [4|6]

The weights of Demucs are not needed to test whether networks of its shape run, how fast and in how much memory. The
model is built by the Python package `demucs` with the settings of the published one, and exported by `demucs-onnx`,
the exporter of the files that the catalogue names, which also checks that ONNX Runtime computes the same as PyTorch.
The same seed gives the same weights.
"""

import sys
import tempfile
from pathlib import Path

import torch
from demucs.htdemucs import HTDemucs
from demucs_onnx.export import export_to_onnx

SOURCES = ["drums", "bass", "other", "vocals", "guitar", "piano"]
# Settings of the published model that differ from the defaults of the class; six stems need no wider bottleneck.
SETTINGS = {4: {"bottom_channels": 512}, 6: {"bottom_channels": 0}}


def main():
    path, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4
    torch.manual_seed(1)
    torch.set_num_threads(2)
    model = HTDemucs(SOURCES[:count], dconv_mode=3, segment=7.8, samplerate=44100, **SETTINGS[count]).eval()
    print(f"{sum(p.numel() for p in model.parameters())} weights")
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "model.th"
        torch.save(model, checkpoint)
        export_to_onnx(checkpoint, path)


if __name__ == "__main__":
    main()
