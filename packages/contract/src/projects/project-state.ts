import { flatEq, newReverb } from '../resources/lane-effects.ts';
import type { ProjectState } from '../resources/project.ts';
import { type StemType, stemTypes } from '../resources/stem.ts';
import { noFade } from './clip-parts.ts';

/** Stem of a new project. */
export interface ProjectStem {
  readonly stem_type: StemType;
  readonly duration_ms: number;
}

/**
 * Returns the state of a project without operations: a lane per stem in the order of `stemTypes`, each with one clip
 * over the whole stem.
 *
 * @spec Projects
 */
export function createProjectState(stems: readonly ProjectStem[]): ProjectState {
  const sorted = stems.toSorted(
    (one, other) => stemTypes.indexOf(one.stem_type) - stemTypes.indexOf(other.stem_type),
  );
  return {
    lanes: sorted.map(({ stem_type, duration_ms }) => ({
      id: stem_type,
      volume: 100,
      pan: 0,
      is_muted: false,
      is_soloed: false,
      eq: flatEq,
      compressor: null,
      reverb_send: 0,
      notes: [],
      clips:
        duration_ms < 1
          ? []
          : [
              {
                id: stem_type,
                source: stem_type,
                start_ms: 0,
                from_ms: 0,
                length_ms: duration_ms,
                fade_in: noFade,
                fade_out: noFade,
                volume: 100,
                warp: null,
                semitones: 0,
                is_reversed: false,
              },
            ],
    })),
    clipboard: null,
    markers: [],
    time_map: [{ start_ms: 0, from_ms: 0, rate: 1 }],
    warps: [],
    reverb: newReverb,
    sources: sorted.map(({ stem_type, duration_ms }) => ({ source: stem_type, length_ms: duration_ms })),
    duration_ms: Math.max(0, ...sorted.map(({ duration_ms }) => duration_ms)),
  };
}
