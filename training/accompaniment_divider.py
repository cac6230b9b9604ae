"""The separator's voice network and its rules for the accompaniment, running in a separate process."""

import os
import subprocess
import tempfile

import numpy as np

BINS = 2049
VOICE_BINS = 1024


class AccompanimentDivider:
    """Runs `divide-accompaniment.ts`. Audio is (2, samples)."""

    def __init__(self, node, weights):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "divide-accompaniment.ts")
        command = [node, script, weights]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.path = os.path.join(tempfile.mkdtemp(), "audio")

    def _ask(self, order, audio):
        np.ascontiguousarray(audio, np.float32).tofile(self.path)
        self.process.stdin.write(f"{order} {self.path}\n")
        self.process.stdin.flush()
        if self.process.stdout.readline() != "done\n":
            raise RuntimeError("the separator's process ended")

    def _read(self, suffix, *shape):
        return np.fromfile(f"{self.path}.{suffix}", np.float32).reshape(shape)

    def voice_masks(self, mixture):
        """Returns the masks of the voice: (frames, 1024, 2)."""
        self._ask("voice", mixture)
        return self._read("voice", 2, -1, VOICE_BINS).transpose(1, 2, 0)

    def divide(self, mixture):
        """Returns the accompaniment, (2, samples), and the rules' masks of drums and bass, (2, frames, 2049)."""
        self._ask("divide", mixture)
        return self._read("accompaniment", 2, -1), self._read("masks", 2, -1, BINS)

    def finish(self, mixture, masks):
        """Returns vocals, drums, bass and other, (4, 2, samples).

        `masks` are of drums and bass in each audio channel of the accompaniment that `divide` returned last:
        (2, 2, frames, 2049), the stem first.
        """
        np.ascontiguousarray(masks, np.float32).tofile(f"{self.path}.masks")
        self._ask("finish", mixture)
        stems = self._read("stems", 3, 2, -1)
        return np.concatenate([stems, (mixture - stems.sum(0))[None]])
