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

/** Onset and activity of each pitch over time; each row is a frame of `FRAME_SECONDS`. */
export interface NoteMap {
  readonly frames: number;
  /** Onset strengths, 0 to 1, `frames` × `PITCH_COUNT`. */
  readonly onsets: Float32Array;
  /** Activities, 0 to 1, `frames` × `PITCH_COUNT`. */
  readonly notes: Float32Array;
  /** Deviation of the sounding pitch from the note in cents, `frames` × `PITCH_COUNT`. */
  readonly cents: Int16Array;
  /** Mean square of the samples of each frame. */
  readonly power: Float32Array;
  /** Spectral flatness of each frame: 0 for tones, 0.56 for white noise. */
  readonly flatness: Float32Array;
}

/** Time between frames. */
export const FRAME_SECONDS = NOTE_HOP / NOTE_SAMPLE_RATE;

/** Computes a note map from a stream of audio. */
export interface NoteListener {
  /** Adds the next samples, one array per audio channel. */
  push(block: readonly Float32Array[]): void;
  /** Processes the remaining samples and returns the map. */
  finish(): NoteMap;
}

/** Frames at either end of a window that lack context. */
const BLIND_FRAMES = 15;
const KEPT_FRAMES = WINDOW_FRAMES - 2 * BLIND_FRAMES;
const STEP = KEPT_FRAMES * NOTE_HOP;

/** Frames per measurement of flatness. */
const FLATNESS_FRAMES = 4;

/** Frequencies below this are removed as offset, in Hz. */
const LOWEST_HZ = 15;
const DC_SMOOTHING = 1 - Math.exp((-2 * Math.PI * LOWEST_HZ) / NOTE_SAMPLE_RATE);

/**
 * Contour bins per semitone, and bins to either side that belong to a note: two semitones, the default bend range of
 * MIDI.
 */
const BINS_A_SEMITONE = 3;
const BEND_BINS = 2 * BINS_A_SEMITONE;
/** Index of the bin, among the three of a semitone, that the network activates for a tone in tune. */
const CENTRE_BIN = 1;
/** Standard deviation of the Gaussian weight of distant bins, as in the paper. */
const BEND_DEVIATION = 5;
const bell = Float64Array.from({ length: 2 * BEND_BINS + 1 }, (_, at) =>
  Math.exp(-((at - BEND_BINS) ** 2) / (2 * BEND_DEVIATION ** 2)),
);
/** Activity below which no note is extracted and the bend is 0. */
const LEAST_NOTE = 0.05;

/**
 * Creates a computation of note maps for audio of any rate: samples → mono, 22,050 Hz → offset removed → network →
 * maps.
 *
 * Windows overlap and advance by whole frames, so that each frame lies at its number times `FRAME_SECONDS`. Values that
 * are not finite are replaced by 0.
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
  // The first window begins before the audio.
  let filled = BLIND_FRAMES * NOTE_HOP;
  let receivedSamples = 0;
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

  /** Processes the window and keeps the frames with enough context, at most `most`; then advances the window. */
  const listen = (most: number): void => {
    network.samples.set(window);
    const activations = network.listen();
    const kept = Math.min(KEPT_FRAMES, most);
    reserve(frames + kept);
    for (let frame = 0; frame < kept; frame++) {
      const from = (BLIND_FRAMES + frame) * PITCH_COUNT;
      const to = (frames + frame) * PITCH_COUNT;
      onsets.set(activations.onsets.subarray(from, from + PITCH_COUNT), to);
      notes.set(activations.notes.subarray(from, from + PITCH_COUNT), to);
      const contour = activations.contours.subarray((BLIND_FRAMES + frame) * CONTOUR_BINS);
      for (let pitch = 0; pitch < PITCH_COUNT; pitch++) {
        if ((activations.notes[from + pitch] ?? 0) >= LEAST_NOTE)
          cents[to + pitch] = bendCents(contour, pitch);
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
    receivedSamples += samples.length;
    for (let at = 0; at < samples.length; at++) {
      const sample = samples[at] ?? 0;
      offset += DC_SMOOTHING * (sample - offset);
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
      for (let rest = Math.ceil(receivedSamples / NOTE_HOP) - frames; rest > 0; rest -= KEPT_FRAMES) {
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

/**
 * Returns the deviation of the contour from a pitch in cents: the largest bin near it, refined by parabolic
 * interpolation.
 */
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
