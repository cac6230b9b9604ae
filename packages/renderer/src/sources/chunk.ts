/** Sample frames in one piece of a stem, 1.5 s at 44.1 kHz; a power of two, so that a place is found by shifting. */
export const CHUNK_FRAMES = 65_536;
/** log₂ of {@link CHUNK_FRAMES}. */
export const CHUNK_SHIFT = 16;

/** Interleaved samples of one piece: 16-bit as stored, or floats with full scale ±1. */
export type ChunkSamples = Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** What a stem is before any of it has arrived. */
export interface StemShape {
  /** Length in sample frames. */
  frames: number;
  /** 1 or 2 audio channels; one sounds in the middle. */
  channels: number;
}

/** How many pieces a stem of `frames` has. */
export function chunkCount(frames: number): number {
  return Math.ceil(frames / CHUNK_FRAMES);
}
