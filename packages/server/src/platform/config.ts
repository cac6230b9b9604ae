import { existsSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { concurrency, uploadDefaults } from '@stem-studio/contract/limits';
import { type NetworkDevice, networkDevice, networkDevices } from '@stem-studio/contract/separation-weights';
import { stemBitDepth } from '@stem-studio/contract/separator';
import { z } from 'zod';

declare module './context.ts' {
  interface Context {
    readonly config: Config;
  }
}

const secretNames = new Set([
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'DATABASE_URL',
  'CATALOG_CLIENT_SECRET',
  'CLOUDSEP_KEY',
]);

const wholeNumber = (rule: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule);

const onOff = (rule: string) =>
  z
    .string()
    .toLowerCase()
    .refine((text) => ['on', 'off', 'true', 'false', '1', '0'].includes(text), rule)
    .transform((text) => ['on', 'true', '1'].includes(text));

const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((text) => text.replace(/\/+$/, ''));

const workers = (name: string) => wholeNumber(`${name} must be a whole number from 1 to 64`, 1, 64);

const quota = (max: number) => wholeNumber(`must be a whole number from 0 to ${max} (0 is no limit)`, 0, max);

const listed = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const nameList = (defaults: string) =>
  z
    .string()
    .default(defaults)
    .transform((text) => listed(text.toLowerCase()));

/** Names, rules and defaults of everything a deployment may set. */
const environment = z.object({
  PORT: wholeNumber('must be a port, 0 to 65535 (0 takes a free one)', 0, 65_535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  ALLOWED_HOSTS: nameList('').refine(
    (list) => list.every((entry) => /^\.?[a-z0-9-]+([.][a-z0-9-]+)*$|^\[?[0-9a-f:]+\]?$/.test(entry)),
    'must be host names or addresses without ports, with commas between; .example.org is a name and its subdomains',
  ),
  DATA_DIR: z.string().default('./data'),
  UPLOADS_DIR: z.string().optional(),
  QUARANTINE_DAYS: wholeNumber('must be a whole number from 1 to 3650', 1, 3650).default(30),
  BACKUPS_DIR: z.string().optional(),
  BACKUP_BEFORE_MIGRATION: onOff('must be on or off').default(true),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional(),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_PREVIOUS: z
    .string()
    .default('')
    .transform(listed)
    .refine(
      (list) => list.every((key) => key.length >= 32),
      'must be keys of at least 32 characters each, with commas between',
    ),
  CATALOG_FOLDER: z.string().optional(),
  CATALOG_HOSTS: nameList('open.spotify.com,spotify.com,play.spotify.com'),
  CATALOG_SHORT_HOSTS: nameList('spotify.link,spoti.fi'),
  CATALOG_SCHEME: z
    .string()
    .regex(/^[a-z][a-z0-9+.-]*$/i, 'must be a scheme such as the web catalog uses in its links')
    .default('spotify'),
  CATALOG_CLIENT_ID: z.string().optional(),
  CATALOG_CLIENT_SECRET: z.string().optional(),
  CATALOG_API_URL: webAddress.default('https://api.spotify.com/v1'),
  CATALOG_TOKEN_URL: webAddress.default('https://accounts.spotify.com/api/token'),
  CATALOG_AUTHORIZE_URL: webAddress.default('https://accounts.spotify.com/authorize'),
  DOWNLOAD_TOOL: z.string().default('yt-dlp'),
  DOWNLOAD_TOOL_SEARCH: z.string().default('ytsearch5:'),
  DOWNLOAD_TIME_LIMIT_SECONDS: wholeNumber('must be a whole number from 1 to 86400', 1, 86_400).default(900),
  FFMPEG_PATH: z.string().default('ffmpeg'),
  CLOUDSEP_URL: webAddress.default('https://www.lalal.ai'),
  CLOUDSEP_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 visible characters')
    .optional(),
  CLOUDSEP_CHECKS_PER_MINUTE: wholeNumber('must be a whole number from 1 to 600', 1, 600).default(20),
  CLOUDSEP_REPLY_SECONDS: wholeNumber('must be a whole number from 1 to 600', 1, 600).default(30),
  CLOUDSEP_TASK_SECONDS: wholeNumber('must be a whole number from 1 to 86400', 1, 86_400).default(3600),
  CLOUDSEP_CONCURRENCY: workers('it').default(4),
  REGISTRATION: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('closed'),
  MAX_UPLOAD_MB: wholeNumber('must be a whole number from 1 to 65536', 1, 65_536).default(
    uploadDefaults.maxUploadMb,
  ),
  MAX_DURATION_SECONDS: wholeNumber('must be a whole number from 1 to 86400', 1, 86_400).default(
    uploadDefaults.maxDurationSeconds,
  ),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(listed)
    .refine(
      (list) =>
        list.every((entry) => /^[0-9a-fA-F.:]+(\/\d{1,3})?$|^(loopback|linklocal|uniquelocal)$/.test(entry)),
      'must be addresses, networks such as 10.0.0.0/8, or loopback, with commas between',
    ),
  STEM_BIT_DEPTH: stemBitDepth.default('16'),
  MODELS_DIR: z.string().optional(),
  SEPARATION_DEVICE: z
    .enum(networkDevice.options, { error: `must be ${networkDevices.join(', ')}` })
    .default('cpu'),
  SEPARATION_MEMORY_MB: wholeNumber('must be a whole number from 256 to 4194304', 256, 4_194_304).optional(),
  SEPARATION_REST_SECONDS: wholeNumber('must be a whole number from 0 to 86400', 0, 86_400).default(60),
  QUOTA_STORAGE_GB: quota(1_000_000).default(250),
  QUOTA_TRACKS: quota(10_000_000).default(50_000),
  QUOTA_QUEUED_JOBS: quota(10_000_000).default(10_000),
  QUOTA_STEM_SETS: quota(10_000_000).default(5000),
  DISK_MARGIN_MB: wholeNumber('must be a whole number from 0 to 1048576', 0, 1_048_576).default(256),
  DISK_RESERVE_MB: wholeNumber('must be a whole number from 0 to 4096', 0, 4096).default(64),
  AUTO_ANALYZE: onOff('must be on or off').default(true),
  AUTO_SEPARATE: onOff('must be on or off').default(true),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], {
      error: 'must be silent, fatal, error, warn, info, debug or trace',
    })
    .default('info'),
  DOWNLOAD_CONCURRENCY: workers('it').default(concurrency.download),
  PROCESSING_CONCURRENCY: workers('it').default(concurrency.processing),
  ANALYSIS_CONCURRENCY: workers('it').default(concurrency.analysis),
  NODE_ENV: z.string().default('production'),
});

