import type { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import { rateLimits } from '@stem-studio/contract/limits';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Context } from '../context.ts';
import { runAs } from '../db/connection-shares.ts';
import { badRequest, notFound, unavailable } from '../errors.ts';
import { withoutSecrets } from '../log.ts';
import { createHostCheck, refusalOfHost } from './allowed-hosts.ts';
import { replyWithError } from './error-reply.ts';
import { networkOf } from './network-of.ts';
import { takeRateLimit } from './rate-limit.ts';
import { replyRaw } from './raw-reply.ts';
import { maxUploadBytes } from './receive-file.ts';
import { enforceRateLimit, isApiRequest, rateKey, viewerOf } from './request-state.ts';
import { type ArrivalLimits, arrivalLimits, watchBody } from './slow-bodies.ts';
import type { Authenticator } from './viewer.ts';

/** A JSON body may not be larger: what is bigger comes as a file. */
const longestBodyBytes = 1_000_000;
/** A connection on which nothing moves for so long is cut: who vanished in the middle of a file never says so. */
const longestSilenceMs = 300_000;

/** How often connections are looked at whose head is not whole. */
const headCheckMs = 10_000;

/** What the service answers HTTP with. */
export interface HttpServer {
  readonly app: FastifyInstance;
  /** From now on every new request is told to come back later. */
  readonly refuseNewRequests: () => void;
  readonly isStopping: () => boolean;
}

/**
 * Makes the HTTP server without routes: parsers, headers of security, rate limits, errors. Every response, of whatever
 * status, carries the `X-RateLimit-*` headers of the caller's general limit.
 *
 * @param arrival how slowly requests may arrive
 */
export async function createHttpServer(
  context: Context,
  authenticator: Authenticator,
  arrival: ArrivalLimits = arrivalLimits,
): Promise<HttpServer> {
  let isStopping = false;
  // By the name that fastify's own types expect, or they infer another server type.
  const log: FastifyBaseLogger = context.log;
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: context.config.trustedProxies.length > 0 ? [...context.config.trustedProxies] : false,
    bodyLimit: longestBodyBytes,
    connectionTimeout: longestSilenceMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // No parameter is too long for the router (Node takes no head of more than 16 kB): a long id is one that is not there.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 16_384 },
    clientErrorHandler: (error, socket) => {
      void refuseNoHttp(context, error, socket);
    },
    http: {
      // Offers of other protocols, such as HTTP/2, are passed over: the request itself is answered.
      headersTimeout: arrival.periodMs,
      connectionsCheckingInterval: Math.min(arrival.periodMs, headCheckMs),
      shouldUpgradeCallback: (request) => /^websocket$/i.test(request.headers.upgrade ?? ''),
    },
    // A path that cannot be decoded never reaches the hooks.
    frameworkErrors: (error, request, reply) => {
      void refuseUnreadable(context, error, request, reply);
    },
  });
  app.decorate('authenticator', authenticator);
  app.decorate('mountedEndpoints', [] as EndpointSpec[]);
  app.decorateRequest('knownViewer', undefined);
  app.decorateRequest('rateState', null);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = { use: 'request', key: null, held: 0 };
    runAs(request.caller, done);
  });
  // What reads a body goes on in the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.caller) runAs(request.caller, done);
    else done();
  });

  // Before anything that may refuse: refusals carry them too.
  await app.register(helmet, securityHeaders(context));
  const isAllowedHost = createHostCheck(context.config);
  app.addHook('onRequest', async (request, reply) => {
    watchBody(request, reply, arrival);
    const refusal = refusalOfHost(isAllowedHost, request.raw, request.host);
    if (refusal) {
      await enforceRateLimit(context, request, reply, 'web', rateKey(request, null));
      throw refusal;
    }
    if (request.routeOptions.config.isUnlimited) {
      reply.header('cache-control', 'no-store').headers(unlimitedHeaders(context));
      return;
    }
    if (isStopping) {
      reply.header('connection', 'close');
      throw unavailable('the service is stopping: try again in a moment');
    }
    const isApi = isApiRequest(request);
    const viewer = isApi ? await viewerOf(request) : null;
    const name = isApi ? (viewer?.via === 'cookie' ? 'api_page' : 'api_auth') : 'web';
    await enforceRateLimit(context, request, reply, name, rateKey(request, viewer));
    if (isApi) reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      {
        method: request.method,
        url: withoutSecrets(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });

  await app.register(cookie);
  await app.register(formbody, { bodyLimit: 100_000 });
  await app.register(multipart, {
    limits: {
      fileSize: maxUploadBytes(context.config.maxUploadMb),
      files: 1,
      fields: 10,
      fieldSize: 10_000,
      parts: 12,
    },
  });
  acceptEmptyJson(app);

  app.setErrorHandler((error, request, reply) => replyWithError(context, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const thing = isApiRequest(request) ? 'endpoint' : 'page';
    return replyWithError(context, notFound(thing), request, reply);
  });
  return {
    app,
    refuseNewRequests: () => {
      isStopping = true;
    },
    isStopping: () => isStopping,
  };
}

/** The headers of a limit of which nothing has been used: the database is not asked. */
function unlimitedHeaders({ clock }: Context): Record<string, number> {
  const { requests, seconds } = rateLimits.web;
  const resetsAt = (Math.floor(clock.now().getTime() / 1000 / seconds) + 1) * seconds;
  return {
    'x-ratelimit-limit': requests,
    'x-ratelimit-remaining': requests,
    'x-ratelimit-reset': resetsAt,
  };
}

/** What is no HTTP, or has too large a head, is 400 like anything that cannot be read. */
async function refuseNoHttp(context: Context, error: NodeJS.ErrnoException, socket: Socket): Promise<void> {
  // They are gone, and hear nothing any more.
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  socket.on('error', () => socket.destroy());
  const rate = await takeRateLimit(context, 'web', `address:${networkOf(socket.remoteAddress ?? '')}`);
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? badRequest('the head of a request must not be larger than 16 kB')
      : badRequest('this is no HTTP request that can be read');
  replyRaw(socket, problem, rate);
  socket.destroySoon();
}

async function refuseUnreadable(
  context: Context,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    await enforceRateLimit(context, request, reply, 'web', rateKey(request, null));
    throw badRequest(error.message);
  } catch (known) {
    await replyWithError(context, known, request, reply);
  }
}

/** A DELETE or POST without a body may still say that it is JSON. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    return parse(request, body as string, (error, value) => {
      if (error) done(badRequest('the body must be JSON'));
      else done(null, value);
    });
  });
}

/**
 * Only what comes from here runs or is shown; pages are isolated, so that shared memory and exact timers exist.
 *
 * @see https://developer.mozilla.org/docs/Web/HTTP/Headers/Cross-Origin-Embedder-Policy
 */
function securityHeaders(context: Context) {
  const isHttps = context.config.publicUrl?.startsWith('https:') ?? false;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        // Styles set by code on an element (`element.style`) are no inline styles and need no exception.
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: { policy: 'require-corp' as const },
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    referrerPolicy: { policy: 'same-origin' as const },
    strictTransportSecurity: isHttps ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' as const },
  };
}
