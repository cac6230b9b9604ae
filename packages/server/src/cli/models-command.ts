import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type SeparationModelName,
  separationModel,
  separationModelNames,
  separationModels,
} from '@stem-studio/contract/separation-models';
import type { InstalledModel } from '@stem-studio/contract/separation-weights';
import {
  addModel,
  checkModel,
  chooseBackend,
  describeModel,
  findInstalledModel,
  NetworkRefused,
  removeModel,
} from '../features/processing/standalone.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { type Command, CommandError, type Terminal, UsageError } from './command.ts';
import { printNetworks, removeNamedNetwork } from './networks-command.ts';
import { readSettings } from './read-settings.ts';

const notice = [
  'Networks are works of their authors. Many available ones, including those of the Demucs project, are',
  'published for research only, whatever the licence of the code beside them says. Whether you may use this one,',
  'and let others use it, is for you to find out.',
];

function modelOf(word: string | undefined): SeparationModelName {
  const found = separationModel.safeParse(word);
  if (!found.success) throw new UsageError(`MODEL must be ${separationModelNames.join(', ')} (got ${word})`);
  return found.data;
}

/** Prints the notice unless it was already printed for this folder of models. */
async function showNoticeOnce({ modelsDir }: Config, terminal: Terminal): Promise<void> {
  const shown = join(modelsDir, '.notice-shown');
  const isShown = await access(shown).then(
    () => true,
    () => false,
  );
  if (isShown) return;
  for (const line of notice) terminal.log(line);
  await mkdir(modelsDir, { recursive: true });
  await writeFile(shown, '');
}

/** Converts a rejected network to a CommandError. */
function rethrowRefusal(error: unknown): never {
  throw error instanceof NetworkRefused ? new CommandError(error.message) : error;
}

function describeTest({
  keeping_memory: keeping,
  freeing_memory: freeing,
}: InstalledModel['tested']): string {
  const part = ({ segment_ms: ms, peak_mb: mb }: typeof freeing): string =>
    `${(ms / 1000).toFixed(2)} s for 7.8 s of audio in ${Math.ceil(mb)} MB`;
  return keeping === null ? part(freeing) : `${part(keeping)}, or ${part(freeing)}`;
}

/** Lists the models of the local engine, each with the backend that serves it. */
export const models: Command = {
  name: 'models',
  operands: [],
  summary: 'List the separation models, and what serves them',
  options: {
    json: { type: 'boolean', help: 'As JSON' },
    networks: { type: 'boolean', help: 'The networks that "studio models get" can download instead' },
  },
  async run(given, terminal) {
    const config = readSettings();
    if (given.has('networks')) {
      await printNetworks(config, terminal, given.has('json'));
      return 0;
    }
    const all = await Promise.all(
      separationModelNames.map(async (name) => {
        const choice = await chooseBackend(config, name);
        const { backend, note } = choice;
        const { stemTypes: stems } = separationModels[name];
        const description = describeModel(name, choice);
        return { name, available: backend !== null, stems, description, backend, note };
      }),
    );
    if (given.has('json')) terminal.print(JSON.stringify(all));
    else
      for (const { name, stems, description, available, note } of all) {
        terminal.print(`${available ? '✔' : '–'} ${name.padEnd(12)} ${stems.length} stems  ${description}`);
        if (available && note !== null) terminal.print(`${' '.repeat(15)}${note}`);
      }
    terminal.log('"studio models list --networks" lists networks that can be downloaded');
    return 0;
  },
};

/** Alias of {@link models}, next to the other commands of the group. */
export const modelsList: Command = { ...models, name: 'models list' };

/** Adds networks supplied by the operator. */
export const modelsAdd: Command = {
  name: 'models add',
  operands: ['MODEL', 'FILE…'],
  summary: 'Let networks of your own (ONNX files) separate instead of the built-in engine',
  options: {},
  notes: [
    'One file for hybrid_4, alt_4 (four stems) and hybrid_6 (six); for hybrid_4_ft four files, one for each stem, in',
    'the order drums, bass, other, vocals. Files of values beside them are taken along. Each is looked at, copied to',
    'MODELS_DIR and tested on a short audio clip. A file that cannot be used is refused and not stored.',
  ],
  async run(given, terminal) {
    const model = modelOf(given.operands[0]);
    const paths = given.operands.slice(1).map((word) => resolve(word));
    const config = readSettings();
    for (const path of paths) {
      const facts = await stat(path).catch(() => null);
      if (!facts?.isFile()) throw new CommandError(`a network must be an existing file (got ${path})`);
    }
    await showNoticeOnce(config, terminal);
    const options = {
      config,
      clock: systemClock,
      signal: terminal.signal,
      log: (line: string) => terminal.log(line),
    };
    const installed = await addModel(model, paths, options).catch(rethrowRefusal);
    for (const { path, sha256 } of installed.files) terminal.print(`${sha256}  ${path}`);
    terminal.log(`${model} is served by it from the next separation on: ${describeTest(installed.tested)}`);
    return 0;
  },
};

/** Removes added networks. */
export const modelsRemove: Command = {
  name: 'models remove',
  operands: ['NAME'],
  summary: 'Remove the networks of a model, or a downloaded network by its name',
  options: {},
  async run(given, terminal) {
    const config = readSettings();
    const [name] = given.operands as [string];
    if (!separationModel.safeParse(name).success && (await removeNamedNetwork(config, name, terminal)))
      return 0;
    const model = modelOf(name);
    if (!(await removeModel(config.modelsDir, model)))
      throw new CommandError(`no networks have been added for ${model}`);
    terminal.log(`the networks of ${model} were removed`);
    return 0;
  },
};

/** Checks that added networks are unchanged and still work. */
export const modelsCheck: Command = {
  name: 'models check',
  operands: [],
  summary: 'Check all files of the installed networks and test each on a short audio clip',
  options: {},
  async run(_given, terminal) {
    const config = readSettings();
    let bad = 0;
    let count = 0;
    for (const model of separationModelNames) {
      const found = await findInstalledModel(config.modelsDir, model);
      if (found.kind === 'none') continue;
      count++;
      try {
        if (found.kind === 'broken') throw new NetworkRefused(found.why);
        const options = {
          config,
          clock: systemClock,
          signal: terminal.signal,
          log: (line: string) => terminal.log(line),
        };
        terminal.print(`✔ ${model.padEnd(12)} ${describeTest(await checkModel(found.installed, options))}`);
      } catch (error) {
        if (!(error instanceof NetworkRefused)) throw error;
        terminal.print(`✖ ${model.padEnd(12)} ${error.message}`);
        bad++;
      }
    }
    if (count === 0)
      terminal.log('no networks have been added: the built-in engine serves every model it can');
    return bad === 0 ? 0 : 1;
  },
};
