import type { IncomingMessage } from 'node:http';
import { default as addressBehind, compile } from '@fastify/proxy-addr';

/**
 * Reads who sent a request: the address of the connection, or behind a trusted proxy the one that it forwards. Counts
 * as the HTTP framework does, for what never becomes one of its requests.
 *
 * @param trustedProxies addresses, networks, or names such as `loopback`
 */
export function createAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compile([...trustedProxies]);
  // A connection that is gone has no address any more.
  return (request) => (request.socket.remoteAddress === undefined ? '' : addressBehind(request, isTrusted));
}
