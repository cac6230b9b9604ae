import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { isNamedPublicHost, publicLookup } from './public-address.ts';

/** Hosts that a download may contact. */
export interface DownloadHosts {
  /** Address of the operator's mirror, without a trailing slash; null for the public hosts. */
  readonly mirrorUrl: string | null;
  /** Host names to which a public host may redirect, with their subdomains. */
  readonly redirectHosts: readonly string[];
}

/** Error of a download; the message is written for the operator. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** Whether a later attempt may succeed. */
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isRetryable = isRetryable;
  }
}

const mostRedirects = 5;

/** Returns the address of a public file on a mirror, `<mirror>/<host>/<path>`, or the address itself without one. */
export function downloadAddress(url: string, { mirrorUrl }: DownloadHosts): URL {
  const { host, pathname } = new URL(url);
  return new URL(mirrorUrl === null ? url : `${mirrorUrl}/${host}${pathname}`);
}

/** Returns why an address must not be requested for a download that began at `first`, or null. */
export function downloadRefusal(
  url: URL,
  first: URL,
  { mirrorUrl, redirectHosts }: DownloadHosts,
): string | null {
  if (mirrorUrl !== null)
    return url.origin === first.origin
      ? null
      : `the mirror may not redirect to another host (got ${url.host})`;
  if (!isNamedPublicHost(url, ['https:']))
    return `only https on a public host is allowed (got ${url.origin})`;
  const isKnown = [first.hostname, ...redirectHosts].some(
    (host) => url.hostname === host || url.hostname.endsWith(`.${host}`),
  );
  return isKnown ? null : `${first.hostname} may not redirect to ${url.hostname}`;
}

/**
 * Requests a file and follows redirects to allowed hosts. Without a mirror, names must resolve to public addresses.
 *
 * @returns the reply, whose body has not been read
 * @throws DownloadError for an address that is not allowed, or when the server cannot be reached
 */
export async function requestDownload(
  first: URL,
  headers: Readonly<Record<string, string>>,
  hosts: DownloadHosts,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let url = first;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const refusal = downloadRefusal(url, first, hosts);
    if (refusal !== null) throw new DownloadError(refusal, false);
    const reply = await send(url, headers, hosts.mirrorUrl !== null, signal);
    const { statusCode = 0 } = reply;
    const { location } = reply.headers;
    if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return reply;
    reply.destroy();
    if (!URL.canParse(location, url.href))
      throw new DownloadError(`${url.host} redirects to an address that cannot be read`, false);
    url = new URL(location, url);
  }
  throw new DownloadError(`${first.host} redirects more than ${mostRedirects} times`, false);
}

async function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  isMirror: boolean,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? getHttps : getHttp;
  const lookup = isMirror ? {} : { lookup: publicLookup() };
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      get(
        url,
        { signal, agent: false, headers: { 'accept-encoding': 'identity', ...headers }, ...lookup },
        resolve,
      ).on('error', reject);
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new DownloadError(`${url.host} cannot be reached: ${reasonOf(cause)}`, true, { cause });
  }
}

/** Returns the code of a network error, or its message. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' ? code : String(message ?? error);
}
