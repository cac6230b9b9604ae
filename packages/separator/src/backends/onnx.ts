import { Worker } from 'node:worker_threads';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { networkStemTypes, type SeparatorWeights } from '@stem-studio/contract/separation-weights';
import {
  createNetworkSpectrogram,
  type NetworkSpectrogram,
  networkSegmentSamples,
  networkSpectrogramSize,
} from '@stem-studio/dsp/separate/network-spectrogram';
import { createLevelMeter, type Level } from '../level.ts';
import type { Segment, SegmentPlan } from '../segments.ts';
import { SeparationError } from '../separation-error.ts';
import type { Stereo } from '../stereo.ts';
import type { Backend, StemEstimates } from './backend.ts';
import type { NetworkSound, SessionOptions } from './network-session.ts';
import type { NetworkTask, NetworkThreadAnswer } from './network-thread.ts';

/** Segments of 7.8 s, a quarter of each shared with the next. */
const plan: SegmentPlan = {
  segmentFrames: networkSegmentSamples,
  overlapFrames: networkSegmentSamples - Math.floor(networkSegmentSamples * 0.75),
  ends: 'padded',
};

const memoryLookMs = 100;

/** A stem that is taken from what a network gives. */
interface Taken {
  readonly stem: StemType;
  /** Its place among the stems of the network. */
  readonly place: number;
}

/** What is taken from each network: all but what the others leave, or of a bag of four each one's own stem. */
function takenFrom({ files, stems }: SeparatorWeights): readonly (readonly Taken[])[] {
  const all = networkStemTypes[stems].map((stem, place) => ({ stem, place }));
  const wanted = all.filter(({ stem }) => stem !== 'other');
  return files.length === 1 ? [wanted] : all.map((taken) => wanted.filter((each) => each === taken));
}

interface Pending {
  readonly segment: Segment;
  readonly stems: Partial<Record<StemType, Stereo>>;
  readonly report: (part: number) => void;
  readonly resolve: (estimates: StemEstimates) => void;
  readonly reject: (reason: unknown) => void;
  left: number;
}

/**
 * Networks of the operator's own, in a thread of their own so that decoding, the transforms and the files of one
 * segment go on while the network works on the next.
 *
 * ```
 * segment → level 0, deviation 1 → (spectrogram) → network → (sound of the spectrogram) + sound → level as it was
 * ```
 *
 * `other` is not taken from them: it is what the other stems leave, so that all of them sum to the mixture. Of four
 * networks for four stems the one for `other` is therefore not run.
 *
 * @throws SeparationError `model_not_available` where the runtime or the networks cannot be used
 */
