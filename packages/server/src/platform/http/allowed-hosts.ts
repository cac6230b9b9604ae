import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { badRequest, type ServiceError } from '../errors.ts';

/** What decides which hosts are answered. */
export type HostSettings = Pick<Config, 'publicUrl' | 'host' | 'allowedHosts'>;

/** Longest part of a refused `Host` header that an error message repeats. */
const shownCharacters = 100;

/** A `Host` header without its port, in lower case and without a dot at its end; null when it is none. */
function hostnameOf(header: string | undefined): string | null {
  const [, name] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return name?.toLowerCase().replace(/\.$/, '') || null;
}

/** One spelling for an address: without brackets and zone, and IPv4 in the form of IPv6 as IPv4. */
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

/** Whether `entry` of `ALLOWED_HOSTS` names the host: itself, or with a leading dot it and every subdomain. */
function isListed(entry: string, name: string): boolean {
  if (!entry.startsWith('.')) return plainAddress(entry) === plainAddress(name);
  return name === entry.slice(1) || name.endsWith(entry);
}

/**
 * Returns a function that tells whether a `Host` header names this service: the host of `PUBLIC_URL`, the name in
 * `HOST`, a loopback name or address, an entry of `ALLOWED_HOSTS`, or the numeric address that the connection came in
 * on. Ports are not compared: a name that leads here does so on any port, and port mappings change them.
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
    // No name leads to another address here: such a request cannot come from a page of another site.
    const address = plainAddress(name);
    return isIP(address) !== 0 && localAddress !== undefined && plainAddress(localAddress) === address;
  };
}

/** 400 for a request under a host that is not this service's; names the setting that would allow it. */
export function unknownHost(header: string | undefined): ServiceError {
  const shown = header ? JSON.stringify(header.slice(0, shownCharacters)) : 'none';
  return badRequest(
    `this service does not answer under the host of this request (got ${shown}). Open it under localhost or its PUBLIC_URL, or have its operator add the host to ALLOWED_HOSTS`,
  );
}

/**
 * Returns the host of a request that {@link createHostCheck} refuses as an error, else null. Behind a trusted proxy the
 * forwarded host must be allowed too, and the header of the connection as well: a page could have set the former itself.
 *
 * @param forwardedHost host that the HTTP framework takes the request for, where a proxy is trusted
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
