import type { ExportFormat } from '@stem-studio/contract/export-formats';
import type { EditNormalization } from '@stem-studio/contract/resources/edit-output';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { createLoudnessMeter } from '@stem-studio/dsp/feature/loudness';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { exportEncoder } from '../export-encoders.ts';
import { writeAudioFile } from '../write-audio-file.ts';
import type { EditRendering } from './edit-rendering.ts';

/** Peak of a normalised file, as a factor: −1 dBFS. */
const NORMALIZED_PEAK = 10 ** (-1 / 20);
/** Loudness of a normalised file, in LUFS. */
const NORMALIZED_LUFS = -14;

/** File to write. */
export interface EditOutput {
  readonly path: string;
  readonly format: ExportFormat;
  readonly bitDepth: '16' | '24' | '32f';
  readonly normalize: EditNormalization;
}

/** Span of the timeline in ms; null for all of it. */
export type EditRange = { readonly start_ms: number; readonly end_ms: number } | null;

/** A written file. */
export interface WrittenEdit {
  readonly frames: number;
  /** Largest absolute sample before it was quantised; 1 is full scale. */
  readonly peak: number;
}

function openEncoder(
  { format, bitDepth }: EditOutput,
  sampleRate: number,
): AudioEncoder | Promise<AudioEncoder> {
  const shape = { sampleRate, channels: 2, dither: bitDepth === '16' } as const;
  if (format === 'wav') return createWavEncoder({ ...shape, bitDepth });
  if (format === 'flac') return createFlacEncoder({ ...shape, bitDepth: bitDepth === '16' ? 16 : 24 });
  return exportEncoder(format).open({ sampleRate, channels: 2, storedBits: null, peak: 0 });
}

function peakOf(block: readonly Float32Array[], before: number): number {
  let peak = before;
  for (const samples of block) {
    for (let n = 0; n < samples.length; n++) {
      const sample = samples[n]!;
      if (sample > peak || -sample > peak) peak = Math.abs(sample);
    }
  }
  return peak;
}

/**
 * Returns the gain that normalises a project: its peak to −1 dBFS, or its integrated loudness to −14 LUFS (ITU-R BS.1770),
 * then at most as far as the peak stays at −1 dBFS. 1 for silence.
 */
async function normalizingGain(
  rendering: EditRendering,
  state: ProjectState,
  range: EditRange,
  normalize: Exclude<EditNormalization, 'none'>,
  onProgress: (fraction: number) => void,
): Promise<number> {
  const meter = createLoudnessMeter({ sampleRate: rendering.sampleRateHz, channels: 2 });
  let peak = 0;
  for await (const block of rendering.blocks(state, range, onProgress)) {
    peak = peakOf(block, peak);
    if (normalize === 'loudness') meter.push(block);
  }
  if (peak === 0) return 1;
  const toPeak = NORMALIZED_PEAK / peak;
  if (normalize === 'peak') return toPeak;
  return Math.min(toPeak, 10 ** ((NORMALIZED_LUFS - meter.finish()) / 20));
}

/** Level and length of a file that is one of several of a project. */
export interface SharedLevel {
  readonly gain: number;
  readonly frames: number;
}

/** Returns the gain and the length that the files of all lanes of a project have in common. */
export async function sharedLevel(
  rendering: EditRendering,
  state: ProjectState,
  range: EditRange,
  normalize: EditNormalization,
  onProgress: (fraction: number) => void,
): Promise<SharedLevel> {
  const gain =
    normalize === 'none' ? 1 : await normalizingGain(rendering, state, range, normalize, onProgress);
  return { gain, frames: rendering.framesOf(state) };
}

/**
 * Renders a project into a file.
 *
 * @param shared level and length that it has whatever it contains
 */
export async function writeEdit(
  rendering: EditRendering,
  state: ProjectState,
  range: EditRange,
  output: EditOutput,
  onProgress: (fraction: number) => void = () => {},
  shared: SharedLevel | null = null,
): Promise<WrittenEdit> {
  const { normalize, path } = output;
  const part = shared || normalize === 'none' ? 0 : 0.5;
  const gain = shared
    ? shared.gain
    : normalize === 'none'
      ? 1
      : await normalizingGain(rendering, state, range, normalize, (done) => onProgress(part * done));
  let frames = 0;
  let peak = 0;
  async function* scaled(): AsyncGenerator<Float32Array[]> {
    const report = (done: number) => onProgress(part + (1 - part) * done);
    for await (const block of rendering.blocks(state, range, report, shared?.frames)) {
      if (gain !== 1)
        for (const samples of block) for (let n = 0; n < samples.length; n++) samples[n]! *= gain;
      frames += block[0]?.length ?? 0;
      peak = peakOf(block, peak);
      yield block;
    }
  }
  await writeAudioFile(await openEncoder(output, rendering.sampleRateHz), scaled(), path);
  return { frames, peak };
}
