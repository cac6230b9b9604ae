import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';

/** Which settings say what the master keys are. */
export type KeySettings = Pick<Config, 'secretKey' | 'previousSecretKeys' | 'dataDir'>;

const fewestBytes = 32;

/**
 * A key of 32 bytes for one purpose, made of a master key.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5869
 */
export function deriveKey(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `stem-studio:${purpose}`, 32));
}

/** What a master key is called where its name may be read: 8 hexadecimal digits that tell nothing of it. */
export function idOfKey(masterKey: Buffer): string {
  return createHash('sha256').update(deriveKey(masterKey, 'key id')).digest('hex').slice(0, 8);
}

/** The file that holds the service's own keys, a line each, the present one first. */
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
 * Every master key, the present one first: `SECRET_KEY`, else the first of the key file; then what may still be read with,
 * `SECRET_KEY_PREVIOUS` and the rest of the file. Throws when a key is too short, or there is none at all.
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

/** Ids of every master key that there is, the present one first; none before the first start. */
export function keyIdsInUse(settings: KeySettings): string[] {
  if (settings.secretKey === null && !existsSync(keyFileOf(settings.dataDir))) return [];
  return [...new Set(readMasterKeys(settings).map(idOfKey))];
}

/** Writes a file beside its place, for its owner only, and waits until it is on the disk. */
async function writeAside(path: string, lines: readonly string[]): Promise<string> {
  const aside = `${path}.${randomBytes(6).toString('base64url')}`;
  const handle = await open(aside, 'wx', 0o600);
  await handle.writeFile(`${lines.join('\n')}\n`);
  await handle.sync();
  await handle.close();
  return aside;
}

const newKey = () => randomBytes(48).toString('base64url');

/** Makes the key file, whole at once, unless it is there. Of two that start at once, both read the same key. */
export async function ensureKeyFile(dataDir: string): Promise<void> {
  const path = keyFileOf(dataDir);
  if ((await readFile(path, 'utf8').catch(() => null)) !== null) return;
  await mkdir(dataDir, { recursive: true });
  const aside = await writeAside(path, [newKey()]);
  // A link fails where the name is taken.
  await link(aside, path).catch(() => undefined);
  await rm(aside);
}

/** Puts a new key before those in the key file. It is on the disk, with all of them, before this answers. */
export async function addKeyToFile(dataDir: string): Promise<void> {
  const path = keyFileOf(dataDir);
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  await rename(await writeAside(path, [newKey(), ...lines]), path);
  // The rename itself lasts only when the folder is written.
  const folder = await open(dirname(path), 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
