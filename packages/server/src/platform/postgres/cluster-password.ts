import { randomBytes } from 'node:crypto';
import { chown, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { NoPostgresError } from './binaries.ts';
import type { Account } from './unprivileged.ts';

/** Login data of the service for its embedded PostgreSQL. */
const clusterAccess = z.object({
  password: z.string().min(1),
  /** Loopback port on systems without socket files. */
  port: z.number().optional(),
});
/** Login data of the service for its embedded PostgreSQL. */
export type ClusterAccess = z.infer<typeof clusterAccess>;

const accessName = 'stem-studio.json';
const rulesName = 'pg_hba.conf';

/** Content of pg_hba.conf: logins require the password, over the socket or loopback only. */
const loginRules = `# Written by Stem Studio. The password is in ${accessName} beside this file.
# TYPE  DATABASE     USER  ADDRESS       METHOD
local   all          all                 scram-sha-256
local   replication  all                 scram-sha-256
host    all          all   127.0.0.1/32  scram-sha-256
host    all          all   ::1/128       scram-sha-256
`;

/** Returns a new random password of 192 bits. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Returns the login data of the database in a folder, or null for one from before passwords were introduced. */
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

/** Writes the login data, readable by the owner of the database only. */
export async function writeAccess(
  folder: string,
  access: ClusterAccess,
  account: Account | null,
): Promise<void> {
  await replaceFile(join(folder, accessName), JSON.stringify(access), account);
}

/** Returns whether the pg_hba.conf of the database in a folder requires a password. */
export async function asksForPassword(folder: string): Promise<boolean> {
  return (await readFile(join(folder, rulesName), 'utf8').catch(() => '')) === loginRules;
}

/** Writes a pg_hba.conf that requires a password. A running server applies it after a reload. */
export async function writeLoginRules(folder: string, account: Account | null): Promise<void> {
  await replaceFile(join(folder, rulesName), loginRules, account);
}

async function replaceFile(path: string, text: string, account: Account | null): Promise<void> {
  const temporaryPath = `${path}.new`;
  const handle = await open(temporaryPath, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (account) await chown(temporaryPath, account.uid, account.gid);
  await rename(temporaryPath, path);
}
