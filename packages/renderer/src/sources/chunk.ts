/** Sample frames per chunk, 1.5 s at 44.1 kHz; a power of two, so that a frame is found by shifting. */
export const CHUNK_FRAMES = 65_536;
/** log₂ of {@link CHUNK_FRAMES}. */
export const CHUNK_SHIFT = 16;

/** Interleaved samples of a chunk: 16-bit as stored, or floats with full scale ±1. */
export type ChunkSamples = Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** Format of a stem. */
export interface StemShape {
  /** Length in sample frames. */
  frames: number;
  /** 1 or 2 audio channels; mono plays in the centre. */
  channels: number;
}

/** Returns the number of chunks of `frames`. */
export function chunkCount(frames: number): number {
  return Math.ceil(frames / CHUNK_FRAMES);
}
