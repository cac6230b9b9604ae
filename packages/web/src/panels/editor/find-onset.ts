import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';
import { onsetInWindow } from '@stem-studio/dsp/feature/onset-in-window';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { clipTimeOf } from './clip-time.ts';
import type { EditorCanvasSource } from './editor-surface.ts';

/** Audio around the searched part that an onset is compared with, in s. */
const MARGIN_SECONDS = 0.008;

/**
 * Returns the strongest onset of a clip near a position of the timeline, in ms; null where there is none, or while its
 * samples are read.
 *
 * @param radiusMs how far from the position it may be on the timeline
 */
export function findOnset(
  source: Pick<EditorCanvasSource, 'samples' | 'sampleRateHz'>,
  state: ProjectState,
  clip: Clip,
  ms: number,
  radiusMs: number,
): number | null {
  const { recordedAt, timelineAt } = clipTimeOf(state, clip);
  const ends = [ms - radiusMs, ms + radiusMs].map((at) => recordedAt(at / 1000));
  const rateHz = source.sampleRateHz();
  const first = Math.max(0, Math.floor((Math.min(...ends) - MARGIN_SECONDS) * rateHz));
  const last = Math.ceil((Math.max(...ends) + MARGIN_SECONDS) * rateHz);
  const samples = new Float32Array(Math.max(0, last - first));
  for (let index = Math.floor(first / CHUNK_FRAMES); index * CHUNK_FRAMES < last; index++) {
    const block = source.samples(clip.source, index);
    if (!block) return null;
    const start = index * CHUNK_FRAMES;
    const part = block.subarray(Math.max(0, first - start), last - start);
    samples.set(part, Math.max(0, start - first));
  }
  const found = onsetInWindow(samples);
  if (found === null) return null;
  const at = timelineAt((first + found) / rateHz) * 1000;
  return Math.abs(at - ms) <= radiusMs && at > clip.start_ms && at < clip.start_ms + clip.length_ms
    ? at
    : null;
}
