import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';

/** Settings that determine the master keys. */
export type KeySettings = Pick<Config, 'secretKey' | 'previousSecretKeys' | 'dataDir'>;

const fewestBytes = 32;

/**
 * Derives a key of 32 bytes for one purpose from a master key.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5869
 */
export function deriveKey(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `stem-studio:${purpose}`, 32));
}

/** Returns the public id of a master key: 8 hexadecimal digits that reveal nothing about it. */
export function idOfKey(masterKey: Buffer): string {
  return createHash('sha256').update(deriveKey(masterKey, 'key id')).digest('hex').slice(0, 8);
}

/** Returns the path of the file with the service's own keys, one per line, the current one first. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

function checked(key: Buffer): Buffer {
  if (key.length < fewestBytes)
    throw new Error(`the secret key must have at least ${fewestBytes} bytes (got ${key.length})`);
  return key;
}

function keysIn(text: string): Buffer[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => checked(Buffer.from(line, 'base64url')));
}

/**
 * Returns all master keys, the current one first. The current key is `SECRET_KEY`, else the first of the key file. The
 * others, for decryption only, are `SECRET_KEY_PREVIOUS` and the rest of the file. Throws if a key is too short or
 * there is none.
 */
export function readMasterKeys({ secretKey, previousSecretKeys, dataDir }: KeySettings): Buffer[] {
  let inFile: Buffer[] = [];
  try {
    inFile = keysIn(readFileSync(keyFileOf(dataDir), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const given = previousSecretKeys.map((key) => checked(Buffer.from(key)));
  if (secretKey !== null) return [checked(Buffer.from(secretKey)), ...given, ...inFile];
  const [first, ...rest] = inFile;
  if (!first) throw new Error(`${keyFileOf(dataDir)} holds no key`);
  return [first, ...given, ...rest];
}

/** Returns the ids of all master keys, the current one first; none before the first start. */
export function keyIdsInUse(settings: KeySettings): string[] {
  if (settings.secretKey === null && !existsSync(keyFileOf(settings.dataDir))) return [];
  return [...new Set(readMasterKeys(settings).map(idOfKey))];
}

/** Writes a staging file beside `path`, readable by its owner only, and syncs it to disk. Returns its path. */
async function writeTemporary(path: string, lines: readonly string[]): Promise<string> {
  const temporaryPath = `${path}.${randomBytes(6).toString('base64url')}`;
  const handle = await open(temporaryPath, 'wx', 0o600);
  await handle.writeFile(`${lines.join('\n')}\n`);
  await handle.sync();
  await handle.close();
  return temporaryPath;
}

const newKey = () => randomBytes(48).toString('base64url');

/** Creates the key file atomically, unless it exists. Two processes that start at the same time read the same key. */
export async function ensureKeyFile(dataDir: string): Promise<void> {
  const path = keyFileOf(dataDir);
  if ((await readFile(path, 'utf8').catch(() => null)) !== null) return;
  await mkdir(dataDir, { recursive: true });
  const temporaryPath = await writeTemporary(path, [newKey()]);
  // A link fails if the name exists.
  await link(temporaryPath, path).catch(() => undefined);
  await rm(temporaryPath);
}

/** Adds a new key as the first of the key file. The file with all keys is synced to disk before this resolves. */
export async function addKeyToFile(dataDir: string): Promise<void> {
  const path = keyFileOf(dataDir);
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  await rename(await writeTemporary(path, [newKey(), ...lines]), path);
  // The rename is durable only after the folder is synced.
  const folder = await open(dirname(path), 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
