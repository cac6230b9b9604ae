"""Playback of sound fonts."""

import numpy as np
import tinysoundfont as tsf

from compose import looped
from effects import RATE


class SoundFonts:
    """Several General MIDI sound fonts; each plays one instrument at a time."""

    def __init__(self, paths):
        self.synths = []
        for path in paths:
            synth = tsf.Synth(samplerate=RATE, gain=-6)
            self.synths.append((synth, synth.sfload(path)))
        self.count = len(paths)

    def play(self, font, program, events, seconds, drum=False):
        """Returns the audio, (2, samples), of events (time, 1 on or 0 off, key, velocity)."""
        synth, loaded = self.synths[font]
        synth.sounds_off()
        synth.generate(RATE)  # Notes of the previous part must not ring into this one.
        channel = 9 if drum else 0
        synth.program_select(channel, loaded, 128 if drum else 0, program, drum)
        total = int(seconds * RATE)
        out = np.zeros(2 * total, np.float32)
        at = 0
        for time, kind, key, velocity in [*sorted(events), (seconds, 2, 0, 0)]:
            to = min(total, int(time * RATE))
            if to > at:
                out[2 * at : 2 * to] = np.frombuffer(synth.generate(to - at), dtype=np.float32)
                at = to
            if kind == 1:
                synth.noteon(channel, int(key), int(velocity))
            elif kind == 0:
                synth.noteoff(channel, int(key))
        synth.sounds_off()
        return out.reshape(-1, 2).T.copy()


class LoopingFonts:
    """Sound fonts that repeat the first `every` seconds of their events."""

    def __init__(self, fonts, every):
        self.fonts, self.every, self.count = fonts, every, fonts.count

    def play(self, font, program, events, seconds, drum=False):
        return self.fonts.play(font, program, looped(events, seconds, self.every), seconds, drum)
