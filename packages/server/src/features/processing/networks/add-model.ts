import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import {
  type InstalledModel,
  installedModel,
  type NetworkContract,
  networkStemTypes,
  networksOfModels,
} from '@stem-studio/contract/separation-weights';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import { hashFile } from '../../../platform/files/hash-file.ts';
import { askNetwork } from './ask-network.ts';
import { findInstalledModel, recordPath } from './installed-models.ts';
import { NetworkRefused } from './network-refused.ts';
import { testNetworks } from './test-networks.ts';

/** Dependencies of adding a model. */
export interface AddOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with a sentence about each step. */
  readonly log: (sentence: string) => void;
  /** Entry of the catalogue that the files were downloaded from; absent for files of the operator's own. */
  readonly network?: InstalledModel['network'];
}

interface Examined {
  readonly path: string;
  readonly contract: NetworkContract;
  readonly beside: readonly string[];
}

/** Inspects one file, which must have the stems of the model. */
async function examine(model: SeparationModelName, path: string, signal: AbortSignal): Promise<Examined> {
  const answer = await askNetwork({ about: 'network', path }, signal);
  if (answer.about !== 'network')
    throw new NetworkRefused(answer.about === 'error' ? answer.message : `${path} cannot be looked at`);
  const { stems } = networksOfModels[model];
  if (answer.stems !== stems)
    throw new NetworkRefused(
      `a network of ${model} must give ${stems} stems (${path} gives ${answer.stems})`,
    );
  return { path, contract: answer.contract, beside: answer.beside };
}

/** Copies a file and flushes it to disk; returns its size and hash. */
async function copyWhole(from: string, to: string): Promise<{ bytes: number; sha256: string }> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
  const handle = await open(to, 'r+');
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 1 << 22 })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
    await handle.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

/**
 * Adds networks for a model. Inspects their shapes, copies them into the folder of models, tests them on short audio
 * and writes their record. They serve the model from the next separation on. A failure leaves the previous state.
 *
 * @param paths one file, or for a bag one per stem in the order of `networkStemTypes`
 * @throws NetworkRefused for files that are not networks of this model
 */
export async function addModel(
  model: SeparationModelName,
  paths: readonly string[],
  { config, clock, signal, log, network }: AddOptions,
): Promise<InstalledModel> {
  const { modelsDir } = config;
  const { networks: count, stems } = networksOfModels[model];
  if (paths.length !== count) {
    const order = count === 1 ? '' : `, in the order ${networkStemTypes[stems].join(', ')}`;
    throw new NetworkRefused(
      `${model} takes ${count} file${count === 1 ? '' : 's'}${order} (got ${paths.length})`,
    );
  }
  const examined: Examined[] = [];
  for (const path of paths) {
    log(`looking at ${basename(path)}`);
    examined.push(await examine(model, path, signal));
  }
  const contract = examined[0]?.contract as NetworkContract;
  if (examined.some((each) => each.contract !== contract))
    throw new NetworkRefused('all networks of a model must be of the same contract (these are not)');

  await mkdir(modelsDir, { recursive: true });
  const staging = await mkdtemp(join(modelsDir, '.adding-'));
  try {
    const folderOf = (index: number): string => (count === 1 ? '' : String(index + 1));
    const files: InstalledModel['files'] = [];
    for (const [index, { path, beside }] of examined.entries()) {
      log(`copying ${basename(path)}`);
      for (const name of ['network.onnx', ...beside]) {
        signal.throwIfAborted();
        if (name === 'network.onnx' && beside.includes(name))
          throw new NetworkRefused(`the values of ${path} must not lie in a file called network.onnx`);
        const from = name === 'network.onnx' ? path : join(dirname(path), name);
        const at = join(folderOf(index), name);
        files.push({ path: at.replaceAll('\\', '/'), ...(await copyWhole(from, join(staging, at))) });
      }
    }
    const graphs = examined.map((_, index) => join(folderOf(index), 'network.onnx').replaceAll('\\', '/'));
    if (new Set(files.filter(({ path }) => graphs.includes(path)).map(({ sha256 }) => sha256)).size < count)
      throw new NetworkRefused('each stem must have a network of its own (the same file was given twice)');
    const networks = graphs.map((path) => join(staging, path));
    const tested = await testNetworks({
      config,
      model,
      contract,
      stems,
      networks,
      folder: staging,
      signal,
      log,
    });
    const digest = createHash('sha256')
      .update(files.map(({ sha256 }) => sha256).join())
      .digest('hex');
    const folder = `${model}-${digest.slice(0, 12)}`;
    const installed = installedModel.parse({
      model,
      contract,
      stems,
      networks: graphs.map((path) => `${folder}/${path}`),
      files: files.map((file) => ({ ...file, path: `${folder}/${file.path}` })),
      added_at: clock.now().toISOString(),
      tested,
      network,
    } satisfies InstalledModel);
    signal.throwIfAborted();
    await rm(join(modelsDir, folder), { recursive: true, force: true });
    await rename(staging, join(modelsDir, folder));
    const before = await findInstalledModel(modelsDir, model);
    await writeRecord(modelsDir, installed);
    if (before.kind === 'installed') await removeFolders(modelsDir, before.installed, folder);
    return installed;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Writes the record of a model atomically. */
async function writeRecord(modelsDir: string, installed: InstalledModel): Promise<void> {
  const path = recordPath(modelsDir, installed.model);
  await writeFile(`${path}.new`, `${JSON.stringify(installed, null, 2)}\n`, { flush: true });
  await rename(`${path}.new`, path);
}

async function removeFolders(modelsDir: string, installed: InstalledModel, but = ''): Promise<void> {
  const folders = new Set(installed.files.map(({ path }) => path.split('/')[0] as string));
  for (const folder of folders)
    if (folder !== but) await rm(join(modelsDir, folder), { recursive: true, force: true });
}

/**
 * Removes the networks of a model; the built-in engine serves it again, where it can. Returns false where there were
 * none.
 */
export async function removeModel(modelsDir: string, model: SeparationModelName): Promise<boolean> {
  const found = await findInstalledModel(modelsDir, model);
  if (found.kind === 'none') return false;
  const text = await readFile(recordPath(modelsDir, model), 'utf8');
  await rm(recordPath(modelsDir, model));
  const known = found.kind === 'installed' ? found.installed : parsedOrNull(text);
  if (known) await removeFolders(modelsDir, known);
  return true;
}

function parsedOrNull(text: string): InstalledModel | null {
  try {
    return installedModel.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Compares every file of a model with its record, and tests the networks again.
 *
 * @returns the new measurements
 * @throws NetworkRefused for the first problem
 */
export async function checkModel(
  installed: InstalledModel,
  { config, signal, log }: AddOptions,
): Promise<InstalledModel['tested']> {
  const { modelsDir } = config;
  for (const { path, sha256 } of installed.files) {
    log(`reading ${path}`);
    const { sha256: found } = await hashFile(join(modelsDir, path), signal);
    if (found !== sha256)
      throw new NetworkRefused(`${path} must have the sha256 ${sha256} (got ${found}): add it again`);
  }
  const folder = await mkdtemp(join(modelsDir, '.checking-'));
  try {
    const networks = installed.networks.map((path) => join(modelsDir, path));
    const { model, contract, stems } = installed;
    return await testNetworks({ config, model, contract, stems, networks, folder, signal, log });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
