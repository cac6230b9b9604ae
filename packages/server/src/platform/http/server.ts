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

/** Maximum size of a JSON body, in bytes. Larger data is sent as a file. */
const longestBodyBytes = 1_000_000;
/** Idle time after which a connection is closed, in ms. A client that disappears during an upload does not close it. */
const longestSilenceMs = 300_000;

/** Interval of the check for connections with an incomplete request head, in ms. */
const headCheckMs = 10_000;

/** HTTP server of the service. */
export interface HttpServer {
  readonly app: FastifyInstance;
  /** Rejects all new requests from now on with 503. */
  readonly refuseNewRequests: () => void;
  readonly isStopping: () => boolean;
}

/**
 * Creates the HTTP server without routes: parsers, security headers, rate limits, errors. Every response carries the
 * `X-RateLimit-*` headers of the caller's general limit.
 *
 * @param arrival minimum rates at which requests must arrive
 */
export async function createHttpServer(
  context: Context,
  authenticator: Authenticator,
  arrival: ArrivalLimits = arrivalLimits,
): Promise<HttpServer> {
  let isStopping = false;
  // Declared with fastify's own logger type; otherwise fastify infers another server type.
  const log: FastifyBaseLogger = context.log;
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: context.config.trustedProxies.length > 0 ? [...context.config.trustedProxies] : false,
    bodyLimit: longestBodyBytes,
    connectionTimeout: longestSilenceMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // No parameter is too long for the router (Node rejects heads above 16 kB), so an overlong id leads to 404.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 16_384 },
    clientErrorHandler: (error, socket) => {
      void refuseNoHttp(context, error, socket);
    },
    http: {
      // Upgrades to other protocols, such as HTTP/2, are ignored: the request itself is handled.
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
  // Body parsers continue in the async context of the connection, so the caller is set again.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.caller) runAs(request.caller, done);
    else done();
  });

  // Registered before all hooks that may reject, so that rejections carry the headers too.
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

/** Returns the headers of an unused limit, without a database query. */
function unlimitedHeaders({ clock }: Context): Record<string, number> {
  const { requests, seconds } = rateLimits.web;
  const resetsAt = (Math.floor(clock.now().getTime() / 1000 / seconds) + 1) * seconds;
  return {
    'x-ratelimit-limit': requests,
    'x-ratelimit-remaining': requests,
    'x-ratelimit-reset': resetsAt,
  };
}

/** Replies 400 to messages that are not valid HTTP or have too large a head. */
async function refuseNoHttp(context: Context, error: NodeJS.ErrnoException, socket: Socket): Promise<void> {
  // The client is disconnected.
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

/** Accepts an empty body with a JSON content type, as sent with some DELETE and POST requests. */
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
 * Returns the options of the security headers. Only same-origin resources are allowed, and pages are cross-origin
 * isolated for shared memory and precise timers.
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
        // Styles set by script on an element (`element.style`) are not inline styles and need no exception.
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
