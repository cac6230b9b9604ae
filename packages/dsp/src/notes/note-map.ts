import { createMonoStream } from '../plan/mono-stream.ts';
import { loadFft } from '../transform/fft.ts';
import { createFlatness, FLATNESS_SAMPLES } from './flatness.ts';
import {
  CONTOUR_BINS,
  createNoteNetwork,
  NOTE_HOP,
  NOTE_SAMPLE_RATE,
  PITCH_COUNT,
  WINDOW_FRAMES,
  WINDOW_SAMPLES,
} from './note-network.ts';

/** How much which note begins and sounds at which time; row by row a frame of `FRAME_SECONDS`. */
export interface NoteMap {
  readonly frames: number;
  /** How much a note begins, 0 to 1, `frames` × `PITCH_COUNT`. */
  readonly onsets: Float32Array;
  /** How much a note sounds, 0 to 1, `frames` × `PITCH_COUNT`. */
  readonly notes: Float32Array;
  /** How far from its note what sounds lies, in cents, `frames` × `PITCH_COUNT`. */
  readonly cents: Int16Array;
  /** Loudness: the mean square of the samples of a frame. */
  readonly power: Float32Array;
  /** How much like noise a frame is: 0 for tones, 0.56 for white noise. */
  readonly flatness: Float32Array;
}

/** Time from one frame to the next. */
export const FRAME_SECONDS = NOTE_HOP / NOTE_SAMPLE_RATE;

/** Hears notes in a stream of sound. */
export interface NoteListener {
  /** The next samples, an array for each audio channel. */
  push(block: readonly Float32Array[]): void;
  /** What is left, and everything that was heard. */
  finish(): NoteMap;
}

/** Frames at either end of a window that do not see enough around them. */
const BLIND_FRAMES = 15;
const KEPT_FRAMES = WINDOW_FRAMES - 2 * BLIND_FRAMES;
const STEP = KEPT_FRAMES * NOTE_HOP;

/** Flatness is told once for so many frames. */
const FLATNESS_FRAMES = 4;

/** What lies below this is no sound but an offset, Hz. */
const LOWEST_HZ = 15;
const OFFSET_SHARE = 1 - Math.exp((-2 * Math.PI * LOWEST_HZ) / NOTE_SAMPLE_RATE);

/** Bins of a contour in a semitone, and how many to either side belong to a note: two semitones, as far as MIDI bends. */
const BINS_A_SEMITONE = 3;
const BEND_BINS = 2 * BINS_A_SEMITONE;
/** The network puts a tone that is in tune here among the three bins of its semitone. */
const CENTRE_BIN = 1;
/** Bins further away count less, as in the paper: a bell with this deviation. */
const BEND_DEVIATION = 5;
const bell = Float64Array.from({ length: 2 * BEND_BINS + 1 }, (_, at) =>
  Math.exp(-((at - BEND_BINS) ** 2) / (2 * BEND_DEVIATION ** 2)),
);
/** Where less than this sounds no note is made, and its bend is 0. */
const LEAST_NOTE = 0.05;

/**
 * Hears notes in sound of any rate, window by window: samples → mono, 22,050 Hz → offset taken away →
 * network → maps.
 *
 * Windows overlap, and follow each other by whole frames, so that a frame stands at its number times `FRAME_SECONDS`
 * throughout. What is no finite number is taken for 0.
 */
