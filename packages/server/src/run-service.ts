import { type App, createApp, wiringOf } from './app.ts';
import { createContext } from './context.ts';
import { createAuthenticator, createSetupLink } from './features/accounts/index.ts';
import { features } from './features.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { warnOfLostKeys } from './platform/crypto/lost-keys.ts';
import type { Connection } from './platform/db/connection.ts';
import { migrate } from './platform/db/migrate.ts';
import { messageOf } from './platform/errors.ts';
import { stagingSeconds } from './platform/files/staging.ts';
import { createLog } from './platform/log.ts';
import { NoPostgresError } from './platform/postgres/binaries.ts';
import { prepareCluster } from './platform/postgres/cluster.ts';
import { startOwnPostgres } from './platform/postgres/own-postgres.ts';
import { DirectoryLockedError, lockDirectory } from './platform/process/directory-lock.ts';

/** What this process does: answer requests, work on jobs, or both. */
interface Role {
  readonly isServing: boolean;
  readonly isWorking: boolean;
}

const roles: Readonly<Record<string, Role>> = {
  '': { isServing: true, isWorking: true },
  serve: { isServing: true, isWorking: false },
  worker: { isServing: false, isWorking: true },
};

/** Undone in the opposite order when the process ends. */
type Undo = () => Promise<void>;

/** Lines for the person at the terminal; the log goes to the standard error. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function openDatabaseServer(config: Config, role: Role, undo: Undo[]): Promise<Connection> {
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl };
  const log = createLog(config.logLevel);
  if (!role.isServing) {
    // A worker beside the service uses the service's database; it neither starts nor stops it.
    const cluster = await prepareCluster(
      config.dataDir,
      log,
      process.platform === 'win32' ? 'tcp' : 'socket',
    );
    return cluster.connection;
  }
  undo.push(await lockDirectory(config.dataDir));
  const own = await startOwnPostgres({ dataDir: config.dataDir, log });
  undo.push(() => own.stop());
  return own.connection;
}

async function start(config: Config, role: Role, undo: Undo[]): Promise<void> {
  const connection = await openDatabaseServer(config, role, undo);
  await migrate(connection);
  const { context, close } = await createContext(config, { connection, ...wiringOf(features) });
  undo.push(close);
  await warnOfLostKeys(context);
  if (role.isServing) {
    const app: App = await createApp(context, features, createAuthenticator(context));
    undo.push(() => app.stop());
    const address = await app.listen(config.port, config.host);
    await app.startFeatures();
    const publicAddress = config.publicUrl ?? address;
    say(`Stem Studio: ${publicAddress}`);
    const setupLink = await createSetupLink(context, publicAddress);
    if (setupLink !== null) say(`Set up the first account (once): ${setupLink}`);
  }
  if (role.isWorking) {
    await context.queue.start(context);
    undo.push(() => context.queue.stop());
    if (!role.isServing) {
      // What a worker that was killed has left; the service does the same at its start.
      await context.files.sweep(stagingSeconds);
      say('Stem Studio: worker');
    }
  }
}

async function stop(undo: Undo[]): Promise<void> {
  for (const step of undo.splice(0).reverse()) {
    await step().catch((error: unknown) => process.stderr.write(`while stopping: ${messageOf(error)}\n`));
  }
}

/** What went wrong in words where it was to be expected, with its trace where it was not. */
function explain(error: unknown): string {
  const isExpected =
    error instanceof ConfigError || error instanceof NoPostgresError || error instanceof DirectoryLockedError;
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code === 'EADDRINUSE')
    return `port ${String(port)} is taken: set PORT to another one (0 takes a free one)`;
  return isExpected || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message);
}

/**
 * Runs the service until it is told to end; then the process ends.
 *
 * @param name `serve` answers requests and does no jobs, `worker` does jobs, the empty name does both
 */
export async function runService(name: string): Promise<void> {
  const role = roles[name];
  if (!role)
    throw new ConfigError([`the role must be serve, worker or nothing (got ${JSON.stringify(name)})`]);
  const undo: Undo[] = [];
  let ending: Promise<void> | undefined;
  const end = (code: number) => {
    ending ??= stop(undo).then(() => process.exit(code));
    return ending;
  };
  // A second signal while we stop is impatience: end at once; what runs is found again at the next start.
  const onSignal = () => (ending ? process.exit(1) : void end(0));
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    await start(readConfig(), role, undo);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    await end(1);
  }
}
