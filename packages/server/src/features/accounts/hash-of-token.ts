import { createHash } from 'node:crypto';

/**
 * What the database keeps of a token: SHA-256, in hex. The token has 256 random bits, so no salt and no slow hash is
 * needed, and it can be looked up.
 */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