export async function createNoteListener(options: {
  readonly sampleRate: number;
  readonly channels: number;
}): Promise<NoteListener> {
  const { sampleRate, channels } = options;
  const mono = createMonoStream({ fromRate: sampleRate, toRate: NOTE_SAMPLE_RATE, channels });
  const network = await createNoteNetwork();
  await loadFft();
  const flatnessOf = createFlatness();
  const window = new Float32Array(WINDOW_SAMPLES);
  // The first window begins before the sound.
  let filled = BLIND_FRAMES * NOTE_HOP;
  let heardSamples = 0;
  let frames = 0;
  let onsets = new Float32Array(0);
  let notes = new Float32Array(0);
  let cents = new Int16Array(0);
  let power = new Float32Array(0);
  let flatness = new Float32Array(0);
  let offset = 0;

  const reserve = (needed: number): void => {
    if (needed <= power.length) return;
    const size = Math.max(needed, Math.ceil(1.5 * power.length), 64 * KEPT_FRAMES);
    onsets = grown(onsets, new Float32Array(size * PITCH_COUNT));
    notes = grown(notes, new Float32Array(size * PITCH_COUNT));
    cents = grown(cents, new Int16Array(size * PITCH_COUNT));
    power = grown(power, new Float32Array(size));
    flatness = grown(flatness, new Float32Array(size));
  };

  /** Hears the window and keeps what it sees well, at most `most` frames; then makes room for the next. */
  const listen = (most: number): void => {
    network.samples.set(window);
    const heard = network.listen();
    const kept = Math.min(KEPT_FRAMES, most);
    reserve(frames + kept);
    for (let frame = 0; frame < kept; frame++) {
      const from = (BLIND_FRAMES + frame) * PITCH_COUNT;
      const to = (frames + frame) * PITCH_COUNT;
      onsets.set(heard.onsets.subarray(from, from + PITCH_COUNT), to);
      notes.set(heard.notes.subarray(from, from + PITCH_COUNT), to);
      const contour = heard.contours.subarray((BLIND_FRAMES + frame) * CONTOUR_BINS);
      for (let pitch = 0; pitch < PITCH_COUNT; pitch++) {
        if ((heard.notes[from + pitch] ?? 0) >= LEAST_NOTE) cents[to + pitch] = bendCents(contour, pitch);
      }
      const at = (BLIND_FRAMES + frame) * NOTE_HOP;
      power[frames + frame] = meanSquare(window.subarray(at, at + NOTE_HOP));
      flatness[frames + frame] =
        frame % FLATNESS_FRAMES === 0
          ? flatnessOf(window.subarray(at - (FLATNESS_SAMPLES - FLATNESS_FRAMES * NOTE_HOP) / 2))
          : (flatness[frames + frame - 1] ?? 0);
    }
    frames += kept;
    window.copyWithin(0, STEP);
    filled -= STEP;
    window.fill(0, filled);
  };

  const take = (samples: Float32Array): void => {
    heardSamples += samples.length;
    for (let at = 0; at < samples.length; at++) {
      const sample = samples[at] ?? 0;
      offset += OFFSET_SHARE * (sample - offset);
      samples[at] = sample - offset;
    }
    for (let at = 0; at < samples.length; ) {
      const count = Math.min(samples.length - at, WINDOW_SAMPLES - filled);
      window.set(samples.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled === WINDOW_SAMPLES) listen(KEPT_FRAMES);
    }
  };

  return {
    push: (block) => take(mono.push(mono.clean(block))),
    finish() {
      take(mono.flush());
      for (let rest = Math.ceil(heardSamples / NOTE_HOP) - frames; rest > 0; rest -= KEPT_FRAMES) {
        filled = WINDOW_SAMPLES;
        listen(rest);
      }
      return {
        frames,
        onsets: onsets.subarray(0, frames * PITCH_COUNT),
        notes: notes.subarray(0, frames * PITCH_COUNT),
        cents: cents.subarray(0, frames * PITCH_COUNT),
        power: power.subarray(0, frames),
        flatness: flatness.subarray(0, frames),
      };
    },
  };
}

function grown<A extends Float32Array | Int16Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}

function meanSquare(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum / samples.length;
}

/** How far from a pitch its contour lies, in cents: the highest bin near it, refined by a parabola through its neighbours. */
function bendCents(contour: Float32Array, pitch: number): number {
  const centre = pitch * BINS_A_SEMITONE + CENTRE_BIN;
  const valueAt = (bend: number): number => {
    const bin = centre + bend;
    if (bin < 0 || bin >= CONTOUR_BINS) return 0;
    return (contour[bin] ?? 0) * (bell[bend + BEND_BINS] ?? 0);
  };
  let best = 0;
  for (let bend = -BEND_BINS; bend <= BEND_BINS; bend++) if (valueAt(bend) > valueAt(best)) best = bend;
  const [before, top, after] = [valueAt(best - 1), valueAt(best), valueAt(best + 1)];
  const curve = before - 2 * top + after;
  const part = curve < 0 ? Math.max(-0.5, Math.min(0.5, (before - after) / (2 * curve))) : 0;
  return Math.round(((best + part) * 100) / BINS_A_SEMITONE);
}
