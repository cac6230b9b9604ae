import type {
  FeatureName as ContractFeatureName,
  FeatureMatrices as ContractMatrices,
  DetectedAnalysis,
} from '@stem-studio/contract/resources/analysis';
import type { RhythmFields as ContractRhythm } from '@stem-studio/contract/resources/beat-grid';
import type { FeatureMatrices, FeatureName, TrackAnalysis } from '@stem-studio/dsp/plan/track-analysis';
import type { RhythmFields } from '@stem-studio/dsp/rhythm/rhythm-fields';

type FieldsOfOne<Left, Right> = Exclude<keyof Left, keyof Right> | Exclude<keyof Right, keyof Left>;

/**
 * `Schema` if the result has exactly its fields, with assignable values; otherwise a type that names the differing
 * fields.
 */
type SameFields<Result, Schema> = [FieldsOfOne<Result, Schema>] extends [never]
  ? Required<Result> extends Required<Schema>
    ? Schema
    : { readonly differentTypes: { [Field in keyof (Result | Schema)]: [Result[Field], Schema[Field]] } }
  : { readonly missingInOne: FieldsOfOne<Result, Schema> };

/** `Name` if both sides list the same names. */
type SameNames<Name, Other> = [Name, Other] extends [Other, Name] ? Name : never;

/**
 * Returns the result of the signal processing in the form of the contract. A field added to, or missing from, only
 * one of them is a type error here, so that neither side can drop a value of the other.
 */
export function toDetectedAnalysis(found: TrackAnalysis): SameFields<TrackAnalysis, DetectedAnalysis> {
  return { ...found, features: toContractMatrices(found.features) };
}

function toContractMatrices(found: FeatureMatrices): SameFields<FeatureMatrices, ContractMatrices> {
  return found;
}

/**
 * Returns the rhythm of a grid in the form of the contract, compared as {@link toDetectedAnalysis} compares the
 * fields.
 */
export function toContractRhythm(rhythm: RhythmFields): SameFields<RhythmFields, ContractRhythm> {
  return rhythm;
}

/** Requested features in the terms of the signal processing; both sides list the same names. */
export function toDspFeatures(
  features: readonly ContractFeatureName[],
): SameNames<FeatureName, ContractFeatureName>[] {
  return [...features];
}
