import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { badRequest, type ServiceError } from '../errors.ts';

/** Settings that decide which hosts are served. */
export type HostSettings = Pick<Config, 'publicUrl' | 'host' | 'allowedHosts'>;

/** Maximum length of a rejected `Host` header in an error message, in characters. */
const shownCharacters = 100;

/**
 * Returns the host name of a `Host` header in lower case, without port and trailing dot. Returns null if it is invalid.
 */
function hostnameOf(header: string | undefined): string | null {
  const [, name] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return name?.toLowerCase().replace(/\.$/, '') || null;
}

/** Returns the canonical form of an address: without brackets and zone, and IPv4-mapped IPv6 as IPv4. */
function plainAddress(text: string): string {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  // The URL parser writes IPv6 in its shortest form.
  return isIP(bare) === 6 ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare;
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const address = plainAddress(name);
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * Returns whether `entry` of `ALLOWED_HOSTS` matches the host. An entry with a leading dot also matches all subdomains.
 */
function isListed(entry: string, name: string): boolean {
  if (!entry.startsWith('.')) return plainAddress(entry) === plainAddress(name);
  return name === entry.slice(1) || name.endsWith(entry);
}

/**
 * Returns a function that checks whether a `Host` header names this service. Allowed are the host of `PUBLIC_URL`, the
 * name in `HOST`, loopback names and addresses, entries of `ALLOWED_HOSTS`, and the numeric local address of the
 * connection. Ports are not compared: a name that resolves to this machine does so on any port, and port mappings
 * change them.
 *
 * @see docs/decisions/0230-hosts.md
 */
export function createHostCheck(
  settings: HostSettings,
): (header: string | undefined, localAddress: string | undefined) => boolean {
  return (header, localAddress) => {
    const name = hostnameOf(header);
    if (name === null) return false;
    const { publicUrl, host, allowedHosts } = settings;
    if (isLoopback(name)) return true;
    if (publicUrl !== null && hostnameOf(new URL(publicUrl).host) === name) return true;
    if (isIP(host) === 0 && host.toLowerCase() === name) return true;
    if (allowedHosts.some((entry) => isListed(entry, name))) return true;
    // No DNS name is involved in a numeric address, so such a request cannot come from a page of another site.
    const address = plainAddress(name);
    return isIP(address) !== 0 && localAddress !== undefined && plainAddress(localAddress) === address;
  };
}

/** Returns a 400 error for a request with an unknown host. The message names the setting that would allow it. */
export function unknownHost(header: string | undefined): ServiceError {
  const shown = header ? JSON.stringify(header.slice(0, shownCharacters)) : 'none';
  return badRequest(
    `this service does not answer under the host of this request (got ${shown}). Open it under localhost or its PUBLIC_URL, or have its operator add the host to ALLOWED_HOSTS`,
  );
}

/**
 * Returns the error for a request whose host {@link createHostCheck} rejects, else null. Behind a trusted proxy both
 * the forwarded host and the `Host` header of the connection must be allowed, because a page could set the former
 * itself.
 *
 * @param forwardedHost host of the request according to the HTTP framework, if a proxy is trusted
 */
export function refusalOfHost(
  isAllowed: ReturnType<typeof createHostCheck>,
  request: IncomingMessage,
  forwardedHost?: string,
): ServiceError | null {
  const { localAddress } = request.socket;
  for (const header of new Set([request.headers.host, forwardedHost ?? request.headers.host]))
    if (!isAllowed(header, localAddress)) return unknownHost(header);
  return null;
}
