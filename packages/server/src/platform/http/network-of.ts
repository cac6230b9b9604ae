import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the key under which an address is rate-limited before login. This is the IPv4 address, or the /64 network of
 * an IPv6 address, because every subscriber has at least one whole such network. An IPv4-mapped IPv6 address counts as
 * IPv4.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6177
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(plain)) return plain;
  const [before = '', after] = plain.split('::', 2);
  const head = before.split(':').filter((group) => group !== '');
  const tail = (after ?? '').split(':').filter((group) => group !== '');
  const groups = tail.some((group) => group.includes('.')) ? 7 : 8;
  const zeros = after === undefined ? 0 : Math.max(0, groups - head.length - tail.length);
  const all = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
