#!/usr/bin/env node
/**
 * The command `studio`: the service, its users and keys, and the engines without a service.
 *
 * Exit codes: 0 success, 1 failure, 2 invalid command line, 130 interrupted.
 */
import { messageOf } from '../platform/errors.ts';
import { releaseVersion } from '../platform/release-version.ts';
import { type Command, CommandError, type Terminal, UsageError } from './command.ts';
import { helpText } from './help.ts';
import { parseCommand } from './parse-command.ts';

/** Commands by their first word, loaded on demand, so that separating a file does not load the service. */
const loaders: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import('./service-commands.ts')).serve],
  worker: async () => [(await import('./service-commands.ts')).worker],
  user: async () => {
    const { userAdd, userRole, userReset } = await import('./account-commands.ts');
    const { userQuota } = await import('./quota-command.ts');
    return [userAdd, userRole, userReset, userQuota];
  },
  secrets: async () => [(await import('./secrets-command.ts')).secretsRotate],
  storage: async () => {
    const all = await import('./storage-command.ts');
    const { storageCheck } = await import('./storage-check-command.ts');
    return [storageCheck, all.storageAdopt, all.storageOrphans, all.storageRestore, all.storagePurge];
  },
  token: async () => [(await import('./account-commands.ts')).tokenCreate],
  separate: async () => [(await import('./separate-command.ts')).separate],
  analyze: async () => [(await import('./analyze-command.ts')).analyze],
  mix: async () => [(await import('./mix-command.ts')).mix],
  notes: async () => [(await import('./notes-command.ts')).notes],
  project: async () => {
    const { projectArchiveCommand, projectDaw, projectOpen } = await import('./project-archive-command.ts');
    return [
      (await import('./project-command.ts')).projectMidi,
      projectArchiveCommand,
      projectDaw,
      projectOpen,
    ];
  },
  models: async () => {
    const all = await import('./models-command.ts');
    const { modelsGet } = await import('./networks-command.ts');
    return [all.modelsAdd, modelsGet, all.modelsList, all.modelsRemove, all.modelsCheck, all.models];
  },
  backup: async () => {
    const { backupList, backupVerify, backup } = await import('./backup-command.ts');
    return [backupList, backupVerify, backup];
  },
  restore: async () => [(await import('./restore-command.ts')).restore],
  'upgrade-database': async () => [(await import('./upgrade-command.ts')).upgradeDatabase],
  doctor: async () => [(await import('./doctor-command.ts')).doctor],
};

/** Loads the commands with a first word, or all commands if none has it. */
async function loadCommands(firstWord: string): Promise<readonly Command[]> {
  const load = Object.hasOwn(loaders, firstWord) ? loaders[firstWord] : undefined;
  if (load) return load();
  return (await Promise.all(Object.values(loaders).map((each) => each()))).flat();
}

const interrupted = 130;

/** Returns a function that reports whether a stream still has a reader. EPIPE errors (`| head -1`) are ignored. */
function watchReader(stream: NodeJS.WriteStream): () => boolean {
  let isRead = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isRead = false;
  });
  return () => isRead;
}

/** Returns the message of an expected error, and the stack of an unexpected one. */
function errorText(error: unknown): string {
  const isSystem = typeof (error as NodeJS.ErrnoException).syscall === 'string';
  const isExpected = error instanceof CommandError || isSystem || !(error instanceof Error);
  return isExpected ? messageOf(error) : (error.stack ?? error.message);
}

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--version') {
    process.stdout.write(`${releaseVersion}\n`);
    return 0;
  }
  const commands = await loadCommands(args[0] ?? '');
  const stopping = new AbortController();
  const isStdoutOpen = watchReader(process.stdout);
  const isStderrOpen = watchReader(process.stderr);
  const terminal: Terminal = {
    print(line) {
      if (isStdoutOpen()) process.stdout.write(`${line}\n`);
      return isStdoutOpen();
    },
    log: (line) => void (isStderrOpen() && process.stderr.write(`${line}\n`)),
    signal: stopping.signal,
  };
  try {
    const asked = parseCommand(commands, args);
    if (asked.kind === 'help') {
      terminal.print(helpText(commands, asked.command));
      return 0;
    }
    // The service handles signals itself.
    if (!['serve', 'worker'].includes(asked.command.name)) {
      // A second signal ends the process at once.
      const onSignal = () => {
        if (stopping.signal.aborted) process.exit(interrupted);
        stopping.abort(new Error('interrupted'));
      };
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    }
    return await asked.command.run(asked.given, terminal);
  } catch (error) {
    if (stopping.signal.aborted) {
      terminal.log('interrupted');
      return interrupted;
    }
    if (error instanceof UsageError) {
      terminal.log(`${error.message}\n"studio --help" lists the commands.`);
      return 2;
    }
    terminal.log(errorText(error));
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
