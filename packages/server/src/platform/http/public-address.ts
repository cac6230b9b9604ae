import { type LookupAddress, lookup as lookUpName } from 'node:dns';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry.xhtml */
const notPublic = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(network, bits, 'ipv4');

/** Globally allocated IPv6 addresses. All others, such as IPv4-mapped ones, are not public. */
const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');
/** @see https://www.iana.org/assignments/iana-ipv6-special-registry/iana-ipv6-special-registry.xhtml */
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, bits, 'ipv6');

/**
 * Returns whether a numeric address belongs to the public internet. Loopback, private and special-purpose addresses do
 * not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return isIPv6(address) && givenOut.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Returns whether a lower-case host name has a suffix of a local network. */
function isLocalName(name: string): boolean {
  return /\.(local|internal|localhost|lan)\.?$/.test(name);
}

/**
 * Returns whether an untrusted URL names a public host by name, with an allowed scheme and its default port. Numeric
 * addresses, ports, credentials and local names are rejected. The addresses of the name are checked by {@link
 * publicLookup}.
 *
 * @param protocols allowed schemes such as `https:`
 */
export function isNamedPublicHost(url: URL, protocols: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    protocols.includes(url.protocol) &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    host.includes('.') &&
    isIP(host) === 0 &&
    !isLocalName(host)
  );
}

/**
 * Returns whether all addresses of a host belong to the public internet. A name that cannot be resolved counts as
 * public, because a later connection resolves it again and fails.
 *
 * @param host name or numeric address, in the form of `URL.hostname`
 */
export async function leadsToPublicAddress(host: string, resolve: Resolve = systemResolve): Promise<boolean> {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) !== 0) return isPublicAddress(name);
  if (!name.includes('.') || isLocalName(name)) return false;
  const found = await resolve(name).catch(() => []);
  return found.every(({ address }) => isPublicAddress(address));
}

/** Resolves a host name to its addresses. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

const systemResolve: Resolve = (name) =>
  new Promise((resolve, reject) => {
    lookUpName(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

/**
 * Creates a DNS lookup for connections that fails for names with non-public addresses. The connection uses the checked
 * address, so a DNS change in between has no effect.
 */
export function publicLookup(resolve: Resolve = systemResolve): LookupFunction {
  return (name, options, answer) => {
    resolve(name).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isPublicAddress(address)))
          answer(new Error(`${name} has no address of the public internet`), '');
        else if (options.all) answer(null, [...found]);
        else answer(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => answer(error, ''),
    );
  };
}
