import { randomBytes } from 'node:crypto';
import { chown, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { NoPostgresError } from './binaries.ts';
import type { Account } from './unprivileged.ts';

/** How the service logs in to its own PostgreSQL. */
const clusterAccess = z.object({
  password: z.string().min(1),
  /** Loopback port where there are no socket files. */
  port: z.number().optional(),
});
/** How the service logs in to its own PostgreSQL. */
export type ClusterAccess = z.infer<typeof clusterAccess>;

const accessName = 'stem-studio.json';
const rulesName = 'pg_hba.conf';

/** Who may log in: with the password over the socket or loopback, nobody else. */
const loginRules = `# Written by Stem Studio. The password is in ${accessName} beside this file.
# TYPE  DATABASE     USER  ADDRESS       METHOD
local   all          all                 scram-sha-256
local   replication  all                 scram-sha-256
host    all          all   127.0.0.1/32  scram-sha-256
host    all          all   ::1/128       scram-sha-256
`;

/** A new random password of 192 bits. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** How to log in to the database in this folder; null for one made before passwords were asked for. */
export async function readAccess(folder: string): Promise<ClusterAccess | null> {
  const path = join(folder, accessName);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (!(await asksForPassword(folder))) return null;
    throw new NoPostgresError(
      `${path} is missing, which holds the password of the database: restore it from the backup`,
      null,
    );
  }
  try {
    return clusterAccess.parse(JSON.parse(text));
  } catch {
    throw new NoPostgresError(
      `${path}, which holds the password of the database, cannot be read: restore it from the backup`,
      null,
    );
  }
}

/** Writes how to log in, for the owner of the database only. */
export async function writeAccess(
  folder: string,
  access: ClusterAccess,
  account: Account | null,
): Promise<void> {
  await replaceFile(join(folder, accessName), JSON.stringify(access), account);
}

/** Whether the rules of the database in this folder are those that ask for a password. */
export async function asksForPassword(folder: string): Promise<boolean> {
  return (await readFile(join(folder, rulesName), 'utf8').catch(() => '')) === loginRules;
}

/** Writes the rules that ask for a password; a running server follows them when it is told to read them again. */
export async function writeLoginRules(folder: string, account: Account | null): Promise<void> {
  await replaceFile(join(folder, rulesName), loginRules, account);
}

async function replaceFile(path: string, text: string, account: Account | null): Promise<void> {
  const aside = `${path}.new`;
  const handle = await open(aside, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (account) await chown(aside, account.uid, account.gid);
  await rename(aside, path);
}
