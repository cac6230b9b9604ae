// The peer: a server that only broadcasts its parent's messages to all clients, with the same socket library.
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('listening', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', ({ say }: { say: string }) => {
  for (const client of server.clients) client.send(say);
});
