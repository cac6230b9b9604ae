import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SecretText } from './secret-text.ts';

declare const sealed: unique symbol;

/** Encrypted secret in the database: `v1.<key id>.<nonce>.<encrypted text and tag>`, the latter two in base64url. */
export type SealedText = string & { readonly [sealed]: true };

/** Table, column and row that a secret is bound to. It cannot be decrypted for any other. */
export interface SecretLocation {
  readonly table: string;
  readonly column: string;
  readonly id: string | number;
  /** Owner of the row. */
  readonly userId: number;
}

/** Thrown if a secret cannot be decrypted. The message says what to do and reveals nothing of the secret. */
export class SealedTextError extends Error {
  override readonly name = 'SealedTextError';
  readonly reason: 'unknown key' | 'does not open';

  constructor(reason: SealedTextError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const version = 'v1';
const cipherName = 'aes-256-gcm';
/** Length of the nonce: 96 random bits, according to NIST SP 800-38D 8.2.2, sufficient for 2^32 secrets per key. */
const nonceBytes = 12;
const tagBytes = 16;
const form = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{22,})$/;

/** Returns the additional authenticated data of a secret, encoded unambiguously. */
function identityOf({ table, column, id, userId }: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify([version, table, column, String(id), userId]));
}

/**
 * Encrypts a secret for its column and row with AES-256-GCM.
 *
 * @param key key of 32 bytes, identified by `key.id` (8 hexadecimal digits)
 * @see https://csrc.nist.gov/pubs/sp/800/38/d/final
 */
export function sealText(
  secret: SecretText,
  location: SecretLocation,
  key: { readonly id: string; readonly bytes: Buffer },
): SealedText {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(identityOf(location));
  const body = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [version, key.id, nonce.toString('base64url'), body.toString('base64url')].join('.') as SealedText;
}

/** Returns the key id of an encrypted secret, or null for any other text. */
export function keyIdOf(text: string): string | null {
  return form.exec(text)?.[1] ?? null;
}

/**
 * Decrypts a secret.
 *
 * @throws SealedTextError if it belongs to another column or row, was changed, or is not an encrypted secret
 */
export function openText(text: string, location: SecretLocation, key: Buffer): SecretText {
  const [, , nonce = '', body = ''] = form.exec(text) ?? [];
  const bytes = Buffer.from(body, 'base64url');
  try {
    const decipher = createDecipheriv(cipherName, key, Buffer.from(nonce, 'base64url'), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(identityOf(location));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const clear = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
    return new SecretText(clear.toString('utf8'));
  } catch {
    throw new SealedTextError(
      'does not open',
      `the secret in ${location.table}.${location.column} of ${location.id} was changed, or belongs to another record: enter it again`,
    );
  }
}
