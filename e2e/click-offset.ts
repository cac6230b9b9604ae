/** Frequencies of the metronome's clicks: on the one, and on the other beats. */
const clickHz = [1760, 1175] as const;
const STROKE_HZ = 300;

function template(hz: number, fallASecond: number, seconds: number, sampleRateHz: number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, n) => {
    const time = n / sampleRateHz;
    return Math.exp(-fallASecond * time) * Math.sin(2 * Math.PI * hz * time);
  });
}

/** Where a template lies best in `sound` from `from` to `to`, and how well: 0 for nothing. */
function find(sound: readonly number[], like: Float32Array, from: number, to: number) {
  let best = { at: 0, likeness: 0 };
  const end = Math.min(to, sound.length - like.length);
  for (let at = Math.max(0, from); at < end; at++) {
    let sum = 0;
    for (let n = 0; n < like.length; n++) sum += like[n]! * sound[at + n]!;
    if (sum > best.likeness) best = { at, likeness: sum };
  }
  return best;
}

/**
 * How far the clearest click of the metronome is behind the stroke of a ladder song that is nearest to it, in seconds.
 *
 * @param sound both in one, at least three quarters of a second
 * @throws Error where there is no click
 */
export function clickOffset(sound: readonly number[], sampleRateHz: number): number {
  // Any half second has a click; its stroke has to be in the sound too, before it or after it.
  const reach = Math.round(0.12 * sampleRateHz);
  const clicks = clickHz.map((hz) =>
    find(sound, template(hz, 178, 0.02, sampleRateHz), reach, sound.length - reach),
  );
  const click = clicks.reduce((best, one) => (one.likeness > best.likeness ? one : best));
  if (click.likeness < 1) throw new Error('no click is heard');
  const like = template(STROKE_HZ, 30, 0.05, sampleRateHz);
  const stroke = find(sound, like, click.at - reach, click.at + reach);
  return (click.at - stroke.at) / sampleRateHz;
}
