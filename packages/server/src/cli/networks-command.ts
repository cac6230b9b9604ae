import { createInterface } from 'node:readline/promises';
import { byteText } from '@stem-studio/contract/byte-text';
import { type SeparationModelName, separationModel } from '@stem-studio/contract/separation-models';
import {
  type CatalogueEntry,
  CatalogueError,
  downloadSize,
  findCatalogueEntry,
  type InstallProgress,
  installedBytes,
  installNetwork,
  listServedModels,
  NetworkBusyError,
  NetworkRefused,
  partialBytes,
  readCatalogue,
  removeNetwork,
} from '../features/processing/standalone.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { DownloadError } from '../platform/http/download-request.ts';
import { type Command, CommandError, type Given, type Terminal, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { readSettings } from './read-settings.ts';

const expected = [DownloadError, NetworkRefused, NetworkBusyError, CatalogueError];

/** Converts an expected failure to a CommandError. */
function asCommandError(error: unknown): unknown {
  return expected.some((kind) => error instanceof kind) ? new CommandError((error as Error).message) : error;
}

/** Returns the size of a download as text, such as `316.4 MB` or `up to 180 MB`. */
function sizeText(entry: CatalogueEntry): string {
  const { bytes, isExact } = downloadSize(entry);
  return `${isExact ? '' : 'up to '}${byteText(bytes)}`;
}

/** Returns the bytes of a running download as text, such as `12 MB of 316.4 MB`. */
function ofTotal({ done, total }: NonNullable<InstallProgress['bytes']>): string {
  return total === null ? byteText(done) : `${byteText(done)} of ${byteText(total)}`;
}

/** Returns the entries of the catalogue, as `models list --networks` prints them. */
async function listEntries(config: Config) {
  const entries = await readCatalogue(config).catch((error: unknown) => {
    throw asCommandError(error);
  });
  return Promise.all(
    entries.map(async (entry) => {
      const served = await listServedModels(config, entry.name);
      const { bytes, isExact } = downloadSize(entry);
      return {
        name: entry.name,
        title: entry.title,
        about: entry.about,
        stems: entry.stems,
        serves: entry.serves,
        licence: entry.licence,
        download_bytes: bytes,
        is_exact: isExact,
        partial_bytes: await partialBytes(config, entry),
        installed_bytes: installedBytes(served),
        installed_for: served.map(({ model }) => model),
        size: sizeText(entry),
      };
    }),
  );
}

/** Prints the networks that can be downloaded, and which of them are installed. */
export async function printNetworks(config: Config, terminal: Terminal, asJson: boolean): Promise<void> {
  const entries = await listEntries(config);
  if (asJson) {
    terminal.print(JSON.stringify(entries.map((entry) => ({ ...entry, size: undefined }))));
    return;
  }
  for (const { name, title, size, serves, licence, partial_bytes, installed_for } of entries) {
    const isInstalled = installed_for.length > 0;
    const state = isInstalled
      ? `serves ${installed_for.join(', ')}`
      : partial_bytes > 0
        ? `${byteText(partial_bytes)} downloaded, not installed`
        : `can serve ${serves.join(', ')}`;
    terminal.print(`${isInstalled ? '✔' : ' '} ${name.padEnd(24)} ${size.padEnd(16)} ${title}: ${state}`);
    terminal.print(`${' '.repeat(27)}${licence.name}${licence.must_accept ? ', to be accepted' : ''}`);
  }
}

/** Finds an entry, or fails with the names that exist. */
async function entryNamed(config: Config, name: string): Promise<CatalogueEntry> {
  const entry = await findCatalogueEntry(config, name).catch((error: unknown) => {
    throw asCommandError(error);
  });
  if (entry) return entry;
  const names = (await readCatalogue(config)).map((one) => one.name);
  throw new UsageError(`NAME must be ${names.join(', ')} (got ${name})`);
}

/** Returns the model that the network will serve: that of `--for`, or the first one of its entry. */
function modelFor(entry: CatalogueEntry, given: Given): SeparationModelName {
  const word = given.text('for');
  const model = separationModel.safeParse(word ?? entry.serves[0]);
  if (!model.success || !entry.serves.includes(model.data))
    throw new UsageError(`--for must be ${entry.serves.join(' or ')} (got ${word})`);
  return model.data;
}

/** Prints the terms, and asks for them where they must be accepted. */
async function requireLicence(entry: CatalogueEntry, given: Given, terminal: Terminal): Promise<void> {
  const { name, notice, must_accept: mustAccept, url } = entry.licence;
  terminal.log(`Licence: ${name}`);
  terminal.log(notice);
  terminal.log(url);
  if (!mustAccept || given.has('accept-licence')) return;
  if (!process.stdin.isTTY)
    throw new CommandError('nothing was downloaded: accept these terms with --accept-licence');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question('Do you accept these terms? [y/N] ', { signal: terminal.signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('nothing was downloaded');
  } finally {
    reader.close();
  }
}

/** Downloads a network of the catalogue and lets it serve a model. */
export const modelsGet: Command = {
  name: 'models get',
  operands: ['NAME'],
  summary: 'Download a network of the catalogue, and let it separate instead of the built-in engine',
  options: {
    for: { type: 'string', value: 'MODEL', help: 'The model that it serves, if there is a choice' },
    'accept-licence': { type: 'boolean', help: 'Accept the terms without a question' },
  },
  notes: [
    '"studio models list --networks" prints the names. The terms are printed first; where they must be accepted,',
    'the command asks. Ctrl+C keeps what has arrived, and the same command goes on from there. The file is checked',
    'by its SHA-256 and tested on a short audio clip; a network that cannot be used changes nothing.',
  ],
  async run(given, terminal) {
    const config = readSettings();
    const entry = await entryNamed(config, given.operands[0] as string);
    const model = modelFor(entry, given);
    await requireLicence(entry, given, terminal);
    const progress = createProgress(process.stderr);
    try {
      const installed = await installNetwork(entry, model, {
        config,
        clock: systemClock,
        signal: terminal.signal,
        onProgress: ({ fraction, stage, bytes, etaSeconds }) => {
          // Without a terminal, each new stage is a line.
          const detail = bytes && process.stderr.isTTY ? `: ${ofTotal(bytes)}` : '';
          progress.report(fraction, stage + detail, etaSeconds);
        },
      });
      progress.end();
      for (const { path, sha256 } of installed.files) terminal.print(`${sha256}  ${path}`);
      terminal.log(`${model} is served by ${entry.title} from the next separation on`);
      return 0;
    } catch (error) {
      progress.end();
      const kept = await partialBytes(config, entry);
      if (kept > 0)
        terminal.log(
          `${byteText(kept)} are kept: "studio models get ${entry.name}" goes on from there, "studio models remove ${entry.name}" deletes them`,
        );
      throw asCommandError(error);
    }
  },
};

/**
 * Removes a network of the catalogue and what has been downloaded of it. Returns false if the catalogue has no network
 * of this name.
 */
export async function removeNamedNetwork(config: Config, name: string, terminal: Terminal): Promise<boolean> {
  const entry = await findCatalogueEntry(config, name).catch((error: unknown) => {
    throw asCommandError(error);
  });
  if (!entry) return false;
  const freed = await removeNetwork(config, entry).catch((error: unknown) => {
    throw asCommandError(error);
  });
  if (freed === 0) throw new CommandError(`${name} is not installed`);
  terminal.log(`${entry.title} is removed: ${byteText(freed)} are free again`);
  return true;
}
