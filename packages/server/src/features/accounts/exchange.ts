import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Viewer } from '../../platform/http/viewer.ts';

/** A request and the reply that is being made to it. */
export interface Exchange {
  readonly context: Context;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** An exchange with a browser about a page or a form. */
export interface PageExchange extends Exchange {
  /** Who is logged in by cookie. A bearer token opens no page. */
  readonly viewer: Viewer | null;
  /** What was typed, by field name. A field that was sent twice, or not as text, is absent. */
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** A query parameter that was sent once and is not empty, else null. */
export function queryField({ request }: Exchange, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
