import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Viewer } from '../../platform/http/viewer.ts';

/** A request with its reply. */
export interface Exchange {
  readonly context: Context;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A request from a browser for a page or a form. */
export interface PageExchange extends Exchange {
  /** User logged in by cookie. A bearer token opens no page. */
  readonly viewer: Viewer | null;
  /** Form values by field name. A field sent twice, or not as text, is absent. */
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** Returns a query parameter that was sent once and is not empty, otherwise null. */
export function queryField({ request }: Exchange, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
