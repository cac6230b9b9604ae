import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { RateLimitName } from './limits.ts';
import type { Role } from './roles.ts';
import type { NeededScope } from './scopes.ts';

/** HTTP methods of the service. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A body that is not JSON. */
export type BodyKind = 'json' | 'multipart' | 'form';

/**
 * Who may call:
 * - `none`: anybody;
 * - `api`: a bearer token, or the login cookie (with a CSRF token for what changes state); `scope` is what an API key
 *   needs;
 * - `cookie`: the login cookie only (browser routes).
 */
type Access =
  | { readonly auth: 'none' | 'cookie'; readonly scope?: undefined }
  | { readonly auth: 'api'; readonly scope: NeededScope };

/** Everything there is to know about one endpoint, before its code. */
export type EndpointSpec = Access & EndpointBase;

interface EndpointBase {
  readonly method: Method;
  /** Path with `:name` parameters, the only place in the repository where it is written. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Lowest role that may call; `user` unless given. */
  readonly role?: Role;
  /** Not counted against any rate limit and answered without asking the database who calls. */
  readonly isUnlimited?: true;
  /** It frees disk space: when the disk is full it is tried again once the reserve is given up, as every DELETE is. */
  readonly makesRoom?: true;
  /** Limits beside the general one of the way the caller came in. */
  readonly limit?: RateLimitName;
  /** Whether an `Idempotency-Key` makes the same request again get the first answer; for JSON and logged-in callers. */
  readonly answersOnce?: true;
  /** Status of success. Creating endpoints say 201 and may answer 200 when nothing new was created. */
  readonly status: 200 | 201 | 204;
  /** Codes this endpoint answers with, beyond those that any endpoint may. */
  readonly errors?: readonly ErrorCode[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly bodyKind?: BodyKind;
  /** Whole reply body, envelope included; absent for 204 and where `replyTypes` stands. */
  readonly reply?: z.ZodType;
  /** Media types of a reply that is bytes and no JSON: the handler sends it by itself. */
  readonly replyTypes?: readonly string[];
}

/**
 * Declares an endpoint. The value is what the server mounts, the browser calls, the OpenAPI document lists and the
 * tests ask for; nothing else in the repository repeats its path.
 *
 * @example
 * export const separate = endpoint({ method: 'POST', path: '/api/processing/separate', … });
 */
export function endpoint<const T extends EndpointSpec>(spec: T): T {
  return spec;
}

type Parsed<T, Side extends 'input' | 'output'> = T extends z.ZodType
  ? Side extends 'input'
    ? z.input<T>
    : z.output<T>
  : undefined;

/** What a caller hands in. */
export interface CallInput<T extends EndpointSpec> {
  params: Parsed<T['params'], 'input'>;
  query: Parsed<T['query'], 'input'>;
  body: Parsed<T['body'], 'input'>;
}

/** What a handler receives: parsed and defaulted. */
export interface HandlerInput<T extends EndpointSpec> {
  params: Parsed<T['params'], 'output'>;
  query: Parsed<T['query'], 'output'>;
  body: Parsed<T['body'], 'output'>;
}

/** The whole reply body of an endpoint. */
export type ReplyOf<T extends EndpointSpec> = Parsed<T['reply'], 'output'>;

/** The path of `spec` with its parameters filled in, each percent-encoded. Throws when one is missing. */
export function pathOf(spec: EndpointSpec, params: Readonly<Record<string, string | number>> = {}): string {
  return spec.path.replace(/:([a-z_]+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`path ${spec.path} needs the parameter "${name}"`);
    return encodeURIComponent(String(value));
  });
}
