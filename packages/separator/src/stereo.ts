/** Two audio channels of equal length, samples nominally −1 to 1. */
export interface Stereo {
  readonly left: Float32Array;
  readonly right: Float32Array;
}
