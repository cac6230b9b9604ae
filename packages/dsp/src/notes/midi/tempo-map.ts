import type { BeatLookup } from '../../rhythm/grid/beat-lookup.ts';

/** Ticks per quarter note in MIDI files. */
export const TICKS_PER_QUARTER = 480;
const SIXTEENTH = TICKS_PER_QUARTER / 4;
/** Beats per bar of 6/8, where a beat is a dotted quarter. */
const COMPOUND_BEATS_PER_BAR = 2;
/** Duration of a beat without detected beats. */
const USUAL_SECONDS = 0.5;
/** Deviation of a beat from the current tempo above which a new tempo is written. */
const TOLERATED_SECONDS = 0.002;
/** Largest tempo value, which fits in three bytes. */
const LONGEST_QUARTER_US = 0xffffff;

/** Conversion from the seconds of a recording to bars and beats. */
export interface TempoMap {
  /** Tempo events, ascending, the first at tick 0. */
  readonly tempos: readonly { readonly tick: number; readonly microsecondsPerQuarter: number }[];
  /** Time signature events, ascending, the first at tick 0. */
  readonly signatures: readonly {
    readonly tick: number;
    readonly numerator: number;
    readonly denominator: number;
  }[];
  /** Tick of the first whole bar. */
  readonly firstBarTick: number;
  /** Returns the tick (with its fraction) at a time of 0 or later. */
  tickAt(seconds: number): number;
}

/**
 * Creates the tempo map of a recording.
 *
 * In an editor the notes of the MIDI file lie in their bars, and still play at their times in the recording.
 *
 * Before the first whole bar there are bars of the metre and one shorter bar, with a tempo that gives them the duration
 * in the recording. A new tempo is written where the beats deviate from the one before by more than 2 ms, a new time
 * signature where a bar has another number of beats. Without beats the map has 120 bpm and 4/4.
 *
 * @param grid beats of the recording; null or fewer than two beats for none
 * @see "Standard MIDI Files 1.0", MIDI Manufacturers Association, 1996
 */
export function createTempoMap(grid: BeatLookup | null): TempoMap {
  const writer = createWriter();
  if (grid === null || grid.beats.length < 2) {
    writer.play(0, USUAL_SECONDS);
    return writer.finish([{ tick: 0, numerator: 4, denominator: 4 }], 0);
  }
  const { beats, barStarts, beatsPerBar } = grid;
  const isCompound = beatsPerBar === COMPOUND_BEATS_PER_BAR;
  const beatTicks = isCompound ? 6 * SIXTEENTH : TICKS_PER_QUARTER;
  const quarterSeconds = (seconds: number, ticks: number): number => (seconds * TICKS_PER_QUARTER) / ticks;
  const signature = (tick: number, count: number): TempoMap['signatures'][number] =>
    isCompound ? { tick, numerator: 3 * count, denominator: 8 } : { tick, numerator: count, denominator: 4 };

  const first = beats[0] ?? 0;
  const firstBeatSeconds = (beats[1] ?? first) - first;
  const sixteenths = Math.round((first / firstBeatSeconds) * (beatTicks / SIXTEENTH));
  const leadTicks = first > 0 ? Math.max(1, sixteenths) * SIXTEENTH : 0;
  if (leadTicks > 0) writer.play(0, quarterSeconds(first, leadTicks));
  for (let beat = 0; beat + 1 < beats.length; beat++) {
    const tick = leadTicks + beat * beatTicks;
    const due = writer.secondsAt(tick + beatTicks);
    if (
      tick === 0 ||
      (tick === leadTicks && leadTicks > 0) ||
      Math.abs(due - (beats[beat + 1] ?? 0)) > TOLERATED_SECONDS
    ) {
      // The tempo is measured from the position reached in the file, not from the detected beat, so that errors do not
      // accumulate.
      writer.play(tick, quarterSeconds((beats[beat + 1] ?? 0) - writer.secondsAt(tick), beatTicks));
    }
  }

  const firstBarTick = leadTicks + (barStarts[0] ?? 0) * beatTicks;
  const barTicks = beatsPerBar * beatTicks;
  const wholeTicks = Math.floor(firstBarTick / barTicks) * barTicks;
  const signatures: TempoMap['signatures'][number][] = [];
  if (wholeTicks > 0) signatures.push(signature(0, beatsPerBar));
  if (wholeTicks < firstBarTick) signatures.push(shortBar(wholeTicks, firstBarTick - wholeTicks));
  barStarts.forEach((start, bar) => {
    const next = barStarts[bar + 1];
    const changed = signature(leadTicks + start * beatTicks, next === undefined ? beatsPerBar : next - start);
    const { numerator, denominator } = signatures.at(-1) ?? { numerator: 0, denominator: 0 };
    if (changed.numerator !== numerator || changed.denominator !== denominator) signatures.push(changed);
  });
  return writer.finish(signatures, firstBarTick);
}

/** Returns a bar of a number of ticks, in quarters if they fill it, else in sixteenths. */
function shortBar(tick: number, ticks: number): TempoMap['signatures'][number] {
  return ticks % TICKS_PER_QUARTER === 0
    ? { tick, numerator: ticks / TICKS_PER_QUARTER, denominator: 4 }
    : { tick, numerator: ticks / SIXTEENTH, denominator: 16 };
}

/**
 * Returns the last part that begins at or before the time, or the first, by binary search: an hour of drifting tempo
 * has thousands.
 */
function partAt<Part extends { readonly seconds: number }>(
  parts: readonly Part[],
  seconds: number,
): Part | undefined {
  let begun = 0;
  let later = parts.length;
  while (later - begun > 1) {
    const middle = (begun + later) >>> 1;
    if ((parts[middle]?.seconds ?? 0) <= seconds) begun = middle;
    else later = middle;
  }
  return parts[begun];
}

/** Creates a writer of tempo events in whole microseconds, which tracks the resulting time. */
function createWriter() {
  const parts: { tick: number; seconds: number; microsecondsPerQuarter: number }[] = [];
  const secondsAt = (tick: number): number => {
    const part = parts.findLast((each) => each.tick <= tick);
    if (!part) return 0;
    return part.seconds + ((tick - part.tick) * part.microsecondsPerQuarter) / 1e6 / TICKS_PER_QUARTER;
  };
  return {
    secondsAt,
    play(tick: number, quarterSeconds: number): void {
      const microsecondsPerQuarter = Math.min(
        LONGEST_QUARTER_US,
        Math.max(1, Math.round(quarterSeconds * 1e6)),
      );
      parts.push({ tick, seconds: secondsAt(tick), microsecondsPerQuarter });
    },
    finish(signatures: TempoMap['signatures'], firstBarTick: number): TempoMap {
      return {
        tempos: parts.map(({ tick, microsecondsPerQuarter }) => ({ tick, microsecondsPerQuarter })),
        signatures,
        firstBarTick,
        tickAt(seconds) {
          const part = partAt(parts, seconds);
          if (!part) return 0;
          const quarters = ((seconds - part.seconds) * 1e6) / part.microsecondsPerQuarter;
          return part.tick + quarters * TICKS_PER_QUARTER;
        },
      };
    },
  };
}
