import { roundTo } from '../../plan/rounding.ts';
import { beatLookupOf } from '../../rhythm/grid/beat-lookup.ts';
import { namedSections } from './cue-candidates.ts';
import { energyChanges } from './cue-evidence.ts';
import type { CueGround, CuePlan } from './cue-plan.ts';

/** Confidence factor of sections without a pulse. */
const TRUST = 0.3;
const MOST_CUES = 40;

/** Plans the cue points of a track without a pulse: the beginnings of its sections, ranked by the change of energy. */
export function loneCues(ground: CueGround): CuePlan {
  const reason = 'No pulse was found in this track, so there are no beats for cues to stand on.';
  const energyChangeAt = energyChanges(ground, beatLookupOf({}));
  const cues = namedSections(ground)
    .map((section) => ({
      ...section,
      beat: null,
      bar: null,
      loopBeats: null,
      confidence: roundTo(TRUST * Math.abs(energyChangeAt(section.seconds)), 3),
    }))
    .toSorted((left, right) => right.confidence - left.confidence || left.seconds - right.seconds)
    .slice(0, MOST_CUES)
    .map((cue, index) => ({ ...cue, rank: index + 1 }))
    .toSorted((left, right) => left.seconds - right.seconds);
  return { cues, reason };
}
