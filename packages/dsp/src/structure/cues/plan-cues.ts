import { roundTo } from '../../plan/rounding.ts';
import { beatLookupOf } from '../../rhythm/grid/beat-lookup.ts';
import {
  mixCandidates,
  phraseCandidates,
  plainCandidates,
  sectionCandidates,
  transitionCandidates,
} from './cue-candidates.ts';
import { cueEvidenceOf } from './cue-evidence.ts';
import type { CueCandidate, CueGround, CueKind, CuePlan, PlannedCue } from './cue-plan.ts';
import { loneCues } from './lone-cues.ts';
import { SpreadChoice } from './spread-choice.ts';

/** Least number of cue points of a track with as many beats. */
export const LEAST_CUES = 26;
/** Limits that keep the cue points of an hour-long mix readable. */
const MOST_SECTIONS = 40;
const MOST_TRANSITIONS = 8;
const ENOUGH = 32;

/** Factor of the usefulness of each further cue point of a kind. */
const AGAIN = 0.92;

/** Usefulness of a kind of cue point to a DJ, 0 to 1; the confidence changes it by up to a quarter. */
const USE: Readonly<Record<CueKind, number>> = {
  drop: 1,
  chorus: 0.95,
  intro: 0.9,
  first_beat: 0.88,
  breakdown: 0.85,
  outro: 0.85,
  mix_in: 0.8,
  mix_out: 0.8,
  build: 0.78,
  bridge: 0.75,
  verse: 0.7,
  transition: 0.6,
  loop: 0.55,
  phrase: 0.45,
  bar: 0.2,
  beat: 0.1,
};

/**
 * Plans the cue points of a track.
 *
 * beats, bars, sections, energy and chords → candidates → 26 or more if the track has as many beats. Sections come
 * first, then mix points and loops, changes of energy and key, phrases of 32, 16 and 8 bars; shorter phrases, bars and
 * beats are added up to 26, spread over the track.
 *
 * @returns fewer than 26 for fewer beats, with the reason; the beginnings of sections without a pulse; none in silence.
 *   At most 64 for any length of track.
 * @spec Cue points
 */
export function planCues(ground: CueGround): CuePlan {
  if (ground.energy_curve?.every((value) => value === 0)) {
    return { cues: [], reason: 'The track is silent, so it has no cue points.' };
  }
  const grid = beatLookupOf(ground);
  const beatCount = grid.beats.length;
  if (beatCount === 0) return loneCues(ground);

  const choice = new SpreadChoice<CueCandidate>(beatCount);
  const found = sectionCandidates(ground, grid);
  const evidence = cueEvidenceOf(
    ground,
    grid,
    found.map(({ at }) => at),
  );
  const confidences = new Map<number, number>();
  const confidenceOf = (at: number): number => {
    const known = confidences.get(at) ?? evidence.confidenceAt(at);
    confidences.set(at, known);
    return known;
  };
  const usefulness = ({ kind, at }: CueCandidate): number => USE[kind] * (3 + confidenceOf(at));
  const byUse = (left: CueCandidate, right: CueCandidate): number =>
    usefulness(right) - usefulness(left) || left.at - right.at;

  choice.takeInOrder(found.toSorted(byUse), MOST_SECTIONS);
  choice.takeInOrder(mixCandidates(grid, found, evidence));
  choice.takeInOrder(transitionCandidates(ground, grid, found, evidence), MOST_TRANSITIONS);
  for (const phrases of phraseCandidates(grid, found, evidence))
    choice.takeSpread(phrases, ENOUGH, confidenceOf);
  for (const plain of plainCandidates(grid, found, evidence))
    choice.takeSpread(plain, LEAST_CUES, confidenceOf);

  const ranks = ranksOf(choice.taken.toSorted(byUse), usefulness);
  const cues = choice.taken
    .toSorted((left, right) => left.at - right.at)
    .map((candidate): PlannedCue => {
      const { kind, label, at, loopBeats = null } = candidate;
      return {
        kind,
        label,
        seconds: grid.beats[at] ?? 0,
        beat: at + 1,
        bar: (grid.barOf[at] ?? -1) + 1,
        loopBeats,
        rank: ranks.get(candidate) ?? 0,
        confidence: roundTo(confidenceOf(at), 3),
      };
    });
  return { cues, reason: cues.length < LEAST_CUES ? tooFew(beatCount) : null };
}

/** Returns ranks from 1; each further cue point of a kind counts less. `ordered` begins with the most useful. */
function ranksOf(
  ordered: readonly CueCandidate[],
  usefulness: (candidate: CueCandidate) => number,
): Map<CueCandidate, number> {
  const counts = new Map<CueKind, number>();
  const valued = ordered.map((candidate) => {
    const before = counts.get(candidate.kind) ?? 0;
    counts.set(candidate.kind, before + 1);
    return { candidate, value: usefulness(candidate) * AGAIN ** before };
  });
  valued.sort((left, right) => right.value - left.value);
  return new Map(valued.map(({ candidate }, index) => [candidate, index + 1]));
}

function tooFew(beats: number): string {
  const had = beats === 1 ? 'is only 1 beat' : `are only ${beats} beats`;
  return `There ${had} in this track, and a beat holds at most one cue.`;
}