/** The names of everything a deployment may set, in their order; `NODE_ENV` is Node's own. */
export const settingNames: readonly string[] = Object.keys(environment.shape).filter(
  (name) => name !== 'NODE_ENV',
);

/** How much each user may have unless they have a quota of their own; 0 is no limit. */
export interface Quotas {
  readonly storageBytes: number;
  readonly tracks: number;
  /** Waiting and running jobs. */
  readonly queuedJobs: number;
  /** Stored separations, previews included. */
  readonly stemSets: number;
}

/** Everything a deployment may set, read once. Paths are absolute. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Address under which browsers reach the service, without a slash at its end; null is the address it listens on. */
  readonly publicUrl: string | null;
  /** Hosts beside PUBLIC_URL and loopback names that requests are answered under, in lower case. */
  readonly allowedHosts: readonly string[];
  readonly dataDir: string;
  readonly uploadsDir: string;
  /** How long stored folders that no record of the database names are kept before they are deleted. */
  readonly quarantineDays: number;
  /** Folder of backups. */
  readonly backupsDir: string;
  /** Whether the database is backed up before its schema changes. */
  readonly isBackingUpBeforeMigrations: boolean;
  /** Null: a PostgreSQL of our own in the data directory. */
  readonly databaseUrl: string | null;
  /** Null: a key file of our own in the data directory. */
  readonly secretKey: string | null;
  /** Keys of before: what is encrypted with them can still be read. */
  readonly previousSecretKeys: readonly string[];
  /** Null: no folder catalog of the operator's. */
  readonly catalogFolder: string | null;
  /** Where links of the web catalog live. */
  readonly catalog: {
    readonly hosts: readonly string[];
    readonly shortHosts: readonly string[];
    readonly scheme: string;
  };
  /** Where the web catalog answers, and as whom it is asked; null credentials: it is not asked at all. */
  readonly webCatalog: {
    readonly clientId: string | null;
    readonly clientSecret: string | null;
    /** Without a slash at its end. */
    readonly apiUrl: string;
    readonly tokenUrl: string;
    /** Where people are sent to log in. */
    readonly authorizeUrl: string;
  };
  /** The program that finds and fetches the sound of web catalog tracks: a path, or a name that is looked for in PATH. */
  readonly downloadTool: string;
  /** What stands before the words of a search, or an address with `{query}` where the words go. */
  readonly downloadToolSearch: string;
  /** A download by that program is ended when it takes longer. */
  readonly downloadTimeLimitSeconds: number;
  /** The program that decodes what we do not: a path, or a name that is looked for in PATH. It may be absent. */
  readonly ffmpegPath: string;
  /** The cloud separation service. */
  readonly cloudsep: {
    /** Without a slash at its end. */
    readonly url: string;
    /** Pays for users who have no key of their own; null: they need one. */
    readonly key: string | null;
    /** So often may the service be asked how far tasks are, for each key. */
    readonly checksPerMinute: number;
    /** How long one reply, or silence while a file is fetched, may take. */
    readonly replySeconds: number;
    /** How long a task may take. */
    readonly taskSeconds: number;
    /** How many separations there may be under way at once in one process. */
    readonly concurrency: number;
  };
  readonly registration: 'open' | 'closed';
  readonly maxUploadMb: number;
  readonly maxDurationSeconds: number;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly stemBitDepth: z.infer<typeof stemBitDepth>;
  /** Where networks of the operator's own lie. */
  readonly modelsDir: string;
  /** Where they run. */
  readonly separationDevice: NetworkDevice;
  /** The most memory that a separation by networks may use. */
  readonly separationMemoryMb: number;
  /** Processes of this machine that name the same queue use networks one after the other. */
  readonly separationQueue: string;
  /** How long a separation's process waits for the next job before it ends; 0: each job has one of its own. */
  readonly separationRestSeconds: number;
  /** Defaults of what a user may have. */
  readonly quotas: Quotas;
  /** Disk space that stays free: work that would need it waits. */
  readonly diskMarginBytes: number;
  /** Size of the file that is given up when the disk is full; 0: no such file. */
  readonly diskReserveBytes: number;
  readonly autoAnalyze: boolean;
  readonly autoSeparate: boolean;
  readonly logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
  readonly downloadConcurrency: number;
  readonly processingConcurrency: number;
  readonly analysisConcurrency: number;
  /** Development and tests check replies against their schemas. */
  readonly isProduction: boolean;
}

