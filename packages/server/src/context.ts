import type { Logger } from 'pino';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Secrets } from './platform/crypto/secrets.ts';
import type { Db } from './platform/db/database.ts';
import type { Pipeline } from './platform/events.ts';
import type { Files } from './platform/files/files.ts';
import type { Queue } from './platform/queue/queue.ts';
import type { Bus } from './platform/socket/bus.ts';

/** What every rule of the service may need, handed to it and never imported. */
export interface Context {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  readonly clock: Clock;
  readonly files: Files;
  readonly queue: Queue;
  readonly bus: Bus;
  readonly pipeline: Pipeline;
  readonly secrets: Secrets;
}
