import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ComparedNote } from './note-score.ts';

interface PeerNote {
  readonly startTimeSeconds: number;
  readonly durationSeconds: number;
  readonly pitchMidi: number;
}
type Rows = number[][];

interface BasicPitchPackage {
  readonly BasicPitch: new (
    model: Promise<unknown>,
  ) => {
    evaluateModel(
      samples: Float32Array,
      onComplete: (frames: Rows, onsets: Rows, contours: Rows) => void,
      onPercent: () => void,
    ): Promise<void>;
  };
  readonly outputToNotesPoly: (frames: Rows, onsets: Rows, ...settings: number[]) => unknown;
  readonly noteFramesToTime: (notes: unknown) => PeerNote[];
}

interface Tensorflow {
  readonly io: { fromMemory(artifacts: object): unknown };
  loadGraphModel(handler: unknown): Promise<unknown>;
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
}

/** The original program by the authors, in its folder. */
export interface BasicPitchPeer {
  /** Name, such as `basic-pitch (wasm)`. */
  readonly name: string;
  /** Returns its notes of samples at 22,050 Hz, with its default settings. */
  transcribe(samples: Float32Array): Promise<ComparedNote[]>;
}

/**
 * Loads `@spotify/basic-pitch` from the folder `BASIC_PITCH_DIR`; null if the variable is not set. It computes with
 * `@tensorflow/tfjs-backend-wasm` if that is installed too, else in plain JavaScript.
 */
export async function findBasicPitch(): Promise<BasicPitchPeer | null> {
  const folder = process.env.BASIC_PITCH_DIR;
  if (!folder) return null;
  const load = createRequire(path.join(path.resolve(folder), 'package.json'));
  const tensorflow = load('@tensorflow/tfjs') as Tensorflow;
  const backend = hasWasm(load) ? 'wasm' : 'cpu';
  await tensorflow.setBackend(backend);
  await tensorflow.ready();
  const { BasicPitch, outputToNotesPoly, noteFramesToTime } = load(
    '@spotify/basic-pitch',
  ) as BasicPitchPackage;
  const model = path.join(path.dirname(load.resolve('@spotify/basic-pitch')), '..', 'model');
  const { modelTopology, weightsManifest, signature, format } = JSON.parse(
    readFileSync(path.join(model, 'model.json'), 'utf8'),
  ) as { modelTopology: object; weightsManifest: { weights: object[] }[]; signature: object; format: string };
  const weightData = Uint8Array.from(readFileSync(path.join(model, 'group1-shard1of1.bin'))).buffer;
  const weightSpecs = weightsManifest[0]?.weights;
  const handler = tensorflow.io.fromMemory({ modelTopology, weightSpecs, weightData, signature, format });
  const graph = tensorflow.loadGraphModel(handler);
  return {
    name: `basic-pitch (${backend})`,
    async transcribe(samples) {
      const [frames, onsets]: [Rows, Rows] = [[], []];
      await new BasicPitch(graph).evaluateModel(
        samples,
        (moreFrames, moreOnsets) => {
          frames.push(...moreFrames);
          onsets.push(...moreOnsets);
        },
        () => undefined,
      );
      return noteFramesToTime(outputToNotesPoly(frames, onsets, 0.5, 0.3, 11)).map((note) => ({
        startSeconds: note.startTimeSeconds,
        endSeconds: note.startTimeSeconds + note.durationSeconds,
        pitch: note.pitchMidi,
      }));
    },
  };
}

function hasWasm(load: NodeJS.Require): boolean {
  try {
    load('@tensorflow/tfjs-backend-wasm');
    return true;
  } catch {
    return false;
  }
}
