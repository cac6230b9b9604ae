import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { formerLocations } from './former-locations.ts';
import { deriveKey, ensureKeyFile, idOfKey, type KeySettings, readMasterKeys } from './master-keys.ts';
import {
  keyIdOf,
  openText,
  type SealedText,
  SealedTextError,
  type SecretLocation,
  sealText,
} from './sealed-text.ts';
import type { SecretText } from './secret-text.ts';

declare module '../context.ts' {
  interface Context {
    readonly secrets: Secrets;
  }
}

/** Cryptographic operations with the service's secret key. */
export interface Secrets {
  /** Returns `text` with a signature (HMAC-SHA-256) that is valid only for this `purpose`. */
  sign(purpose: string, text: string): string;
  /** Returns the text of a signature of {@link sign}, or null if it is invalid. Takes constant time. */
  verify(purpose: string, signed: string): string | null;
  /** Returns a key of 32 bytes for one purpose. It stays the same until the service starts with another master key. */
  derive(purpose: string): Buffer;
  /** Encrypts a secret for its column and row, with the current key. */
  seal(secret: SecretText, location: SecretLocation): SealedText;
  /**
   * Decrypts a secret with the key that it was encrypted with.
   *
   * @throws SealedTextError if that key is missing, or the secret was changed or belongs to another column or row
   */
  open(text: SealedText, location: SecretLocation): SecretText;
  /** Returns the ids of the keys that can decrypt, the current one first. */
  keyIds(): readonly string[];
  /** Reads the keys again, because another process may have added one. Signatures keep the key of the start. */
  readKeysAgain(): void;
}

/** Returns random bytes as base64url text: 32 bytes result in 43 characters. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

interface SealingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

function sealingKeys(masterKeys: readonly Buffer[]): [SealingKey, ...SealingKey[]] {
  const [first, ...rest] = masterKeys.map((key) => ({ id: idOfKey(key), bytes: deriveKey(key, 'seal') }));
  if (!first) throw new Error('there is no master key');
  return [first, ...rest];
}

/**
 * Creates secrets from master keys of at least 32 bytes. The first, current one signs and encrypts; all of them
 * decrypt.
 *
 * @param read returns the keys; called again when a secret has an unknown key
 */
export function createSecrets(read: () => readonly Buffer[]): Secrets {
  const atStart = read();
  const [signing] = atStart;
  if (!signing) throw new Error('there is no master key');
  let sealing = sealingKeys(atStart);
  const keys = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const known = keys.get(purpose);
    if (known) return known;
    const key = deriveKey(signing, purpose);
    keys.set(purpose, key);
    return key;
  };
  const signatureOf = (purpose: string, text: string) =>
    createHmac('sha256', derive(purpose)).update(text).digest();
  const readKeysAgain = () => {
    sealing = sealingKeys(read());
  };
  const find = (id: string) => sealing.find((key) => key.id === id);
  return {
    derive,
    readKeysAgain,
    sign: (purpose, text) => `${text}.${signatureOf(purpose, text).toString('base64url')}`,
    verify: (purpose, signed) => {
      const dot = signed.lastIndexOf('.');
      const text = signed.slice(0, Math.max(0, dot));
      const expected = signatureOf(purpose, text);
      const given = Buffer.from(signed.slice(dot + 1), 'base64url');
      const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
      return isEqual && dot >= 0 ? text : null;
    },
    seal: (secret, location) => sealText(secret, location, sealing[0]),
    open: (text, location) => {
      const id = keyIdOf(text) ?? '';
      if (id !== '' && !find(id)) readKeysAgain();
      const key = find(id);
      if (!key && id !== '')
        throw new SealedTextError(
          'unknown key',
          `the secret in ${location.table}.${location.column} of ${location.id} is encrypted with the key ${id}, which this studio does not have: set SECRET_KEY_PREVIOUS to it, or restore its line in secret.key`,
        );
      const { bytes } = key ?? sealing[0];
      for (const earlier of formerLocations(location)) {
        const opened = tryOpen(text, earlier, bytes);
        if (opened) return opened;
      }
      return openText(text, location, bytes);
    },
    keyIds: () => [...new Set(sealing.map(({ id }) => id))],
  };
}

/** Returns the decrypted secret, or null if it is not bound to this column and row. */
function tryOpen(text: SealedText, location: SecretLocation, key: Buffer): SecretText | null {
  try {
    return openText(text, location, key);
  } catch (error) {
    if (error instanceof SealedTextError) return null;
    throw error;
  }
}

/** Opens the service's secrets with `SECRET_KEY`, or with its own key file, which is created at the first start. */
export async function openSecrets(settings: KeySettings): Promise<Secrets> {
  if (settings.secretKey === null) await ensureKeyFile(settings.dataDir);
  return createSecrets(() => readMasterKeys(settings));
}
