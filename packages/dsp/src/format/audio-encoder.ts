/** Bytes that replace earlier ones at `offset` from the start of the file. */
export interface Patch {
  offset: number;
  bytes: Uint8Array;
}

/**
 * Encodes samples to a file: the writer appends the results of `encode` and then `tail`, and applies the patches last.
 *
 * A block holds one Float32Array for each audio channel, all of one length, full scale ±1; blocks may have any
 * length. Integers are clipped at full scale. After `finish` or `close` an encoder cannot be used; `close` ends
 * an unfinished one and may be called at any time.
 */
export interface AudioEncoder {
  encode(block: Float32Array[]): Uint8Array | Promise<Uint8Array>;
  finish(): Promise<{ tail: Uint8Array; patches: Patch[] }>;
  close(): Promise<void>;
}

/**
 * Returns the length of a block in samples.
 *
 * @throws RangeError if the block does not fit `channels`
 */
export function blockLength(block: Float32Array[], channels: number): number {
  const length = block[0]?.length ?? 0;
  if (block.length !== channels || block.some((samples) => samples.length !== length)) {
    const got = block.map((samples) => samples.length).join(', ');
    throw new RangeError(`a block must hold ${channels} arrays of one length (got lengths ${got || 'none'})`);
  }
  return length;
}

/** Concatenates byte arrays. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
