/** Design of a cover: a motif and the random seed of its details. */
export interface CoverDesign {
  readonly motif: 'lanterns' | 'harbour' | 'swallows';
  readonly seed: number;
}
