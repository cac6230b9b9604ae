/** Two sides of equal length, samples nominally in −1…1. */
export interface Stereo {
  readonly left: Float32Array;
  readonly right: Float32Array;
}
