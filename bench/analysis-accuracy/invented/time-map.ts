import type { Random } from '@stem-studio/dsp/synth/random';
import type { Grid } from '@stem-studio/dsp/synth/sequence/grid';
import { SAMPLE_RATE_HZ } from '@stem-studio/dsp/synth/stereo-samples';
import type { Style } from './styles.ts';

/** Relative tempo at the end of a ramp, and the relative tempo deviation of rubato. */
const RAMP = 1.2;
const RUBATO = 0.1;

/**
 * Creates a grid whose tempo may change: constant, faster from bar to bar, or as free as a solo pianist's.
 *
 * @param writtenBpm written beats per minute at the beginning
 */
export function createMovingGrid(style: Style, writtenBpm: number, bars: number, random: Random): Grid {
  const { beatsPerBar, swing } = style;
  const beats = bars * beatsPerBar;
  const times = [0];
  let deviation = 0;
  for (let beat = 0; beat < beats + beatsPerBar; beat++) {
    const part = beat / beats;
    let factor = 1;
    if (style.time === 'ramp') factor = 1 / (1 + (RAMP - 1) * Math.min(1, part));
    if (style.time === 'rubato') {
      deviation = 0.7 * deviation + RUBATO * 0.7 * (random() - random());
      const isPhraseEnd = beat % (4 * beatsPerBar) === 4 * beatsPerBar - 1;
      factor = 1 + deviation + (isPhraseEnd ? 0.12 : 0);
    }
    times.push((times.at(-1) ?? 0) + (60 / writtenBpm) * factor);
  }
  const secondsAtBeat = (beat: number): number => {
    const whole = Math.max(0, Math.min(times.length - 2, Math.floor(beat + 1e-9)));
    const from = times[whole] ?? 0;
    return from + (beat - whole) * ((times[whole + 1] ?? from) - from);
  };
  return {
    tempo: writtenBpm,
    beatsPerBar,
    bars,
    durationSeconds: secondsAtBeat(beats),
    secondsAtBeat,
    sampleAt(bar, beat) {
      const position = bar * beatsPerBar + beat;
      const whole = Math.floor(position + 1e-9);
      const part = Math.max(0, position - whole);
      const swung = part < 0.5 ? part * 2 * swing : swing + (part - 0.5) * 2 * (1 - swing);
      return Math.round(secondsAtBeat(whole + swung) * SAMPLE_RATE_HZ);
    },
  };
}
