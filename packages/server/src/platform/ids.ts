import { randomFillSync, randomUUID } from 'node:crypto';

let lastMs = 0;
let counter = 0;

/**
 * Returns a new UUID of version 7. It has 48 bits of Unix milliseconds, a 12-bit counter within the millisecond and 62
 * random bits. Ids of one process sort in order of creation.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7 and section 6.2, method 1
 */
export function newId(): string {
  let ms = Date.now();
  if (ms <= lastMs) {
    ms = lastMs;
    counter += 1;
    // The counter is exhausted: use the next millisecond.
    if (counter > 0xfff) {
      ms += 1;
      counter = 0;
    }
  } else {
    counter = 0;
  }
  lastMs = ms;
  const bytes = randomFillSync(Buffer.alloc(16));
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns a new random UUID (version 4), for services that accept no other version. */
export function newRandomId(): string {
  return randomUUID();
}

/** Returns a random number in [0, 1), for jitter, never for secrets. */
export function chance(): number {
  return Math.random();
}
