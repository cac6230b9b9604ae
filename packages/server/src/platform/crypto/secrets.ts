import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What needs the service's secret key. */
export interface Secrets {
  /** `text` with a signature (HMAC-SHA-256) that holds only for this `purpose`. */
  sign(purpose: string, text: string): string;
  /** The text behind a signature of {@link sign}; null when it does not hold. Takes the same time either way. */
  verify(purpose: string, signed: string): string | null;
  /**
   * A key of 32 bytes for one purpose, always the same for the same service.
   *
   * @see https://www.rfc-editor.org/rfc/rfc5869
   */
  derive(purpose: string): Buffer;
}

/** Random bytes as base64url text: 32 bytes make 43 characters. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Secrets from one master key of at least 32 bytes. */
export function createSecrets(masterKey: Buffer): Secrets {
  if (masterKey.length < 32)
    throw new Error(`the secret key must have at least 32 bytes (got ${masterKey.length})`);
  const keys = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const known = keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', masterKey, '', `stem-studio:${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  };
  const signatureOf = (purpose: string, text: string) =>
    createHmac('sha256', derive(purpose)).update(text).digest();
  return {
    derive,
    sign: (purpose, text) => `${text}.${signatureOf(purpose, text).toString('base64url')}`,
    verify: (purpose, signed) => {
      const dot = signed.lastIndexOf('.');
      const text = signed.slice(0, Math.max(0, dot));
      const expected = signatureOf(purpose, text);
      const given = Buffer.from(signed.slice(dot + 1), 'base64url');
      const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
      return isEqual && dot >= 0 ? text : null;
    },
  };
}

/**
 * The master key: `SECRET_KEY`, or the file `secret.key` in the data directory, readable by its owner only, made whole
 * at once on the first start. Throws when the file is too short to be one.
 */
export async function openSecrets(secretKey: string | null, dataDir: string): Promise<Secrets> {
  if (secretKey !== null) return createSecrets(Buffer.from(secretKey));
  const path = join(dataDir, 'secret.key');
  const existing = await readFile(path, 'utf8').catch(() => null);
  if (existing !== null) return createSecrets(Buffer.from(existing.trim(), 'base64url'));
  await mkdir(dataDir, { recursive: true });
  const aside = `${path}.${randomToken(6)}`;
  const handle = await open(aside, 'wx', 0o600);
  await handle.writeFile(`${randomToken(48)}\n`);
  await handle.sync();
  await handle.close();
  // A link fails where the name is taken: of two that start at once, both read the same key.
  await link(aside, path).catch(() => undefined);
  await rm(aside);
  return createSecrets(Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url'));
}
