/** Source from which a stretcher reads a song in memory. An implementation may unroll loops. */
export interface StereoReader {
  /** Fills `left` and `right` with `frames` samples of the song from frame `from` on, with silence outside of it. */
  read(from: number, left: Float32Array, right: Float32Array, frames: number): void;
}
