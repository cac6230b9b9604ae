/** Frequencies of the metronome clicks in Hz: on downbeats and on other beats. */
const clickHz = [1760, 1175] as const;
const ONSET_HZ = 300;

function template(hz: number, fallASecond: number, seconds: number, sampleRateHz: number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, n) => {
    const time = n / sampleRateHz;
    return Math.exp(-fallASecond * time) * Math.sin(2 * Math.PI * hz * time);
  });
}

/**
 * Finds the offset in samples at which a template correlates best with `samples`, and the correlation there (0 for
 * none).
 */
function find(samples: readonly number[], like: Float32Array, from: number, to: number) {
  let best = { at: 0, likeness: 0 };
  const end = Math.min(to, samples.length - like.length);
  for (let at = Math.max(0, from); at < end; at++) {
    let sum = 0;
    for (let n = 0; n < like.length; n++) sum += like[n]! * samples[at + n]!;
    if (sum > best.likeness) best = { at, likeness: sum };
  }
  return best;
}

/**
 * Returns the delay of the clearest metronome click after the nearest onset of a ladder song, in seconds.
 *
 * @param samples mix of the clicks and the song, at least 0.75 s
 * @throws Error if there is no click
 */
export function clickOffset(samples: readonly number[], sampleRateHz: number): number {
  // Each half second has a click; the margin keeps its onset within the sound, before or after it.
  const reach = Math.round(0.12 * sampleRateHz);
  const clicks = clickHz.map((hz) =>
    find(samples, template(hz, 178, 0.02, sampleRateHz), reach, samples.length - reach),
  );
  const click = clicks.reduce((best, one) => (one.likeness > best.likeness ? one : best));
  if (click.likeness < 1) throw new Error('no click was found');
  const like = template(ONSET_HZ, 30, 0.05, sampleRateHz);
  const onset = find(samples, like, click.at - reach, click.at + reach);
  return (click.at - onset.at) / sampleRateHz;
}
