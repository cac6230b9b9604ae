import type { IncomingMessage } from 'node:http';
import { default as addressBehind, compile } from '@fastify/proxy-addr';

/**
 * Creates a function that returns the client address of a request. This is the address of the connection, or behind a
 * trusted proxy the forwarded one. Follows the rules of the HTTP framework, for requests that bypass it.
 *
 * @param trustedProxies addresses, networks, or names such as `loopback`
 */
export function createAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compile([...trustedProxies]);
  // A closed connection has no remote address.
  return (request) => (request.socket.remoteAddress === undefined ? '' : addressBehind(request, isTrusted));
}
