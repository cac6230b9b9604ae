import { type CallInput, type EndpointSpec, pathOf, type ReplyOf } from '@stem-studio/contract/endpoint';
import { errorBody } from '@stem-studio/contract/errors';
import { ApiError } from './api-error.ts';
import { onDemand } from './on-demand.ts';
import { pageMeta } from './page-meta.ts';
import { noteReach } from './service-reach.ts';

/** Statuses by which a proxy, or a service that starts or stops, says that there is no service now. */
const unavailableStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Loaded with the first refusal, which is rare. */
const loadRenewal = onDemand(() => import('./renew-csrf-token.ts'));

/** The parts of {@link CallInput} that `T` declares. */
export type CallOptions<T extends EndpointSpec> = {
  [Part in keyof CallInput<T> as CallInput<T>[Part] extends undefined ? never : Part]: CallInput<T>[Part];
};

/** Returns path and query of a call, without query values that are undefined or null. */
export function addressOf(spec: EndpointSpec, params?: object, query?: object): string {
  const path = pathOf(spec, params as Record<string, string | number> | undefined);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/**
 * Calls an endpoint with the login cookie and parses the reply by its schema.
 *
 * @throws ApiError when the service refuses, cannot be reached, or sends a reply that does not match the contract
 */
export async function call<T extends EndpointSpec>(
  spec: T,
  ...[options, signal]: keyof CallOptions<T> extends never
    ? [options?: null, signal?: AbortSignal]
    : [options: CallOptions<T>, signal?: AbortSignal]
): Promise<ReplyOf<T>> {
  const { params, query, body } = (options ?? {}) as { params?: object; query?: object; body?: unknown };
  const send = () =>
    fetch(addressOf(spec, params, query), {
      method: spec.method,
      headers: {
        accept: 'application/json',
        ...(spec.method !== 'GET' && { 'x-csrf-token': pageMeta('csrf-token') }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      noteReach(false);
      throw new ApiError('the studio is unreachable', { status: 0, code: 'OFFLINE' });
    });
  let response = await send();
  noteReach(!unavailableStatuses.has(response.status));
  if (response.status === 403 && spec.method !== 'GET' && (await isRenewedLogin())) response = await send();
  if (!response.ok) throw errorFrom(response.status, await response.text());
  if (!spec.reply || response.status === 204) return undefined as ReplyOf<T>;
  const parsed = spec.reply.safeParse(await response.json());
  if (!parsed.success) {
    throw new ApiError(
      `unexpected reply to ${spec.method} ${spec.path}: the page and the studio have different versions`,
      {
        status: response.status,
        code: 'UNKNOWN_REPLY',
      },
    );
  }
  return parsed.data as ReplyOf<T>;
}

/** Returns whether a refused call may be repeated, because the page had the token of an earlier login. */
export async function isRenewedLogin(): Promise<boolean> {
  const { renewAfterRefusal } = await loadRenewal();
  return await renewAfterRefusal();
}

/** Returns the error of a refused call, whether or not its body is the service's envelope. */
export function errorFrom(status: number, text: string): ApiError {
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    // The page of a proxy, or an empty body: only the status is known.
  }
  const body = errorBody.safeParse(json);
  if (body.success) return new ApiError(body.data.error, { status, ...body.data });
  return new ApiError(`the studio responded with status ${status}`, { status, code: `HTTP_${status}` });
}
