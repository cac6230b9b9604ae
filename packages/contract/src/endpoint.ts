import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';
import type { RateLimitName } from './limits.ts';
import type { Role } from './roles.ts';
import type { NeededScope } from './scopes.ts';

/** HTTP methods of the service. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Content type of a request body. */
export type BodyKind = 'json' | 'multipart' | 'form';

/**
 * Access to an endpoint:
 * - `none`: everyone;
 * - `api`: a bearer token, or the login cookie (with a CSRF token for requests that change state); `scope` is
 *   required of an API key;
 * - `cookie`: the login cookie only (browser routes).
 */
type Access =
  | { readonly auth: 'none' | 'cookie'; readonly scope?: undefined }
  | { readonly auth: 'api'; readonly scope: NeededScope };

/** Declaration of one endpoint. */
export type EndpointSpec = Access & EndpointBase;

interface EndpointBase {
  readonly method: Method;
  /** Path with `:name` parameters; it is defined only here. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Lowest role that may call; `user` by default. */
  readonly role?: Role;
  /** Not counted against any rate limit, and answered without looking up the caller in the database. */
  readonly isUnlimited?: true;
  /**
   * Whether it frees disk space: on a full disk it is retried after the reserve file is released, as every DELETE is.
   */
  readonly freesDiskSpace?: true;
  /** Rate limits in addition to the general one of the caller's authentication. */
  readonly limit?: RateLimitName;
  /** Whether a repeated `Idempotency-Key` returns the first reply; for JSON bodies and authenticated callers. */
  readonly answersOnce?: true;
  /** Status of success. Endpoints that create something use 201 and may reply 200 if nothing new was created. */
  readonly status: 200 | 201 | 204;
  /** Error codes of this endpoint, in addition to those that any endpoint may return. */
  readonly errors?: readonly ErrorCode[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly bodyKind?: BodyKind;
  /** Parts of a multipart body by name, `files` for one that may be repeated; one part `file` by default. */
  readonly parts?: Readonly<Record<string, 'text' | 'file' | 'files'>>;
  /** Schema of the whole reply body, envelope included; absent for 204 and where `replyTypes` is set. */
  readonly reply?: z.ZodType;
  /** Media types of a binary reply, which the handler sends itself. */
  readonly replyTypes?: readonly string[];
}

/**
 * Declares an endpoint. The server mounts this value, the browser calls it, the OpenAPI document lists it and the
 * tests request it; nothing else in the repository repeats its path.
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

/** Input that a caller provides. */
export interface CallInput<T extends EndpointSpec> {
  params: Parsed<T['params'], 'input'>;
  query: Parsed<T['query'], 'input'>;
  body: Parsed<T['body'], 'input'>;
}

/** Input that a handler receives: parsed, with defaults. */
export interface HandlerInput<T extends EndpointSpec> {
  params: Parsed<T['params'], 'output'>;
  query: Parsed<T['query'], 'output'>;
  body: Parsed<T['body'], 'output'>;
}

/** Whole reply body of an endpoint. */
export type ReplyOf<T extends EndpointSpec> = Parsed<T['reply'], 'output'>;

/**
 * Returns the path of `spec` with its parameters filled in and percent-encoded.
 *
 * @throws {Error} when a parameter is missing
 */
export function pathOf(spec: EndpointSpec, params: Readonly<Record<string, string | number>> = {}): string {
  return spec.path.replace(/:([a-z_]+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`path ${spec.path} needs the parameter "${name}"`);
    return encodeURIComponent(String(value));
  });
}
