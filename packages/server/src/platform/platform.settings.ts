import { resolve } from 'node:path';
import { uploadDefaults } from '@stem-studio/contract/limits';
import { z } from 'zod';
import {
  commaList,
  folderSetting,
  nameList,
  onOff,
  optionalSetting,
  type Setting,
  setting,
  webAddress,
  wholeNumber,
} from './settings.ts';

const masterKey = 'must have at least 32 characters';
const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
const megabytes = (max: number) => wholeNumber(0, max).transform((count) => count * 2 ** 20);

/** Setting `DATA_DIR`, against which other folders are resolved. */
export const dataDirSetting: Setting<string> = {
  name: 'DATA_DIR',
  about:
    'Where everything is kept: the database, uploads, stems, the key file. "studio backup" backs it up. Started as root, the service may keep its database elsewhere, with a link here: "studio doctor" says where',
  default: './data',
  isSecret: false,
  read: (text, { workingFolder }) => resolve(workingFolder, text ?? './data'),
};

/** Settings of the platform. */
export const platformSettings = {
  port: setting('PORT', wholeNumber(0, 65_535, 'must be a port, 0 to 65535 (0 takes a free one)'), {
    default: '4000',
    about: 'Port on which the service listens; 0 takes a free one',
  }),
  host: setting('HOST', z.string(), {
    default: '127.0.0.1',
    about: 'Address on which the service listens',
  }),
  /** Without a trailing slash; null for the address on which the service listens. */
  publicUrl: optionalSetting('PUBLIC_URL', webAddress, {
    about:
      'The address under which browsers reach the service, when that is another one (behind a proxy): https://studio.example.org',
  }),
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    commaList.refine(
      (list) =>
        list.every((entry) => /^[0-9a-fA-F.:]+(\/\d{1,3})?$|^(loopback|linklocal|uniquelocal)$/.test(entry)),
      'must be addresses, networks such as 10.0.0.0/8, or loopback, with commas between',
    ),
    {
      default: '',
      about:
        'Addresses or networks whose X-Forwarded-For is believed, with commas between: loopback, 10.0.0.0/8',
    },
  ),
  /** In lower case. */
  allowedHosts: setting(
    'ALLOWED_HOSTS',
    nameList.refine(
      (list) => list.every((entry) => /^\.?[a-z0-9-]+([.][a-z0-9-]+)*$|^\[?[0-9a-f:]+\]?$/.test(entry)),
      'must be host names or addresses without ports, with commas between; .example.org is a name and its subdomains',
    ),
    {
      default: '',
      about:
        'Names under which requests are answered, beside the host of PUBLIC_URL, localhost and the address of the machine itself, with commas between; .example.org is that name and all its subdomains: nas.local,192.168.1.20,.studio.lan',
    },
  ),
  dataDir: dataDirSetting,
  uploadsDir: folderSetting('UPLOADS_DIR', {
    inside: 'uploads',
    about: 'Audio files, when they belong on another disk. Default: uploads inside DATA_DIR',
  }),
  quarantineDays: setting('QUARANTINE_DAYS', wholeNumber(1, 3650), {
    default: '30',
    about:
      'How many days stored folders that no record of the database names stay in the quarantine before they are deleted',
  }),
  backupsDir: folderSetting('BACKUPS_DIR', {
    inside: 'backups',
    about: 'Where "studio backup" writes, best on another disk. Default: backups inside DATA_DIR',
  }),
  isBackingUpBeforeMigrations: setting('BACKUP_BEFORE_MIGRATION', onOff, {
    default: 'on',
    about:
      'Whether the database is backed up, into that folder, before a new version changes its schema: on or off',
  }),
  /** Null for the embedded PostgreSQL in the data directory. */
  databaseUrl: optionalSetting(
    'DATABASE_URL',
    z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://'),
    {
      isSecret: true,
      about:
        "A PostgreSQL of yours: postgres://user:password@host/database. Default: one of the service's own inside DATA_DIR",
    },
  ),
  /** Null for the service's own key file in the data directory. */
  secretKey: optionalSetting('SECRET_KEY', z.string().min(32, masterKey), {
    isSecret: true,
    about:
      "At least 32 characters; secrets are encrypted with it. Default: a key file of the service's own inside DATA_DIR",
  }),
  /** Former keys, which can still decrypt. */
  previousSecretKeys: setting(
    'SECRET_KEY_PREVIOUS',
    commaList.refine(
      (list) => list.every((key) => key.length >= 32),
      'must be keys of at least 32 characters each, with commas between',
    ),
    {
      default: '',
      isSecret: true,
      about:
        'Earlier keys, with commas between: what is encrypted with them can still be read, until "studio secrets rotate" has run',
    },
  ),
  maxUploadMb: setting('MAX_UPLOAD_MB', wholeNumber(1, 65_536), {
    default: String(uploadDefaults.maxUploadMb),
    about: 'The largest file that is accepted, in MB',
  }),
  maxDurationSeconds: setting('MAX_DURATION_SECONDS', wholeNumber(1, 86_400), {
    default: String(uploadDefaults.maxDurationSeconds),
    about: 'The longest audio that is accepted, in seconds',
  }),
  /** Path, or name that is searched in PATH; the program may be missing. */
  ffmpegPath: setting('FFMPEG_PATH', z.string(), {
    default: 'ffmpeg',
    about:
      'ffmpeg decodes M4A and AAC files, where there is one: a path, or a name in PATH. All other formats need no program',
  }),
  modelsDir: folderSetting('MODELS_DIR', {
    inside: 'models',
    about:
      'Networks of your own that separate in place of the built-in engine ("studio models add"). Default: models inside DATA_DIR',
  }),
  /** In bytes. */
  diskMarginBytes: setting('DISK_MARGIN_MB', megabytes(1_048_576), {
    default: '256',
    about: 'Disk space that stays free: a job that would need it waits, an upload is refused',
  }),
  /** In bytes; 0 for no reserve file. */
  diskReserveBytes: setting('DISK_RESERVE_MB', megabytes(4096), {
    default: '64',
    about:
      'Size of a file that is deleted first when the disk is full, so that deleting works then. 0: no such file',
  }),
  logLevel: setting('LOG_LEVEL', z.enum(levels, { error: `must be ${orList(levels)}` }), {
    default: 'info',
    about: 'silent, fatal, error, warn, info, debug or trace',
  }),
};

function orList(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
