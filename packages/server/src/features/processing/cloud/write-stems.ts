import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloudStemType } from '@stem-studio/contract/resources/stem';
import type { StemBitDepth } from '@stem-studio/contract/separator';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import type { StemFile } from '../separation-engine.ts';
import { openStereo, type Stereo, type StereoOptions, StereoReader, stemSampleRate } from './stereo-audio.ts';

/** Input of the stem-writing process. Paths are absolute. */
export interface WriteStemsRequest extends StereoOptions {
  readonly songPath: string;
  /** Received stem files; null for silence. */
  readonly stems: readonly { readonly stemType: CloudStemType; readonly path: string | null }[];
  readonly outputFolder: string;
  readonly bitDepth: StemBitDepth;
  /** Gain applied to the song before the upload. */
  readonly gain: number;
}

/** The written stems, or why the received files cannot be used. */
export type WriteStemsOutcome =
  | {
      readonly kind: 'written';
      readonly stems: readonly StemFile[];
      /** See `residual_db` in the contract. */
      readonly residualDb: number | null;
    }
  | { readonly kind: 'unusable'; readonly why: string };

/** A stem that is shorter than the song by more than this many seconds was truncated in transit. */
const mostMissingSeconds = 0.5;
/** Lower limit of the reported residual, in dB. */
const floorDb = -120;

class UnusableStem extends Error {}

/**
 * Writes the received stems as 44.1 kHz stereo WAV of the song's own length. Measures the residual between the song and
 * the stems. Where a stem exceeds full scale, all are 32f. Memory does not grow with the length. Progress is a
 * fraction.
 */
export async function writeStems(
  request: WriteStemsRequest,
  report: (fraction: number) => void,
): Promise<WriteStemsOutcome> {
  try {
    const first = await write(request, request.bitDepth, report);
    const fits = request.bitDepth === '32f' || first.stems.every(({ peak }) => peak <= 1);
    return { kind: 'written', ...(fits ? first : await write(request, '32f', report)) };
  } catch (error) {
    if (error instanceof UnusableStem) return { kind: 'unusable', why: error.message };
    throw error;
  }
}

/** One stem being copied from its received file to its output file. */
interface Lane {
  readonly stemType: CloudStemType;
  readonly fileName: string;
  readonly reader: StereoReader | null;
  readonly encoder: AudioEncoder;
  readonly out: FileHandle;
  peak: number;
}

async function openLane(
  request: WriteStemsRequest,
  { stemType, path }: WriteStemsRequest['stems'][number],
  bitDepth: StemBitDepth,
): Promise<Lane> {
  const fileName = `${stemType}.wav`;
  let reader: StereoReader | null = null;
  try {
    // No length limit: anything beyond the end of the song is not read.
    if (path !== null) reader = new StereoReader(await openStereo(path, { ...request, maxSeconds: null }));
  } catch (error) {
    throw unusable(stemType, error);
  }
  const encoder = createWavEncoder({ sampleRate: stemSampleRate, channels: 2, bitDepth });
  const out = await open(join(request.outputFolder, fileName), 'w');
  return { stemType, fileName, reader, encoder, out, peak: 0 };
}

async function write(
  request: WriteStemsRequest,
  bitDepth: StemBitDepth,
  report: (fraction: number) => void,
): Promise<{ stems: StemFile[]; residualDb: number | null }> {
  const song = await openStereo(request.songPath, request);
  const expected = ((song.info.declared_frames ?? 0) / song.info.sample_rate) * stemSampleRate;
  const lanes: Lane[] = [];
  let frames = 0;
  let songEnergy = 0;
  let restEnergy = 0;
  try {
    for (const stem of request.stems) lanes.push(await openLane(request, stem, bitDepth));
    for await (const block of song.blocks) {
      const rest: Stereo = [block[0].slice(), block[1].slice()];
      for (const lane of lanes) await copyBlock(lane, rest, 1 / request.gain);
      songEnergy += energyOf(block);
      restEnergy += energyOf(rest);
      frames += block[0].length;
      if (expected > 0) report(Math.min(1, frames / expected));
    }
    for (const lane of lanes) await finish(lane, frames);
  } finally {
    await song.blocks.return();
    for (const { reader, encoder, out } of lanes) {
      await reader?.close();
      await encoder.close();
      await out.close();
    }
  }
  const stems = lanes.map(({ stemType, fileName, peak }) => ({
    stemType,
    fileName,
    durationMs: Math.round((frames / stemSampleRate) * 1000),
    sampleRate: stemSampleRate,
    channels: 2,
    peak,
  }));
  return { stems, residualDb: levelOf(restEnergy, songEnergy) };
}

/** Writes as many of the lane's next frames as `rest` has, and subtracts them from it. */
async function copyBlock(lane: Lane, rest: Stereo, gain: number): Promise<void> {
  const count = rest[0].length;
  if (count === 0) return;
  const block = lane.reader
    ? await lane.reader.take(count).catch((error: unknown) => {
        throw unusable(lane.stemType, error);
      })
    : ([new Float32Array(count), new Float32Array(count)] as const);
  for (const [side, samples] of block.entries()) {
    const left = rest[side as 0 | 1];
    for (let i = 0; i < count; i++) {
      const sample = (samples[i] ?? 0) * gain;
      samples[i] = sample;
      left[i] = (left[i] ?? 0) - sample;
      lane.peak = Math.max(lane.peak, Math.abs(sample));
    }
  }
  await lane.out.writeFile(await lane.encoder.encode([...block]));
}

async function finish({ reader, encoder, out, stemType }: Lane, frames: number): Promise<void> {
  if (reader && frames - reader.frames > mostMissingSeconds * stemSampleRate) {
    const seconds = (count: number) => (count / stemSampleRate).toFixed(1);
    throw new UnusableStem(
      `the cloud service gave ${seconds(reader.frames)} s of ${stemType} for a song of ${seconds(frames)} s`,
    );
  }
  const { tail, patches } = await encoder.finish();
  if (tail.length > 0) await out.writeFile(tail);
  for (const { bytes, offset } of patches) await out.write(bytes, 0, bytes.length, offset);
}

function unusable(stemType: CloudStemType, error: unknown): unknown {
  if (!(error instanceof AudioFormatError)) return error;
  return new UnusableStem(
    `the file from the cloud service for ${stemType} is not readable audio: ${error.message}`,
  );
}

function energyOf(block: Stereo): number {
  let energy = 0;
  for (const samples of block) for (const sample of samples) energy += sample * sample;
  return energy;
}

function levelOf(energy: number, of: number): number | null {
  if (of === 0) return null;
  const db = energy === 0 ? floorDb : 10 * Math.log10(energy / of);
  return Math.round(Math.max(floorDb, db) * 10) / 10;
}