export async function openOnnxBackend(weights: SeparatorWeights): Promise<Backend> {
  const taken = takenFrom(weights);
  const networks = taken.flatMap((each, network) => (each.length > 0 ? [network] : []));
  const spectrogram = weights.contract === 'stft_outside' ? await createNetworkSpectrogram() : null;
  let meter = createLevelMeter();
  let level: Level | null = null;
  const warnings: string[] = [];
  const runTimes: number[] = [];
  const pending: Pending[] = [];
  let failure: unknown;
  let isResting = false;
  const { promise: opened, resolve: tellOpen, reject: tellFailed } = Promise.withResolvers<void>();
  let device = 'cpu';

  const options: SessionOptions = {
    files: networks.map((network) => weights.files[network] as string),
    device: weights.device,
    keepsMemory: weights.keeps_memory,
  };
  const thread = new Worker(new URL('./network-thread.ts', import.meta.url), { workerData: options });
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));

  const fail = (reason: unknown): void => {
    failure ??= reason;
    tellFailed(reason);
    for (const { reject } of pending.splice(0)) reject(reason);
  };

  const memoryWatch = setInterval(() => {
    const residentMb = process.memoryUsage.rss() / 1e6;
    if (isResting || residentMb <= weights.memory_mb) return;
    fail(
      new SeparationError(
        'memory',
        `the separation may use ${weights.memory_mb} MB (got ${Math.round(residentMb)}): raise SEPARATION_MEMORY_MB`,
      ),
    );
  }, memoryLookMs);

  const takeAnswer = (answer: Extract<NetworkThreadAnswer, { kind: 'gave' }>): void => {
    const [first] = pending;
    if (!first) return;
    runTimes.push(answer.runMs);
    for (const { stem, place } of taken[networks[answer.network] as number] ?? [])
      first.stems[stem] = stemOf(answer, place, first.segment, level as Level, spectrogram);
    first.left -= 1;
    first.report(1 - first.left / networks.length);
    if (first.left > 0) return;
    pending.shift();
    first.resolve(first.stems);
  };

  thread.on('message', (answer: NetworkThreadAnswer) => {
    try {
      if (answer.kind === 'open') {
        if (answer.warning !== null) warnings.push(answer.warning);
        for (const shape of answer.shapes)
          if (shape.contract !== weights.contract || shape.stems !== weights.stems)
            throw new SeparationError(
              'model_not_available',
              `the network must be ${weights.contract} with ${weights.stems} stems (got ${shape.contract} with ${shape.stems}): add it anew`,
            );
        device = answer.device;
        tellOpen();
      } else if (answer.kind === 'warning') {
        device = 'cpu';
        warnings.push(answer.warning);
      } else if (answer.kind === 'gave') takeAnswer(answer);
      else if (answer.isOurs) fail(new SeparationError('model_not_available', answer.message));
      else fail(new Error(answer.message));
    } catch (error) {
      fail(error);
    }
  });
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('the thread of the networks has ended')));
  // Told where the first segment is asked for: whoever listens first has not yet a place to hear it.
  opened.catch(() => undefined);

  return {
    get name() {
      return device === 'cpu' ? 'onnx' : `onnx-${device}`;
    },
    plan,
    // One is in the network, one is ready for it, one is being written.
    parallelSegments: 3,
    listen: (block) => {
      isResting = false;
      meter.add(block);
    },
    warnings: () => warnings,
    absentStems: () => [],
    segmentMs: () => medianOf(runTimes),

    async separate(segment, report) {
      level ??= meter.level();
      await opened;
      if (failure !== undefined) throw failure;
      const sound = soundOf(segment, level);
      const planes = spectrogram && new Float32Array(networkSpectrogramSize);
      if (planes)
        spectrogram.analyse(
          sound.subarray(0, networkSegmentSamples),
          sound.subarray(networkSegmentSamples),
          planes,
        );
      return new Promise<StemEstimates>((resolve, reject) => {
        pending.push({ segment, stems: {}, report, resolve, reject, left: networks.length });
        const task: NetworkTask = {
          kind: 'run',
          networks: networks.map((_, index) => index),
          sound,
          spectrogram: planes,
        };
        const buffers = [sound.buffer, ...(planes ? [planes.buffer] : [])] as ArrayBuffer[];
        thread.postMessage(task, buffers);
      });
    },

    rest() {
      if (failure !== undefined || pending.length > 0) return false;
      isResting = true;
      meter = createLevelMeter();
      level = null;
      runTimes.length = 0;
      return true;
    },

    async close() {
      clearInterval(memoryWatch);
      // A network that is running cannot be interrupted: the process is ended around it.
      if (failure !== undefined || pending.length > 0) return;
      const end: NetworkTask = { kind: 'end' };
      thread.postMessage(end, []);
      await ended;
    },
  };
}

/** Both sides of a segment one after the other, at the level that networks want; what is no sound stays 0. */
function soundOf({ left, right, from, frames, index }: Segment, { mean, deviation }: Level): Float32Array {
  const sound = new Float32Array(2 * networkSegmentSamples);
  const begin = index === 0 ? from : 0;
  for (const [side, samples] of [left, right].entries())
    for (let i = begin, at = side * networkSegmentSamples + begin; i < from + frames; i++, at++)
      sound[at] = ((samples[i] as number) - mean) / deviation;
  return sound;
}

/** A stem of what a network gives, at the level of the track, as long as the piece. */
function stemOf(
  { sound, spectrogram: planes }: NetworkSound,
  place: number,
  { from, frames }: Segment,
  { mean, deviation }: Level,
  spectrogram: NetworkSpectrogram | null,
): Stereo {
  const begin = 2 * place * networkSegmentSamples;
  const left = sound.subarray(begin, begin + networkSegmentSamples);
  const right = sound.subarray(begin + networkSegmentSamples, begin + 2 * networkSegmentSamples);
  if (spectrogram && planes)
    spectrogram.addSynthesis(
      planes.subarray(place * networkSpectrogramSize, (place + 1) * networkSpectrogramSize),
      left,
      right,
    );
  const [leftPiece, rightPiece] = [left, right].map((side) => {
    const piece = side.slice(from, from + frames);
    let sum = 0;
    for (let i = 0; i < frames; i++) {
      const value = (piece[i] as number) * deviation + mean;
      piece[i] = value;
      sum += value;
    }
    if (!Number.isFinite(sum))
      throw new SeparationError('internal', 'the network gave numbers that are not finite');
    return piece;
  }) as [Float32Array, Float32Array];
  return { left: leftPiece, right: rightPiece };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
