import { readConfig } from '../config.ts';
import { checkStorage, type StorageReport } from '../features/storage-check/index.ts';
import { ConfigError } from '../platform/config.ts';
import { findLockHolder } from '../platform/process/directory-lock.ts';
import { type Command, CommandError } from './command.ts';
import { withContext } from './with-context.ts';

function linesOf({ checked, findings, seconds }: StorageReport): string[] {
  const rows = Object.entries(checked).map(([name, count]) => `${count} ${name}`);
  const summary = `${findings.length === 0 ? 'nothing found' : `${findings.length} found`} in ${rows.join(', ')} (${seconds.toFixed(1)} s)`;
  const kinds = Map.groupBy(findings, ({ kind }) => kind);
  const lines = [...kinds].flatMap(([kind, some]) => [
    `${kind}: ${some[0]?.repair ?? ''}`,
    ...some.map(({ subject, detail }) => `  ${subject}: ${detail}`),
  ]);
  return [...lines, summary];
}

async function isServiceHere(): Promise<boolean> {
  try {
    const { databaseUrl, dataDir } = readConfig();
    // With a database of the operator's own, the service may run on any machine.
    return databaseUrl !== null || (await findLockHolder(dataDir)) !== null;
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message);
    throw error;
  }
}

/** Compares the rows, files and queue of the service. Changes nothing. */
export const storageCheck: Command = {
  name: 'storage check',
  operands: [],
  summary: 'Compare rows, files and queue, and list what does not agree',
  options: {
    json: { type: 'boolean', help: 'Print one JSON object instead of lines' },
    'quiet-service': {
      type: 'boolean',
      help: 'The service has nothing to do: report work under way and young files too',
    },
  },
  notes: [
    'Changes nothing; says for each finding what repairs it. Exit code 0 when nothing is found, 1 otherwise. While the',
    'service runs, work under way and files younger than 15 minutes are left out; while it is stopped, nothing is.',
  ],
  async run(given, terminal) {
    const isQuiet = given.has('quiet-service') || !(await isServiceHere());
    const report = await withContext((context) => checkStorage(context, { isQuiet }));
    if (given.has('json')) terminal.print(JSON.stringify(report));
    else for (const line of linesOf(report)) if (!terminal.print(line)) break;
    return report.findings.length === 0 ? 0 : 1;
  },
};
