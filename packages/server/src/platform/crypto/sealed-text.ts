import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SecretText } from './secret-text.ts';

declare const sealed: unique symbol;

/** A secret as the database holds it: `v1.<key id>.<nonce>.<encrypted text and tag>`, the latter two in base64url. */
export type SealedText = string & { readonly [sealed]: true };

/** The one field of the one record that a secret belongs to. Sealed for one, it opens in no other. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly id: string | number;
  /** Whose record it is. */
  readonly userId: number;
}

/** Why a secret cannot be read. The message says what to do and holds nothing of the secret. */
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
/** 96 bits at random, as NIST SP 800-38D 8.2.2 has it: good for 2^32 secrets under one key. */
const nonceBytes = 12;
const tagBytes = 16;
const form = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{22,})$/;

/** What the tag also covers, so written that no two places read the same. */
function identityOf({ table, column, id, userId }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([version, table, column, String(id), userId]));
}

/**
 * Encrypts a secret for its place with AES-256-GCM.
 *
 * @param key 32 bytes, named by `key.id` (8 hexadecimal digits)
 * @see https://csrc.nist.gov/pubs/sp/800/38/d/final
 */
export function sealText(
  secret: SecretText,
  place: SealedPlace,
  key: { readonly id: string; readonly bytes: Buffer },
): SealedText {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(identityOf(place));
  const body = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [version, key.id, nonce.toString('base64url'), body.toString('base64url')].join('.') as SealedText;
}

/** The id of the key that a secret is encrypted with; null for what is no sealed secret. */
export function keyIdOf(text: string): string | null {
  return form.exec(text)?.[1] ?? null;
}

/**
 * Decrypts a secret.
 *
 * @throws SealedTextError when it belongs to another place, was changed, or is no sealed secret
 */
export function openText(text: string, place: SealedPlace, key: Buffer): SecretText {
  const [, , nonce = '', body = ''] = form.exec(text) ?? [];
  const bytes = Buffer.from(body, 'base64url');
  try {
    const decipher = createDecipheriv(cipherName, key, Buffer.from(nonce, 'base64url'), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(identityOf(place));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const clear = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
    return new SecretText(clear.toString('utf8'));
  } catch {
    throw new SealedTextError(
      'does not open',
      `the secret in ${place.table}.${place.column} of ${place.id} was changed, or belongs to another record: it has to be given anew`,
    );
  }
}
