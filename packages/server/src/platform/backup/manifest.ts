import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../errors.ts';
import { BackupError } from './backup-error.ts';
import { isSafePath } from './safe-path.ts';

/** Version of the layout that this service writes. It reads this and all older versions. */
export const manifestVersion = 1;

/** Names of the parts of a backup, relative to its folder. */
export const backupParts = {
  manifest: 'manifest.json',
  manifestHash: 'manifest.json.sha256',
  database: 'database',
  fileList: 'files.ndjson',
  files: 'files',
  key: 'secret.key',
} as const;

const format = 'stem-studio-backup';
const largestManifestBytes = 64 * 1024 * 1024;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal digits');
const count = z.int().min(0);
const sqlName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a lower-case SQL name');
const migrationName = z.string().regex(/^\d{4}-[a-z0-9-]{1,100}\.sql$/, 'must be the name of a migration');

const tableEntry = z.object({
  name: sqlName,
  columns: z.array(sqlName),
  rows: count,
  /** Size and hash of the compressed dump. */
  bytes: count,
  sha256,
});
const sequenceEntry = z.object({ name: sqlName, last_value: z.int(), is_called: z.boolean() });

const manifestSchema = z.object({
  format: z.literal(format),
  version: z.literal(manifestVersion),
  /** `database` for a backup of the database alone, as written before migrations. */
  kind: z.enum(['full', 'database']),
  created_at: z.iso.datetime(),
  database: z.object({
    server_version: z.string().max(200),
    migrations: z.array(z.object({ name: migrationName, checksum: sha256 })).min(1),
    tables: z.array(tableEntry),
    sequences: z.array(sequenceEntry),
  }),
  /** Stored files, listed in `files.ndjson`; null in a backup of the database alone. */
  files: z.object({ count, bytes: count, list: z.object({ bytes: count, sha256 }) }).nullable(),
  /** Whether the folder of separation models is included. */
  has_models: z.boolean(),
  /** Size and hash of the key file, if it is included. */
  key: z.object({ bytes: count, sha256 }).nullable(),
  /** Ids of the service's master keys. They identify the key file of the backup without revealing it. */
  key_ids: z.array(z.string().regex(/^[0-9a-f]{8}$/)),
  /** Referenced files that were missing, and the first of them by name. */
  missing: z.object({ count, first: z.array(z.string().max(4096)).max(100) }),
});

/** Manifest of a backup. */
export type Manifest = z.infer<typeof manifestSchema>;
/** Dump of a table. */
export type TableEntry = z.infer<typeof tableEntry>;
/** State of a sequence. */
export type SequenceEntry = z.infer<typeof sequenceEntry>;
/** Database in a backup. */
export type DatabaseEntry = Manifest['database'];

const fileEntry = z.object({
  /** Path below the folder `files`, beginning with `uploads/` or `models/`. */
  path: z
    .string()
    .max(4096)
    .refine(isSafePath, 'must stay inside the backup: relative, with "/" between names and without ".."')
    .refine((path) => /^(uploads|models)\/./.test(path), 'must begin with uploads/ or models/'),
  bytes: count,
  /** Modification time in epoch milliseconds. */
  modified_ms: z.int(),
  sha256,
});

/** Stored file in a backup. */
export type FileEntry = z.infer<typeof fileEntry>;

/** Returns the path of a table's dump, relative to the backup's folder. */
export function dumpPath(table: string): string {
  return `${backupParts.database}/${table}.copy.gz`;
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'the whole'}: ${issue.message}` : 'unknown fault';
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BackupError(`${name} is damaged: ${messageOf(error)}`);
  }
}

/**
 * Parses the text of a manifest.
 *
 * @throws BackupError with the name and the rule if it is damaged, not a manifest, or of a newer version
 */
export function parseManifest(text: string): Manifest {
  const name = backupParts.manifest;
  const value = parseJson(text, name);
  const head = z.object({ format: z.literal(format), version: z.int().min(1) }).safeParse(value);
  if (!head.success)
    throw new BackupError(`${name} is not the manifest of a backup (${firstIssue(head.error)})`);
  if (head.data.version > manifestVersion)
    throw new BackupError(
      `${name} has version ${head.data.version}, and this service reads up to ${manifestVersion}: restore it with the newer version of the studio that wrote it`,
    );
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) throw new BackupError(`${name} is damaged (${firstIssue(parsed.error)})`);
  return parsed.data;
}

/** Parses a line of `files.ndjson`. Throws a BackupError with the line number. */
export function parseFileLine(line: string, lineNumber: number): FileEntry {
  const name = `${backupParts.fileList} line ${lineNumber}`;
  const parsed = fileEntry.safeParse(parseJson(line, name));
  if (!parsed.success) {
    const { path } = (parsed.error.issues[0]?.path[0] === 'path' ? JSON.parse(line) : {}) as {
      path?: unknown;
    };
    const got = path === undefined ? '' : ` (got ${JSON.stringify(path)})`;
    throw new BackupError(`${name} is damaged (${firstIssue(parsed.error)})${got}`);
  }
  return parsed.data;
}

function hashLine(text: string): string {
  return `${createHash('sha256').update(text).digest('hex')}  ${backupParts.manifest}\n`;
}

/** Writes the manifest and, in the format of `sha256sum`, its hash beside it. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(folder, backupParts.manifest), text, { mode: 0o640, flush: true });
  await writeFile(join(folder, backupParts.manifestHash), hashLine(text), { mode: 0o640, flush: true });
}

/** Manifest with its hash, which identifies the backup. */
export interface ReadManifest {
  readonly manifest: Manifest;
  readonly sha256: string;
}

async function readPart(folder: string, name: string): Promise<string> {
  try {
    const bytes = await readFile(join(folder, name));
    if (bytes.length > largestManifestBytes)
      throw new BackupError(`${name} may have ${largestManifestBytes} bytes at most (got ${bytes.length})`);
    return bytes.toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new BackupError(`${folder} is not a complete backup: ${name} is missing`);
    throw error;
  }
}

/**
 * Reads the manifest of a backup.
 *
 * @throws BackupError if it is missing, differs from its hash, is damaged or of a newer version
 */
export async function readManifest(folder: string): Promise<ReadManifest> {
  const text = await readPart(folder, backupParts.manifest);
  // Parsed before the hash check, so that a newer version is reported as such.
  const manifest = parseManifest(text);
  const expected = hashLine(text);
  if ((await readPart(folder, backupParts.manifestHash)) !== expected)
    throw new BackupError(
      `${backupParts.manifest} differs from its hash in ${backupParts.manifestHash}: it was changed or damaged after the backup`,
    );
  return { manifest, sha256: expected.slice(0, 64) };
}
