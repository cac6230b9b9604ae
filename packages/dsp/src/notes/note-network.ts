import { fromBase64 } from '../native/base64.ts';
import { notesWasm } from '../native/notes-wasm.ts';
import { createProgramLoader } from '../native/program-loader.ts';
import { noteWeights } from './weights/basic-pitch.ts';

/** Sample rate of the input of the network. */
export const NOTE_SAMPLE_RATE = 22_050;
/** Samples between output frames. */
export const NOTE_HOP = 256;
/** Samples in an input window. */
export const WINDOW_SAMPLES = 43_844;
/** Output frames of a window; the first lies at the first sample. */
export const WINDOW_FRAMES = 172;
/** Pitches per frame: the keys of a piano, from `LOWEST_PITCH` upwards. */
export const PITCH_COUNT = 88;
/** MIDI number of the lowest pitch: A0, 27.5 Hz. */
export const LOWEST_PITCH = 21;
/** Bins of the contour, three per semitone, the first at the lowest pitch. */
export const CONTOUR_BINS = 264;

/** Output of the network for one window: each row is a frame, each value 0 to 1. Overwritten by the next window. */
export interface WindowNotes {
  /** Onset strengths, `WINDOW_FRAMES` × `PITCH_COUNT`. */
  readonly onsets: Float32Array;
  /** Activities, `WINDOW_FRAMES` × `PITCH_COUNT`. */
  readonly notes: Float32Array;
  /** Activities in thirds of a semitone, `WINDOW_FRAMES` × `CONTOUR_BINS`. */
  readonly contours: Float32Array;
}

/** The network with its own memory (about 12 MB). */
export interface NoteNetwork {
  /** Input buffer: `WINDOW_SAMPLES` finite samples. */
  readonly samples: Float32Array;
  /** Processes the input buffer. */
  listen(): WindowNotes;
}

interface Calls {
  readonly memory: { readonly buffer: ArrayBuffer };
  weights_at(): number;
  weights_size(): number;
  samples_at(): number;
  onsets_at(): number;
  notes_at(): number;
  contours_at(): number;
  prepare(): void;
  listen(): void;
}

const start = createProgramLoader<Calls>(notesWasm);

/**
 * Creates the network of Basic Pitch: constant-Q magnitudes with eight stacked harmonics, then seven small
 * convolutions.
 *
 * It is computed by `packages/dsp/native/notes.c` with the weights published by its authors.
 *
 * @see Bittner, Bosch, Rubinstein, Meseguer-Brocal, Ewert, "A Lightweight Instrument-Agnostic Model for Polyphonic Note
 *   Transcription and Multipitch Estimation", ICASSP 2022
 */
export async function createNoteNetwork(): Promise<NoteNetwork> {
  const calls = await start();
  const { buffer } = calls.memory;
  const weights = new Float32Array(fromBase64(noteWeights).buffer);
  if (weights.length !== calls.weights_size()) {
    throw new Error(`the network must have ${calls.weights_size()} weights (got ${weights.length})`);
  }
  new Float32Array(buffer, calls.weights_at(), weights.length).set(weights);
  calls.prepare();
  const activations = {
    onsets: new Float32Array(buffer, calls.onsets_at(), WINDOW_FRAMES * PITCH_COUNT),
    notes: new Float32Array(buffer, calls.notes_at(), WINDOW_FRAMES * PITCH_COUNT),
    contours: new Float32Array(buffer, calls.contours_at(), WINDOW_FRAMES * CONTOUR_BINS),
  };
  return {
    samples: new Float32Array(buffer, calls.samples_at(), WINDOW_SAMPLES),
    listen() {
      calls.listen();
      return activations;
    },
  };
}
