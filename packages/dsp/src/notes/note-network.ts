import { fromBase64 } from '../native/base64.ts';
import { notesWasm } from '../native/notes-wasm.ts';
import { createProgramLoader } from '../native/program-loader.ts';
import { noteWeights } from './weights/basic-pitch.ts';

/** What the network hears is sampled at this rate. */
export const NOTE_SAMPLE_RATE = 22_050;
/** Samples from one frame of its answer to the next. */
export const NOTE_HOP = 256;
/** Samples that it hears at once. */
export const WINDOW_SAMPLES = 43_844;
/** Frames that it answers for them; the first stands at the first sample. */
export const WINDOW_FRAMES = 172;
/** Pitches in a frame: the keys of a piano, from `LOWEST_PITCH` upwards. */
export const PITCH_COUNT = 88;
/** MIDI number of the lowest pitch: A0, 27.5 Hz. */
export const LOWEST_PITCH = 21;
/** Bins of a contour, three for each semitone, the first at the lowest pitch. */
export const CONTOUR_BINS = 264;

/** What the network answers for one window: row by row a frame, each value 0 to 1. Overwritten by the next window. */
export interface WindowNotes {
  /** How much a note begins, `WINDOW_FRAMES` × `PITCH_COUNT`. */
  readonly onsets: Float32Array;
  /** How much a note sounds, `WINDOW_FRAMES` × `PITCH_COUNT`. */
  readonly notes: Float32Array;
  /** How much a pitch sounds, in thirds of a semitone, `WINDOW_FRAMES` × `CONTOUR_BINS`. */
  readonly contours: Float32Array;
}

/** The network with a memory of its own (about 12 MB). */
export interface NoteNetwork {
  /** What is heard goes in here: `WINDOW_SAMPLES` finite samples. */
  readonly samples: Float32Array;
  /** Hears what is in `samples`. */
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
 * The network of Basic Pitch: constant-Q magnitudes with eight harmonics above each other, then seven small
 * convolutions. Computed by `packages/dsp/native/notes.c` with the weights that its authors published.
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
  const heard = {
    onsets: new Float32Array(buffer, calls.onsets_at(), WINDOW_FRAMES * PITCH_COUNT),
    notes: new Float32Array(buffer, calls.notes_at(), WINDOW_FRAMES * PITCH_COUNT),
    contours: new Float32Array(buffer, calls.contours_at(), WINDOW_FRAMES * CONTOUR_BINS),
  };
  return {
    samples: new Float32Array(buffer, calls.samples_at(), WINDOW_SAMPLES),
    listen() {
      calls.listen();
      return heard;
    },
  };
}
