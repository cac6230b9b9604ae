import { createHash } from 'node:crypto';

/**
 * Returns the stored form of a token: SHA-256 in hex. A token has 256 random bits, so it needs no salt and no slow
 * hash and can be looked up.
 */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