/** Everything that is wrong with the configuration, a line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`the configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads a configuration from variables. Names that mean nothing to us are ignored, and so is an empty value.
 * Throws {@link ConfigError} with every mistake at once: name, rule and value, but never the value of a secret.
 */
export function parseConfig(
  variables: Readonly<Record<string, string | undefined>>,
  workingFolder: string,
): Config {
  const given = Object.fromEntries(
    Object.keys(environment.shape)
      .map((name) => [name, variables[name]?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => {
        const name = String(issue.path[0]);
        const got = secretNames.has(name) ? '' : ` (got ${JSON.stringify(given[name])})`;
        return `${name} ${issue.message}${got}`;
      }),
    );
  }
  const env = parsed.data;
  const dataDir = resolve(workingFolder, env.DATA_DIR);
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    allowedHosts: env.ALLOWED_HOSTS,
    dataDir,
    uploadsDir: env.UPLOADS_DIR ? resolve(workingFolder, env.UPLOADS_DIR) : join(dataDir, 'uploads'),
    quarantineDays: env.QUARANTINE_DAYS,
    backupsDir: env.BACKUPS_DIR ? resolve(workingFolder, env.BACKUPS_DIR) : join(dataDir, 'backups'),
    isBackingUpBeforeMigrations: env.BACKUP_BEFORE_MIGRATION,
    databaseUrl: env.DATABASE_URL ?? null,
    secretKey: env.SECRET_KEY ?? null,
    previousSecretKeys: env.SECRET_KEY_PREVIOUS,
    catalogFolder: env.CATALOG_FOLDER ? resolve(workingFolder, env.CATALOG_FOLDER) : null,
    catalog: { hosts: env.CATALOG_HOSTS, shortHosts: env.CATALOG_SHORT_HOSTS, scheme: env.CATALOG_SCHEME },
    webCatalog: {
      clientId: env.CATALOG_CLIENT_ID ?? null,
      clientSecret: env.CATALOG_CLIENT_SECRET ?? null,
      apiUrl: env.CATALOG_API_URL,
      tokenUrl: env.CATALOG_TOKEN_URL,
      authorizeUrl: env.CATALOG_AUTHORIZE_URL,
    },
    downloadTool: env.DOWNLOAD_TOOL,
    downloadToolSearch: env.DOWNLOAD_TOOL_SEARCH,
    downloadTimeLimitSeconds: env.DOWNLOAD_TIME_LIMIT_SECONDS,
    ffmpegPath: env.FFMPEG_PATH,
    cloudsep: {
      url: env.CLOUDSEP_URL,
      key: env.CLOUDSEP_KEY ?? null,
      checksPerMinute: env.CLOUDSEP_CHECKS_PER_MINUTE,
      replySeconds: env.CLOUDSEP_REPLY_SECONDS,
      taskSeconds: env.CLOUDSEP_TASK_SECONDS,
      concurrency: env.CLOUDSEP_CONCURRENCY,
    },
    registration: env.REGISTRATION,
    maxUploadMb: env.MAX_UPLOAD_MB,
    maxDurationSeconds: env.MAX_DURATION_SECONDS,
    trustedProxies: env.TRUSTED_PROXIES,
    stemBitDepth: env.STEM_BIT_DEPTH,
    modelsDir: env.MODELS_DIR ? resolve(workingFolder, env.MODELS_DIR) : join(dataDir, 'models'),
    separationDevice: env.SEPARATION_DEVICE,
    separationMemoryMb: env.SEPARATION_MEMORY_MB ?? Math.max(1024, Math.floor(totalmem() / 2e6)),
    separationQueue: 'stem-studio-networks',
    separationRestSeconds: env.SEPARATION_REST_SECONDS,
    quotas: {
      storageBytes: env.QUOTA_STORAGE_GB * 2 ** 30,
      tracks: env.QUOTA_TRACKS,
      queuedJobs: env.QUOTA_QUEUED_JOBS,
      stemSets: env.QUOTA_STEM_SETS,
    },
    diskMarginBytes: env.DISK_MARGIN_MB * 2 ** 20,
    diskReserveBytes: env.DISK_RESERVE_MB * 2 ** 20,
    autoAnalyze: env.AUTO_ANALYZE,
    autoSeparate: env.AUTO_SEPARATE,
    logLevel: env.LOG_LEVEL,
    downloadConcurrency: env.DOWNLOAD_CONCURRENCY,
    processingConcurrency: env.PROCESSING_CONCURRENCY,
    analysisConcurrency: env.ANALYSIS_CONCURRENCY,
    isProduction: env.NODE_ENV === 'production',
  };
}

/**
 * The one place that reads the environment: the process's variables over those of a `.env` file in the working folder.
 */
export function readConfig(workingFolder = process.cwd()): Config {
  const file = join(workingFolder, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  return parseConfig({ ...fromFile, ...process.env }, workingFolder);
}

/**
 * What a child process may know of our environment: where programs and temporary files are, the language, and where
 * Node keeps what it has compiled.
 */
const handedDown = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'LC_ALL',
  'SystemRoot',
  'NODE_COMPILE_CACHE',
];

/** The environment of a child process: never a secret of ours, and what `extra` adds. */
export function childEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const known = handedDown.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(known), ...extra };
}
