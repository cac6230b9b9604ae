import type { FastifyInstance } from 'fastify';
import type { AccountPart } from './account-part.ts';
import type { Context } from './context.ts';
import type { JobSubjectPolicy } from './queue/job-subject.ts';
import type { Worker } from './queue/worker.ts';
import type { ChannelHandler } from './socket/channel.ts';

/** Feature of the service, mounted by the app. */
export interface Feature {
  readonly name: string;
  /** Mounts the endpoints and pages. */
  routes?(app: FastifyInstance, context: Context): void | Promise<void>;
  readonly workers?: readonly Worker[];
  /** Policies for rows of this feature that jobs refer to. */
  readonly jobSubjects?: readonly JobSubjectPolicy[];
  readonly channels?: readonly ChannelHandler[];
  /** Parts of the export of a user's data that the feature provides. */
  readonly accountParts?: readonly AccountPart[];
  /** Starts timers and periodic cleanup once the service listens. Returns a function that stops them. */
  start?(context: Context): Promise<() => Promise<void>>;
}
