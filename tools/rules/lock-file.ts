/** Fields of a package in a lock file that are needed here. */
export interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

/** The `packages` of a lock file, by installation path. */
export type LockPackages = Record<string, LockEntry>;

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];

/**
 * Returns the optional packages for other platforms that a lock file names but does not list. npm omits one if the
 * registry has no copy of it, and then `npm ci` refuses the whole file on every platform.
 *
 * @returns entries to add, by installation path; system, processor and C library are parsed from the package's name, so
 * that other platforms do not download them
 */
export function missingOptionals(packages: LockPackages): LockPackages {
  const missing: LockPackages = {};
  for (const [where, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isListed(packages, where, name)) continue;
      const parts = (name.split('/').pop() ?? '').split('-');
      const os = systems.filter((one) => parts.includes(one));
      const cpu = processors.filter((one) => parts.includes(one));
      const libc = parts.some((part) => part.startsWith('musl'))
        ? ['musl']
        : parts.some((part) => part.startsWith('gnu'))
          ? ['glibc']
          : [];
      if (os.length === 0) {
        throw new Error(
          `cannot tell from its name which machine "${name}" (${where || 'the project'}) is for`,
        );
      }
      missing[`node_modules/${name}`] = {
        version,
        ...(cpu.length > 0 && { cpu }),
        ...(entry.dev && { dev: true }),
        ...(libc.length > 0 && { libc }),
        optional: true,
        os,
      };
    }
  }
  return missing;
}

/** Checks whether a package installed at `where` finds `name`, searching upwards as Node does. */
function isListed(packages: LockPackages, where: string, name: string): boolean {
  let folder = where;
  for (;;) {
    if (`${folder ? `${folder}/` : ''}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
    const above = folder.lastIndexOf('/node_modules/');
    folder = above < 0 ? '' : folder.slice(0, above);
  }
}
