/**
 * Index in Vorbis and Opus of each channel of WAV and FLAC, for 1 to 8 audio channels. Vorbis and Opus have the centre
 * between left and right, and the low-frequency channel last.
 * @see Vorbis I specification, 4.3.9; RFC 7845, 5.1.1.2
 */
const ORDERS: readonly (readonly number[])[] = [
  [],
  [0],
  [0, 1],
  [0, 2, 1],
  [0, 1, 2, 3],
  [0, 2, 1, 3, 4],
  [0, 2, 1, 5, 3, 4],
  [0, 2, 1, 6, 5, 3, 4],
  [0, 2, 1, 7, 5, 6, 3, 4],
];

/** Returns the audio channels of a Vorbis or Opus block in the order of WAV and FLAC. */
export function toWavOrder(block: Float32Array[]): Float32Array[] {
  const order = block.length > 2 ? ORDERS[block.length] : undefined;
  return order === undefined ? block : order.map((from) => block[from] ?? new Float32Array(0));
}
