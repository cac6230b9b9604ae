import type { EndpointSpec, HandlerInput, ReplyOf } from '@stem-studio/contract/endpoint';
import { hasRole } from '@stem-studio/contract/roles';
import { hasScope, type NeededScope } from '@stem-studio/contract/scopes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { badRequest, forbidden, unauthorized } from '../errors.ts';
import { fullDiskSentence } from '../full-disk.ts';
import { answerOnce, fingerprintOf, readIdempotencyKey } from './idempotent-replies.ts';
import { parseFields, parseParams } from './parse-input.ts';
import { enforceRateLimit, rateKey, viewerOf } from './request-state.ts';
import type { Viewer } from './viewer.ts';

/** Caller of an endpoint; may be null if the endpoint needs no authentication. */
export type ViewerOf<T extends EndpointSpec> = T['auth'] extends 'none' ? Viewer | null : Viewer;

/** Input of a handler: parsed, with defaults, and authorised. */
export interface RouteInput<T extends EndpointSpec> extends HandlerInput<T> {
  viewer: ViewerOf<T>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Reply with a status other than the endpoint's own. */
export class WithStatus<B> {
  readonly status: number;
  readonly body: B;
  constructor(status: number, body: B) {
    this.status = status;
    this.body = body;
  }
}

/** Returns a reply with another status, such as 200 if nothing new was created. */
export function withStatus<B>(status: number, body: B): WithStatus<B> {
  return new WithStatus(status, body);
}

/**
 * Return value of a handler. An endpoint without a reply schema returns nothing. One that replies with bytes has sent
 * them, or passed a stream to the reply, and returns that reply.
 */
export type RouteReply<T extends EndpointSpec> = T['replyTypes'] extends readonly string[]
  ? FastifyReply
  : ReplyOf<T> | WithStatus<ReplyOf<T>>;

/**
 * Mounts an endpoint of the contract. Checks before the handler runs, in this order: authentication (401), scope of the
 * API key and role (403), the endpoint's own rate limit (429), the CSRF token if a cookie authorises a change (403),
 * parameters (404), query and body (422 with details). Outside production a reply that does not match its schema leads
 * to a 500.
 */
export function route<const T extends EndpointSpec>(
  app: FastifyInstance,
  context: Context,
  spec: T,
  handler: (input: RouteInput<T>) => Promise<RouteReply<T>>,
): void {
  const changesState = spec.method !== 'GET';
  app.mountedEndpoints.push(spec);
  app.route({
    method: spec.method,
    url: spec.path,
    config: { isUnlimited: spec.isUnlimited ?? false },
    onRequest: async (request, reply) => {
      if (spec.isUnlimited) return;
      const viewer = await viewerOf(request);
      requirePermission(spec, viewer, reply);
      if (spec.limit) await enforceRateLimit(context, request, reply, spec.limit, rateKey(request, viewer));
    },
    preHandler: async (request) => {
      // A multipart body would not be parsed and would count as an empty one.
      if (spec.bodyKind !== 'multipart' && request.isMultipart())
        throw badRequest('the body must not be multipart/form-data here');
      if (spec.isUnlimited) return;
      const viewer = await viewerOf(request);
      if (changesState && viewer?.via !== 'token') {
        if (viewer || spec.bodyKind === 'form') await app.authenticator.checkCsrf(request, viewer);
      }
    },
    handler: async (request, reply) => {
      const input = {
        viewer: spec.isUnlimited ? null : await viewerOf(request),
        request,
        reply,
        params: parseParams(spec.params, request.params, spec.path),
        query: parseFields(spec.query, request.query, 'query'),
        body: parseFields(
          spec.body,
          spec.bodyKind === 'form' ? withoutFormFields(request.body) : request.body,
          'body',
        ),
      };
      const answer = async () => {
        const attempt = () => handler(input as unknown as RouteInput<T>);
        try {
          return await attempt();
        } catch (error) {
          const full = fullDiskSentence(error);
          // The transaction was rolled back. After the release of the disk reserve, deletions are retried because they
          // free space.
          const hasSpace = full !== null && (await context.disk.giveUpReserve(full));
          if (hasSpace && (spec.method === 'DELETE' || spec.freesDiskSpace)) return await attempt();
          throw error;
        }
      };
      const key = spec.answersOnce && readIdempotencyKey(request.headers['idempotency-key']);
      if (key !== undefined && input.viewer) {
        const idempotencyKey = { userId: input.viewer.id, endpoint: `${spec.method} ${spec.path}`, key };
        const { params, query, body } = input;
        const fingerprint = fingerprintOf([params, query, body]);
        const {
          status,
          body: text,
          isRepeated,
        } = await answerOnce(context, idempotencyKey, fingerprint, async () => {
          const made = answerFrom(context, spec, await answer());
          return { status: made.status, body: made.body === undefined ? null : JSON.stringify(made.body) };
        });
        if (isRepeated) reply.header('idempotent-replayed', 'true');
        return reply.code(status).type('application/json; charset=utf-8').send(text);
      }
      const answered = await answer();
      if (spec.replyTypes || reply.sent) return reply;
      const { status, body } = answerFrom(context, spec, answered);
      reply.code(status);
      return body === undefined || status === 204 ? reply.send() : body;
    },
  });
}

/** Returns status and body of a handler's reply, outside production validated against the contract. */
function answerFrom(
  context: Context,
  spec: EndpointSpec,
  answer: unknown,
): { status: number; body: unknown } {
  const status = answer instanceof WithStatus ? answer.status : spec.status;
  const body: unknown = answer instanceof WithStatus ? answer.body : answer;
  if (!context.config.isProduction && spec.reply) spec.reply.parse(body);
  return { status, body };
}

function requirePermission(spec: EndpointSpec, viewer: Viewer | null, reply: FastifyReply): void {
  if (spec.auth === 'none') return;
  if (!viewer) throw unauthorized();
  if (spec.auth === 'cookie' && viewer.via !== 'cookie')
    throw unauthorized('this needs a browser login, not a token');
  if (spec.scope) requireScope(viewer, spec.scope, reply);
  if (!hasRole(viewer.role, spec.role ?? 'user')) throw forbidden();
}

/**
 * Throws 403 with the name of the scope if the viewer's API key lacks it. Also for routes that are not endpoints.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1 (`insufficient_scope`)
 */
export function requireScope(viewer: Viewer, scope: NeededScope, reply: FastifyReply): void {
  if (hasScope(viewer.scopes, scope)) return;
  reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  throw forbidden(`this API key lacks the scope "${scope}": make a key that has it under Settings, API keys`);
}

/** Removes the fields of the form mechanism (CSRF token, method) from a body. */
function withoutFormFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { _csrf_token: _token, _method: _unused, ...fields } = body as Record<string, unknown>;
  return fields;
}
