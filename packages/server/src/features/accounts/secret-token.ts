import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes in base64url, after `prefix`: what stands in a cookie, an API key or a link. */
export function newSecretToken(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * What the database keeps of a token: SHA-256, in hex. The token has 256 random bits, so no salt and no slow hash is
 * needed, and it can be looked up.
 */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
