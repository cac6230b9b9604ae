import { createWriteStream } from 'node:fs';
import { access, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { uuid } from '@stem-studio/contract/ids';
import { openArchive, prepareArchive } from '../features/exports/index.ts';
import { readProjectLog } from '../features/projects/index.ts';
import { ServiceError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { userOf } from './account-commands.ts';
import { type Command, CommandError, type Given, UsageError } from './command.ts';
import { withFolderBeside } from './folder-beside.ts';
import { loadWorkers } from './load-workers.ts';
import { withContext } from './with-context.ts';

/** Returns the id of a project from the first argument. Throws `UsageError`. */
export function projectIdOf(given: Given): string {
  const id = uuid.safeParse(given.operands[0]);
  if (!id.success) throw new UsageError(`PROJECT must be the id of a project (got ${given.operands[0]})`);
  return id.data;
}

/** Returns the path that `--out` names. Throws `UsageError`. */
export function outPathOf(given: Given, what: string): string {
  const out = given.text('out');
  if (out === null) throw new UsageError(`--out must be given: ${what} that is written`);
  return resolve(out);
}

/** Runs `work`; a refusal of the service becomes an error of the command. */
export async function asCommand<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError ? new CommandError(error.message) : error;
  }
}

/** Writes a project of the editor with its audio to a ZIP. */
export const projectArchiveCommand: Command = {
  name: 'project archive',
  operands: ['PROJECT'],
  summary: 'Write a project of the editor with its audio to a ZIP',
  options: { out: { type: 'string', value: 'FILE', help: 'The ZIP that is written' } },
  notes: ['PROJECT is the id of a project, as GET /api/tracks/:id/projects lists it.'],
  async run(given, terminal) {
    const id = projectIdOf(given);
    const outPath = outPathOf(given, 'the ZIP');
    await withContext((context) =>
      asCommand(async () => {
        const logged = await readProjectLog(context, id);
        if (!logged) throw new CommandError(`no project has the id ${id}`);
        const archive = await prepareArchive(context, logged);
        try {
          await withFolderBeside(outPath, async (folder) => {
            const temporaryPath = join(folder, 'project.zip');
            await pipeline(archive.stream(), createWriteStream(temporaryPath), { signal: terminal.signal });
            await rename(temporaryPath, outPath);
          });
        } finally {
          await archive.release();
        }
      }),
    );
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
