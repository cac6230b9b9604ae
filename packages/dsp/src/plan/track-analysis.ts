import type {
  describeEnergy,
  describeHarmony,
  describeRhythm,
  describeStructure,
  describeTimbre,
  describeTimbreOverTime,
  describeVocals,
} from './describe-track.ts';

/** Features that can be requested; `all` requests every one. `tempo` includes the sections, `key` the chords. */
export type FeatureName = 'tempo' | 'key' | 'energy' | 'spectral' | 'mfcc' | 'chroma' | 'all';

/** Features over time: matrices row by row and curves, with one column per `frame_seconds`. */
export type FeatureMatrices = Partial<ReturnType<typeof describeTimbreOverTime>> & {
  /** 13 rows, decibels. */
  mfcc?: number[][];
  /** 12 rows, C first, the largest value of each column is 1 (all 0 in silence). */
  chroma?: number[][];
  /** 2,048 / 22,050 s, present with a matrix; column t starts at t · frame_seconds. */
  frame_seconds?: number;
};

/** Fields of an analysis by group. A group is complete, or absent because it was not requested. */
export interface AnalysisGroups {
  rhythm: ReturnType<typeof describeRhythm>;
  structure: ReturnType<typeof describeStructure>;
  harmony: ReturnType<typeof describeHarmony>;
  energy: ReturnType<typeof describeEnergy>;
  vocals: ReturnType<typeof describeVocals>;
  timbre: ReturnType<typeof describeTimbre>;
}

type AllOf<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/**
 * Result of an analysis: the fields that the functions of `describe-track.ts` return.
 *
 * The schema of the contract documents their units and ranges, and the server checks at compile time that both have the
 * same fields. Every number is finite.
 *
 * @spec Analysis results
 */
export type TrackAnalysis = Partial<AllOf<AnalysisGroups[keyof AnalysisGroups]>> & {
  duration_seconds: number;
  features: FeatureMatrices;
};

/** Joins the groups of a result; null stands for a group that was not requested. */
export function joinGroups(
  { duration_seconds, features }: Pick<TrackAnalysis, 'duration_seconds' | 'features'>,
  groups: { readonly [Group in keyof AnalysisGroups]: AnalysisGroups[Group] | null },
): TrackAnalysis {
  return Object.assign({ duration_seconds }, ...Object.values(groups), { features }) as TrackAnalysis;
}
