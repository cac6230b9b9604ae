import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { StemMixer } from '@stem-studio/renderer/stem-mixer/stem-mixer';
import { chunkBlocks } from './chunk-blocks.ts';
import type { SumOfFiles } from './sum-of-files.ts';

/** Tempo and key of an export. */
export interface TempoAndKey {
  /** Tempo as a factor of the recorded one. */
  readonly rate: number;
  /** Pitch shift in semitones; it does not depend on the tempo. */
  readonly semitones: number;
}

/** Output frames that are rendered at once. */
const BLOCK_FRAMES = 8192;
/** Audio around the position that the renderer may read, in seconds of output. */
const REACH_SECONDS = 1;

/**
 * Renders audio at another tempo and key as the stem player of the page does: `sum → key lock → limiter`. The result
 * has the length of the input divided by the rate and begins at its first sample. A few seconds are held at a time.
 */
export async function* renderTempoAndKey(
  { info, blocks }: SumOfFiles,
  { rate, semitones }: TempoAndKey,
): AsyncGenerator<Float32Array[]> {
  const { sample_rate: rateHz, channels, declared_frames: frames } = info;
  if (frames === null) throw new Error('a stored stem must state its length');
  const mixer = new StemMixer(rateHz);
  mixer.apply({ type: 'setup', sampleRateHz: rateHz, stems: [{ frames, channels }] });
  mixer.apply({ type: 'tempo', rate, semitones, isKeyLocked: true });
  const chunks = chunkBlocks(blocks, channels);
  const reach = Math.ceil(REACH_SECONDS * rateHz * Math.max(1, rate)) + BLOCK_FRAMES * Math.ceil(rate);
  let loaded = 0;
  let dropped = 0;
  const load = async () => {
    while (loaded < chunkCount(frames) && loaded * CHUNK_FRAMES < mixer.position + reach) {
      const { value } = await chunks.next();
      // A file that is shorter than stated ends with silence.
      const samples = value ?? new Float32Array(CHUNK_FRAMES * channels);
      mixer.apply({ type: 'chunk', stem: 0, index: loaded++, samples });
    }
    while ((dropped + 1) * CHUNK_FRAMES < mixer.position - reach)
      mixer.apply({ type: 'drop', stem: 0, index: dropped++ });
  };
  await load();
  mixer.apply({ type: 'play', id: 1 });
  let toSkip = mixer.delayFrames;
  let toWrite = Math.round(frames / rate);
  while (toWrite > 0) {
    await load();
    const left = new Float32Array(BLOCK_FRAMES);
    const right = new Float32Array(BLOCK_FRAMES);
    mixer.process(left, right, BLOCK_FRAMES);
    const from = Math.min(toSkip, BLOCK_FRAMES);
    const to = Math.min(BLOCK_FRAMES, from + toWrite);
    toSkip -= from;
    toWrite -= to - from;
    if (to > from) yield [left.subarray(from, to), right.subarray(from, to)].slice(0, channels);
  }
}
