// The attacking process of socket-joins.ts: reopens sockets whenever they are closed, and joins continuously.
import { WebSocket } from 'ws';
import type { JoinAttackCounts, JoinAttackOrder } from './socket-joins-messages.ts';

const counts: JoinAttackCounts = { opened: 0, refused: 0, closed: 0, joins: 0, replies: {} };
const topics = ['jobs', 'decks', 'daw', 'deck_debug'];
/** Pause in ms before a closed or rejected socket is reopened. */
const againMs = 500;

function enter(order: JoinAttackOrder): void {
  const { url, joinsAtOnce, everyMs } = order;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let sending: NodeJS.Timeout | undefined;
  let isOpen = false;
  socket.on('error', () => undefined);
  socket.on('open', () => {
    isOpen = true;
    counts.opened += 1;
    const joinMany = () => {
      for (let i = 0; i < joinsAtOnce; i++) {
        counts.joins += 1;
        const topic = `${topics[counts.joins % topics.length]}:${crypto.randomUUID()}`;
        socket.send(JSON.stringify(['1', String(counts.joins), topic, 'phx_join', {}]));
      }
    };
    joinMany();
    sending = setInterval(joinMany, everyMs);
  });
  socket.on('message', (data: Buffer) => {
    const [, , , , payload] = JSON.parse(data.toString()) as [unknown, unknown, unknown, unknown, unknown];
    const { response } = payload as { response?: { reason?: string } };
    const reason = response?.reason ?? 'joined';
    counts.replies[reason] = (counts.replies[reason] ?? 0) + 1;
  });
  socket.on('close', () => {
    clearInterval(sending);
    if (isOpen) counts.closed += 1;
    else counts.refused += 1;
    setTimeout(() => enter(order), againMs);
  });
}

process.on('message', (order: JoinAttackOrder) => {
  for (let i = 0; i < order.sockets; i++) enter(order);
  setInterval(() => process.send?.(counts), 200);
});
