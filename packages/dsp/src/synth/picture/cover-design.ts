/** What a cover shows: a motif and the seed that places its details. */
export interface CoverDesign {
  readonly motif: 'lanterns' | 'harbour' | 'swallows';
  readonly seed: number;
}
