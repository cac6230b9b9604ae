const sampleRate = 44_100;

/**
 * Returns a WAV file (16 bit, stereo, 44.1 kHz) of a small song. It has a bass note, a chord that changes every
 * second, and a click twice a second. The result is deterministic; `pitch` makes files that differ.
 */
export function smallSong(seconds: number, pitch = 1): Buffer {
  const roots = [220, 174.61, 261.63, 196].map((hz) => hz * pitch);
  const sine = (hz: number, time: number) => Math.sin(2 * Math.PI * hz * time);
  return stereoWav(seconds, (time) => {
    const root = roots[Math.floor(time) % roots.length] ?? 220;
    const sinceClick = time % 0.5;
    const click = sinceClick < 0.05 ? sine(1800, time) * Math.exp(-80 * sinceClick) : 0;
    const chord = (sine(root, time) + sine(root * 1.5, time) + sine(root * 2, time)) * 0.12;
    const left = sine(root / 4, time) * 0.2 + chord + click * 0.3;
    const right = sine(root / 4, time) * 0.2 + chord * 0.7 + click * 0.3;
    return [left, right];
  });
}

/** Returns a WAV file of a 440 Hz tone that is loudest at each whole second, so that its level shows the position. */
export function swellingTone(seconds: number): Buffer {
  return stereoWav(seconds, (time) => {
    const sample = (0.4 + 0.3 * Math.cos(2 * Math.PI * time)) * Math.sin(2 * Math.PI * 440 * time);
    return [sample, sample];
  });
}

/** Rise of the tone of {@link ladderSong}, in Hz per second. */
export const LADDER_HZ_A_SECOND = 10;

/**
 * Returns a WAV file of a song whose sound shows its position. The left channel has a tone that rises from `startHz`
 * by {@link LADDER_HZ_A_SECOND}, the right one a 300 Hz onset twice a second, each fourth one louder.
 */
export function ladderSong(seconds: number, startHz: number): Buffer {
  return stereoWav(seconds, (time) => {
    const cycles = startHz * time + (LADDER_HZ_A_SECOND / 2) * time * time;
    const sinceOnset = time % 0.5;
    const strength = Math.floor(time / 0.5) % 4 === 0 ? 0.8 : 0.5;
    const onset = strength * Math.exp(-30 * sinceOnset) * Math.sin(2 * Math.PI * 300 * sinceOnset);
    return [0.3 * Math.sin(2 * Math.PI * cycles), onset];
  });
}

/** Encodes a WAV file (16 bit, stereo, 44.1 kHz) from a function of time in seconds. */
function stereoWav(
  seconds: number,
  sampleAt: (time: number) => readonly [left: number, right: number],
): Buffer {
  const length = Math.round(seconds * sampleRate);
  const file = Buffer.alloc(44 + length * 4);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + length * 4, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(length * 4, 40);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = sampleAt(index / sampleRate);
    file.writeInt16LE(Math.round(left * 32_000), 44 + index * 4);
    file.writeInt16LE(Math.round(right * 32_000), 46 + index * 4);
  }
  return file;
}
