import { createWriteStream } from 'node:fs';
import { access, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { dawprojectLosses } from '@stem-studio/contract/projects/dawproject-losses';
import { openArchive, prepareArchive, prepareDawproject, type StoredZip } from '../features/exports/index.ts';
import { readProject, readProjectLog } from '../features/projects/index.ts';
import { ServiceError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { userOf } from './account-commands.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { withFolderBeside } from './folder-beside.ts';
import { loadWorkers } from './load-workers.ts';
import { outPathOf } from './out-path.ts';
import { projectIdOf, projectNote } from './project-operand.ts';
import { withContext } from './with-context.ts';

/** Runs `work`; a refusal of the service becomes an error of the command. */
async function asCommand<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError ? new CommandError(error.message) : error;
  }
}

/** Writes a ZIP of stored files to a path, which never holds a part of it. */
async function writeZip(zip: StoredZip, outPath: string, signal: AbortSignal): Promise<void> {
  try {
    await withFolderBeside(outPath, async (folder) => {
      const temporaryPath = join(folder, 'project.zip');
      await pipeline(zip.stream(), createWriteStream(temporaryPath), { signal });
      await rename(temporaryPath, outPath);
    });
  } finally {
    await zip.release();
  }
}

/** Writes a project of the editor with its audio to a ZIP. */
export const projectArchiveCommand: Command = {
  name: 'project archive',
  operands: ['PROJECT'],
  summary: 'Write a project of the editor with its audio to a ZIP',
  options: { out: { type: 'string', value: 'FILE', help: 'The ZIP that is written' } },
  notes: [projectNote],
  async run(given, terminal) {
    const id = projectIdOf(given);
    const outPath = outPathOf(given, 'the ZIP that is written');
    await withContext((context) =>
      asCommand(async () => {
        const logged = await readProjectLog(context, id);
        if (!logged) throw new CommandError(`no project has the id ${id}`);
        await writeZip(await prepareArchive(context, logged), outPath, terminal.signal);
      }),
    );
    terminal.print(outPath);
    return 0;
  },
};

/** Writes a project of the editor to a DAWproject, and what that does not hold to the standard error. */
export const projectDaw: Command = {
  name: 'project daw',
  operands: ['PROJECT'],
  summary: 'Write a project of the editor to a DAWproject for another DAW',
  options: { out: { type: 'string', value: 'FILE', help: 'The DAWproject that is written' } },
  notes: [projectNote, 'What the format does not hold is listed on the standard error.'],
  async run(given, terminal) {
    const id = projectIdOf(given);
    const outPath = outPathOf(given, 'the DAWproject that is written');
    const losses = await withContext((context) =>
      asCommand(async () => {
        const project = await readProject(context, id);
        if (!project) throw new CommandError(`no project has the id ${id}`);
        await writeZip(await prepareDawproject(context, project), outPath, terminal.signal);
        return dawprojectLosses(project.state);
      }),
    );
    for (const loss of losses) terminal.log(`not included: ${loss}`);
    terminal.print(outPath);
    return 0;
  },
};

/** Opens a project archive as a new track of a user. */
export const projectOpen: Command = {
  name: 'project open',
  operands: ['FILE'],
  summary: 'Open a project archive as a new track of a user',
  options: { user: { type: 'string', value: 'EMAIL', help: 'The user whose library gets the track' } },
  notes: ['The song is prepared by the running service, or when it is started next.'],
  async run(given, terminal) {
    const email = given.text('user');
    if (email === null) throw new UsageError('--user must be given: the email address of an account');
    const path = resolve(given.operands[0] ?? '');
    await access(path);
    const opened = await withContext(
      (context) =>
        asCommand(async () => {
          const { id: userId } = await userOf(context, email);
          const { signal } = terminal;
          return openArchive(context, { path, userId, sourceId: newId(), signal });
        }),
      await loadWorkers(),
    );
    terminal.print(`track ${opened.track_id}`);
    terminal.print(`project ${opened.project_id}`);
    return 0;
  },
};
