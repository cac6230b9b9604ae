import { readConfig } from '../config.ts';
import { catalogRedirectUri } from '../features/accounts/standalone.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { findLockHolder } from '../platform/process/directory-lock.ts';
import { checkNetworks } from './check-networks.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkQuarantine, checkStorage } from './check-storage.ts';
import {
  checkDatabase,
  checkFolder,
  checkOptionalFolder,
  checkPage,
  checkPort,
  checkProgram,
  checkSecretKey,
  type Finding,
} from './checks.ts';
import { type Command, CommandError } from './command.ts';

const marks: Readonly<Record<Finding['state'], string>> = { good: '✔', note: '–', bad: '✖' };

const notRunning: Finding = { state: 'note', says: 'not running here' };

function checkWebCatalog(config: Config): Finding {
  const { clientId, clientSecret } = config.webCatalog;
  if (clientId !== null && clientSecret !== null) {
    const says = `credentials are set; redirect address ${catalogRedirectUri(config)}`;
    return { state: 'good', says };
  }
  const says = 'not checked: CATALOG_CLIENT_ID and CATALOG_CLIENT_SECRET are not both set';
  return { state: clientId === clientSecret ? 'note' : 'bad', says };
}

/** Reports the address of the cloud service and whose key pays for it. Sends no request. */
function checkCloud({ cloudsep }: Config): Finding {
  if (cloudsep.key !== null)
    return { state: 'good', says: `${cloudsep.url}; CLOUDSEP_KEY pays for everybody` };
  return { state: 'note', says: `${cloudsep.url}; users need keys of their own: CLOUDSEP_KEY is not set` };
}

function read(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(`✖ ${error.message}`);
    throw error;
  }
}

/** Checks everything that the service needs. Changes nothing and prints no secret. */
export const doctor: Command = {
  name: 'doctor',
  operands: [],
  summary: 'Check the settings and the machine, and report what is missing or wrong',
  options: {},
  notes: [
    '✔ works, – optional and not set up, ✖ must be repaired (then the exit code is 1). No secret is ever printed.',
  ],
  async run(_given, terminal) {
    const config = read();
    const holder = await findLockHolder(config.dataDir);
    const isRunning = holder !== null;
    const findings: readonly (readonly [string, Finding])[] = [
      ['node', { state: 'good', says: `${process.version} on ${process.platform} ${process.arch}` }],
      ['service', holder === null ? notRunning : { state: 'good', says: `running (${holder})` }],
      ['data', await checkFolder(config.dataDir)],
      ['uploads', await checkFolder(config.uploadsDir)],
      ['database', await checkDatabase(config, isRunning)],
      ['storage', await checkStorage(config, isRunning)],
      ['quarantine', await checkQuarantine(config)],
      ['secret key', await checkSecretKey(config)],
      ['secrets', await checkSecrets(config, isRunning)],
      ['port', await checkPort(config, isRunning)],
      ['page', await checkPage()],
      ['folder catalog', await checkOptionalFolder(config.catalogFolder, 'CATALOG_FOLDER is not set')],
      ['web catalog', checkWebCatalog(config)],
      ['cloud', checkCloud(config)],
      [
        'download tool',
        await checkProgram(config.downloadTool, ['--version'], 'web catalog tracks cannot be fetched'),
      ],
      ['networks', await checkNetworks(config)],
      ['ffmpeg', await checkProgram(config.ffmpegPath, ['-version'], 'M4A/AAC cannot be read')],
    ];
    for (const [name, { state, says }] of findings)
      terminal.print(`${marks[state]} ${name.padEnd(15)} ${says}`);
    return findings.some(([, { state }]) => state === 'bad') ? 1 : 0;
  },
};
