import type { LabelledSpan } from '../tonal/chords.ts';
import { barEdges } from './bar-edges.ts';
import { describeBars, type FeatureColumns } from './bar-features.ts';
import { compareBars } from './bar-similarity.ts';
import { musicSpan } from './music-span.ts';
import { describePassages } from './passages.ts';
import { nameSections } from './section-names.ts';
import { PAIR_REACH, segmentBars } from './segment-bars.ts';

/**
 * Weights and noise floors of harmony, timbre, level and rhythm.
 *
 * The weight of harmony is low because it often changes within a section. The noise floors are a third of the
 * differences in the most even music.
 */
const KINDS = [
  { weight: 0.5, least: 0.8 },
  { weight: 1, least: 1_300 },
  { weight: 1, least: 450 },
  { weight: 1, least: 0.006 },
];

/**
 * Finds the sections of a track: bars → similarity → segmentation → names. Each begins on a downbeat, the first where the music does.
 *
 * @param sound.voice probability of singing in each second, 0 to 1
 * @param downbeats seconds, ascending; without them there is one section
 * @returns sections from the start of the music to `durationSeconds` without gaps, called intro, verse, build, drop,
 *   chorus, breakdown, bridge or outro; empty for a track without length
 * @spec Sections
 */
export function findSections(
  columns: FeatureColumns & { readonly voice: Float32Array },
  downbeats: readonly number[],
  durationSeconds: number,
): LabelledSpan[] {
  const music = musicSpan(columns, durationSeconds);
  const edges = barEdges(downbeats, music.end, music.start);
  const features = describeBars(columns, edges);
  // Without a pulse, as in applause, there are no bars that sections could consist of.
  const starts =
    downbeats.length === 0 && edges.length > 1
      ? [0]
      : segmentBars(compareBars(features, KINDS, PAIR_REACH)).starts;
  const names = nameSections(describePassages(columns, edges, starts));
  return starts.map((bar, index) => ({
    start: edges[bar] ?? 0,
    end: index + 1 < starts.length ? (edges[starts[index + 1] ?? 0] ?? durationSeconds) : durationSeconds,
    label: names[index] ?? 'verse',
  }));
}
