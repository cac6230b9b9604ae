/** Bytes to write over what was written before, at `offset` from the beginning of the file. */
export interface Patch {
  offset: number;
  bytes: Uint8Array;
}

/**
 * Samples in, a file out: the writer appends what `encode` gives and then `tail`, and applies the patches last.
 *
 * A block holds one Float32Array for each audio channel, all of one length, full scale ±1; blocks may have any
 * length. Beyond full scale integers clip. After `finish` or `close` an encoder is spent; `close` ends one that
 * will not be finished and is harmless at any time.
 */
export interface AudioEncoder {
  encode(block: Float32Array[]): Uint8Array | Promise<Uint8Array>;
  finish(): Promise<{ tail: Uint8Array; patches: Patch[] }>;
  close(): Promise<void>;
}

/** The length of a block in samples. @throws RangeError where the block does not fit `channels` */
export function blockLength(block: Float32Array[], channels: number): number {
  const length = block[0]?.length ?? 0;
  if (block.length !== channels || block.some((samples) => samples.length !== length)) {
    const got = block.map((samples) => samples.length).join(', ');
    throw new RangeError(`a block must hold ${channels} arrays of one length (got lengths ${got || 'none'})`);
  }
  return length;
}

/** Byte arrays joined into one. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
