import type { FastifyInstance } from 'fastify';
import type { AccountPart } from './account-part.ts';
import type { Context } from './context.ts';
import type { JobSubjectPolicy } from './queue/job-subject.ts';
import type { Worker } from './queue/worker.ts';
import type { ChannelHandler } from './socket/channel.ts';

/** A feature of the service, as the app mounts it. */
export interface Feature {
  readonly name: string;
  /** Mounts the endpoints and pages. */
  routes?(app: FastifyInstance, context: Context): void | Promise<void>;
  readonly workers?: readonly Worker[];
  /** Kinds of rows of this feature that jobs can be about. */
  readonly jobSubjects?: readonly JobSubjectPolicy[];
  readonly channels?: readonly ChannelHandler[];
  /** What it contributes to the download of a user's data. */
  readonly accountParts?: readonly AccountPart[];
  /** Starts timers and sweepers once the service listens; the answer stops them. */
  start?(context: Context): Promise<() => Promise<void>>;
}
