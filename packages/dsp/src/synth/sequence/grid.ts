import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';

/** Times of bars and beats. Both are counted from 0; beats may be fractional. */
export interface Grid {
  readonly tempo: number;
  readonly beatsPerBar: number;
  readonly bars: number;
  readonly durationSeconds: number;
  /** Returns the time of a beat without swing, from the beginning of the song. */
  secondsAtBeat(beat: number): number;
  /** Returns the sample of a beat with swing, for the start of notes. */
  sampleAt(bar: number, beat: number): number;
}

/**
 * Creates a grid of constant tempo.
 *
 * @param tempo beats per minute, 20 to 300
 * @param swing length of the first sixteenth as a fraction of an eighth note: 0.5 is straight, 0.667 triplets
 * @throws RangeError if tempo or swing are outside their ranges
 */
export function createGrid(tempo: number, beatsPerBar: number, bars: number, swing: number): Grid {
  if (!(tempo >= 20 && tempo <= 300)) throw new RangeError(`tempo must be 20 to 300 bpm (got ${tempo})`);
  if (!(swing >= 0.5 && swing <= 0.75)) throw new RangeError(`swing must be 0.5 to 0.75 (got ${swing})`);
  const secondsAtBeat = (beat: number): number => (beat * 60) / tempo;
  return {
    tempo,
    beatsPerBar,
    bars,
    durationSeconds: secondsAtBeat(bars * beatsPerBar),
    secondsAtBeat,
    sampleAt(bar, beat) {
      const eighths = (bar * beatsPerBar + beat) * 2;
      const whole = Math.floor(eighths + 1e-9);
      const fraction = Math.max(0, eighths - whole);
      const swung = fraction < 0.5 ? fraction * 2 * swing : swing + (fraction - 0.5) * 2 * (1 - swing);
      return Math.round(secondsAtBeat((whole + swung) / 2) * SAMPLE_RATE_HZ);
    },
  };
}
