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

/** Of IPv6 only this is given out, whatever else there may be, such as IPv4 in the form of IPv6. */
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

/** Whether a numeric address is one of the public internet: not of this machine, its network, or a special purpose. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return isIPv6(address) && givenOut.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Whether a name in lower case belongs to a local network by its ending. */
function isLocalName(name: string): boolean {
  return /\.(local|internal|localhost|lan)\.?$/.test(name);
}

/**
 * Whether an address that somebody else named is one of a host of the public internet by its name and its scheme, on the
 * scheme's usual port. Numbers instead of names, ports, credentials and names of a local network are refused; where the
 * name leads is for {@link publicLookup} to see.
 *
 * @param protocols such as `https:`
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
 * Whether every address behind a host of the web is one of the public internet. A name that cannot be resolved counts as
 * public: whoever connects to it resolves it again, and fails.
 *
 * @param host name or numeric address, as `URL.hostname` has it
 */
export async function leadsToPublicAddress(host: string, resolve: Resolve = systemResolve): Promise<boolean> {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) !== 0) return isPublicAddress(name);
  if (!name.includes('.') || isLocalName(name)) return false;
  const found = await resolve(name).catch(() => []);
  return found.every(({ address }) => isPublicAddress(address));
}

/** What finds the addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

const systemResolve: Resolve = (name) =>
  new Promise((resolve, reject) => {
    lookUpName(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

/**
 * Looks names up for a connection, and refuses one that leads anywhere but to the public internet. The address that was
 * looked at is the one that is connected to, so a name that changes its address in between gains nothing.
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
