import { apiDocs, openApi } from '@stem-studio/contract/endpoints/openapi';
import type { FastifyInstance } from 'fastify';
import { pipeline } from './pipeline.ts';
import type { AccountPart } from './platform/account-part.ts';
import type { Context } from './platform/context.ts';
import { messageOf } from './platform/errors.ts';
import type { Pipeline } from './platform/events.ts';
import type { Feature } from './platform/feature.ts';
import { deleteMarkedFolders } from './platform/files/folders-to-delete.ts';
import { purgeExpiredOrphans } from './platform/files/orphans.ts';
import { stagingSeconds } from './platform/files/staging.ts';
import { mountHealthRoutes } from './platform/health/health.routes.ts';
import { apiDocsPage, mountApiDocsStylesheet } from './platform/http/api-docs.ts';
import { sweepIdempotentReplies } from './platform/http/idempotent-replies.ts';
import { openApiDocument } from './platform/http/openapi.ts';
import { sweepRateLimits } from './platform/http/rate-limit.ts';
import { route } from './platform/http/route.ts';
import { createHttpServer } from './platform/http/server.ts';
import type { ArrivalLimits } from './platform/http/slow-bodies.ts';
import type { Authenticator } from './platform/http/viewer.ts';
import { serveWebFiles } from './platform/http/web-files.ts';
import { sweepQueueShares } from './platform/queue/fair-share.store.ts';
import type { JobSubjectPolicy } from './platform/queue/job-subject.ts';
import type { Worker } from './platform/queue/worker.ts';
import { sweepBusMessages } from './platform/socket/bus.ts';
import { type SocketServer, startSocketServer } from './platform/socket/socket-server.ts';
import { every } from './platform/timer.ts';

/**
 * Collects what a context needs from the features: workers, job subjects, parts of the account export, and the
 * pipeline.
 */
export function wiringOf(features: readonly Feature[]): {
  workers: Worker[];
  jobSubjects: JobSubjectPolicy[];
  pipeline: Pipeline;
  accountParts: AccountPart[];
} {
  return {
    workers: features.flatMap((feature) => feature.workers ?? []),
    jobSubjects: features.flatMap((feature) => feature.jobSubjects ?? []),
    pipeline,
    accountParts: features.flatMap((feature) => feature.accountParts ?? []),
  };
}

/** The HTTP service: requests are injected by `app.inject`, or received from the network once it listens. */
export interface App {
  readonly http: FastifyInstance;
  /** Starts listening and returns the address of the service. */
  listen(port: number, host: string): Promise<string>;
  /** Starts the timers of the features. The queue is started separately in processes that run jobs. */
  startFeatures(): Promise<void>;
  /** Rejects new requests, waits for running ones, notifies the sockets and stops the timers. Idempotent. */
  stop(): Promise<void>;
}

/** Maximum time for running requests to finish during shutdown, in ms. */
const shutdownGraceMs = 8000;

/**
 * Mounts the features on a context.
 *
 * @param arrival limits on slowly arriving requests; those of the service by default
 */
export async function createApp(
  context: Context,
  features: readonly Feature[],
  authenticator: Authenticator,
  arrival?: ArrivalLimits,
): Promise<App> {
  const {
    app: http,
    refuseNewRequests,
    isStopping,
  } = await createHttpServer(context, authenticator, arrival);
  mountHealthRoutes(http, context, isStopping);
  mountPlatformRoutes(http, context);
  const hasPage = await serveWebFiles(http);
  if (!hasPage)
    context.log.warn('the page has not been built: only the API and the account pages are served');
  for (const feature of features) {
    await http.register(async (scope) => {
      await feature.routes?.(scope, context);
    });
  }
  await http.ready();
  const handlers = features.flatMap((feature) => feature.channels ?? []);
  const stops: (() => Promise<void>)[] = [];
  let sockets: SocketServer | undefined;
  let stopped: Promise<void> | undefined;

  const stop = async () => {
    refuseNewRequests();
    await sockets?.stop();
    // Closes idle connections and waits for busy ones.
    const closing = http.close();
    const deadline = setTimeout(() => http.server.closeAllConnections(), shutdownGraceMs);
    await closing;
    clearTimeout(deadline);
    for (const stopFeature of stops.reverse()) {
      await stopFeature().catch((error: unknown) =>
        context.log.warn(`a timer did not stop: ${messageOf(error)}`),
      );
    }
  };
  return {
    http,
    listen: async (port, host) => {
      sockets = startSocketServer({ context, server: http.server, authenticator, handlers });
      return http.listen({ port, host });
    },
    startFeatures: async () => {
      stops.push(every(context, 600, 'sweep', () => sweep(context)));
      for (const feature of features) if (feature.start) stops.push(await feature.start(context));
    },
    stop: () => (stopped ??= stop()),
  };
}

function mountPlatformRoutes(http: FastifyInstance, context: Context): void {
  // Created once: it differs between callers only in the address.
  let described: ReturnType<typeof openApiDocument> | undefined;
  const describe = (url: string) => {
    described ??= openApiDocument(http.mountedEndpoints, url);
    return { ...described, servers: [{ url }] };
  };
  route(http, context, openApi, async () => describe(context.config.publicUrl ?? '/'));
  mountApiDocsStylesheet(http);
  route(http, context, apiDocs, async ({ request, reply }) => {
    const address = context.config.publicUrl ?? `${request.protocol}://${request.host}`;
    const page = apiDocsPage(describe(address), address);
    return reply.type('text/html; charset=utf-8').send(page.text);
  });
}

async function sweep(context: Context): Promise<void> {
  await sweepRateLimits(context);
  await sweepIdempotentReplies(context);
  await sweepBusMessages(context.db, context.clock.now());
  await sweepQueueShares(context.db);
  await deleteMarkedFolders(context);
  await purgeExpiredOrphans(context);
  const removed = await context.files.sweep(stagingSeconds);
  if (removed > 0) context.log.info({ removed }, 'removed what unfinished work had left');
}
