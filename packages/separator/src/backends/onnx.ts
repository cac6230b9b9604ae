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
import type { NetworkAudio, SessionOptions } from './network-session.ts';
import type { NetworkTask, NetworkThreadMessage } from './network-thread.ts';

/** Segments of 7.8 s that overlap by a quarter. */
const plan: SegmentPlan = {
  segmentFrames: networkSegmentSamples,
  overlapFrames: networkSegmentSamples - Math.floor(networkSegmentSamples * 0.75),
  ends: 'padded',
};

const memoryCheckIntervalMs = 100;

/** A stem of a network's output. */
interface StemOutput {
  readonly stem: StemType;
  /** Index among the stems of the network. */
  readonly index: number;
}

/** Returns the stems used of each network: all but the residual, or with four networks the own stem of each. */
function selectStems({ files, stems }: SeparatorWeights): readonly (readonly StemOutput[])[] {
  const all = networkStemTypes[stems].map((stem, index) => ({ stem, index }));
  const wanted = all.filter(({ stem }) => stem !== 'other');
  return files.length === 1 ? [wanted] : all.map((output) => wanted.filter((each) => each === output));
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
 * Opens the operator's own networks in a thread, so that decoding, transforms and files of one segment overlap with the
 * network's work on the next.
 *
 * ```
 * segment → mean 0, deviation 1 → (spectrogram) → network → (inverse spectrogram) + waveform → original level
 * ```
 *
 * The stem `other` is the residual of the others, so that all stems sum to the mixture. Of four networks the one for
 * `other` is therefore not run.
 *
 * @throws SeparationError `model_not_available` if the runtime or the networks cannot be used
 */
export async function openOnnxBackend(weights: SeparatorWeights): Promise<Backend> {
  const outputs = selectStems(weights);
  const networks = outputs.flatMap((each, network) => (each.length > 0 ? [network] : []));
  const spectrogram = weights.contract === 'stft_outside' ? await createNetworkSpectrogram() : null;
  let meter = createLevelMeter();
  let level: Level | null = null;
  const warnings: string[] = [];
  const runTimes: number[] = [];
  const pending: Pending[] = [];
  let failure: unknown;
  let isResting = false;
  const { promise: opened, resolve: resolveOpened, reject: rejectOpened } = Promise.withResolvers<void>();
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
    rejectOpened(reason);
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
  }, memoryCheckIntervalMs);

  const handleReply = (message: Extract<NetworkThreadMessage, { kind: 'result' }>): void => {
    const [first] = pending;
    if (!first) return;
    runTimes.push(message.runMs);
    for (const { stem, index } of outputs[networks[message.network] as number] ?? [])
      first.stems[stem] = stemFromOutput(message, index, first.segment, level as Level, spectrogram);
    first.left -= 1;
    first.report(1 - first.left / networks.length);
    if (first.left > 0) return;
    pending.shift();
    first.resolve(first.stems);
  };

  thread.on('message', (message: NetworkThreadMessage) => {
    try {
      if (message.kind === 'open') {
        if (message.warning !== null) warnings.push(message.warning);
        for (const shape of message.shapes)
          if (shape.contract !== weights.contract || shape.stems !== weights.stems)
            throw new SeparationError(
              'model_not_available',
              `the network must be ${weights.contract} with ${weights.stems} stems (got ${shape.contract} with ${shape.stems}): add it again`,
            );
        device = message.device;
        resolveOpened();
      } else if (message.kind === 'warning') {
        device = 'cpu';
        warnings.push(message.warning);
      } else if (message.kind === 'result') handleReply(message);
      else if (message.isSeparationError) fail(new SeparationError('model_not_available', message.message));
      else fail(new Error(message.message));
    } catch (error) {
      fail(error);
    }
  });
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('the thread of the networks ended')));
  // The error is thrown by the first `separate`, not while the track is measured.
  opened.catch(() => undefined);

  return {
    get name() {
      return device === 'cpu' ? 'onnx' : `onnx-${device}`;
    },
    plan,
    // One runs in the network, one is ready for it, one is being written.
    parallelSegments: 3,
    measure: (block) => {
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
      const waveform = normaliseSegment(segment, level);
      const input = spectrogram && new Float32Array(networkSpectrogramSize);
      if (input)
        spectrogram.analyse(
          waveform.subarray(0, networkSegmentSamples),
          waveform.subarray(networkSegmentSamples),
          input,
        );
      return new Promise<StemEstimates>((resolve, reject) => {
        pending.push({ segment, stems: {}, report, resolve, reject, left: networks.length });
        const task: NetworkTask = {
          kind: 'run',
          networks: networks.map((_, index) => index),
          waveform,
          spectrogram: input,
        };
        const buffers = [waveform.buffer, ...(input ? [input.buffer] : [])] as ArrayBuffer[];
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

/** Returns both audio channels of a segment, one after the other, with mean 0 and deviation 1; padding stays 0. */
function normaliseSegment(
  { left, right, from, frames, index }: Segment,
  { mean, deviation }: Level,
): Float32Array {
  const waveform = new Float32Array(2 * networkSegmentSamples);
  const begin = index === 0 ? from : 0;
  for (const [side, samples] of [left, right].entries())
    for (let i = begin, at = side * networkSegmentSamples + begin; i < from + frames; i++, at++)
      waveform[at] = ((samples[i] as number) - mean) / deviation;
  return waveform;
}

/** Returns one stem of a network's output at the level of the track, without the context of the segment. */
function stemFromOutput(
  { waveform, spectrogram: output }: NetworkAudio,
  index: number,
  { from, frames }: Segment,
  { mean, deviation }: Level,
  spectrogram: NetworkSpectrogram | null,
): Stereo {
  const begin = 2 * index * networkSegmentSamples;
  const left = waveform.subarray(begin, begin + networkSegmentSamples);
  const right = waveform.subarray(begin + networkSegmentSamples, begin + 2 * networkSegmentSamples);
  if (spectrogram && output)
    spectrogram.addSynthesis(
      output.subarray(index * networkSpectrogramSize, (index + 1) * networkSpectrogramSize),
      left,
      right,
    );
  const [leftPart, rightPart] = [left, right].map((side) => {
    const piece = side.slice(from, from + frames);
    let sum = 0;
    for (let i = 0; i < frames; i++) {
      const value = (piece[i] as number) * deviation + mean;
      piece[i] = value;
      sum += value;
    }
    if (!Number.isFinite(sum))
      throw new SeparationError('internal', 'the output of the network is not finite');
    return piece;
  }) as [Float32Array, Float32Array];
  return { left: leftPart, right: rightPart };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
