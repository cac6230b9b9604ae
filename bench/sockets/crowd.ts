// A process with many clients of one service, so that their load is not the service's. Controlled by its parent.
import { WebSocket } from 'ws';
import type { CrowdOrder, CrowdReport } from './crowd-messages.ts';

const sockets: WebSocket[] = [];
let latencies: number[] = [];
let expected = 0;
const heartbeat = JSON.stringify([null, 'h', 'phoenix', 'heartbeat', {}]);
setInterval(() => {
  for (const socket of sockets) socket.send(heartbeat);
}, 20_000);

const report = (report: CrowdReport) => process.send?.(report);
const now = () => performance.timeOrigin + performance.now();

const before = Buffer.from('"message":"');

function receive(data: Buffer): void {
  // The message contains the time at which it was sent; parsing the whole message would add time to the measurement.
  const at = data.indexOf(before);
  if (at < 0) return;
  const start = at + before.length;
  latencies.push(now() - Number(data.toString('latin1', start, data.indexOf(34, start))));
  if (latencies.length === expected) report({ latencies });
}

function enter(url: string, topic: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    let isIn = topic === null;
    sockets.push(socket);
    socket.on('error', reject);
    socket.on('close', (code, reason) => reject(new Error(`closed with ${code}: ${reason.toString()}`)));
    socket.on('open', () => {
      if (topic === null) resolve();
      else socket.send(JSON.stringify(['1', '1', topic, 'phx_join', {}]));
    });
    socket.on('message', (data: Buffer) => {
      // The first message is the reply to the join.
      if (isIn) receive(data);
      isIn = true;
      resolve();
    });
  });
}

process.on('message', (order: CrowdOrder) => {
  if ('expect' in order) {
    latencies = [];
    expected = order.expect;
    report({ listening: true });
    return;
  }
  void (async () => {
    const waiting = [...order.enter];
    const next = async () => {
      for (let one = waiting.pop(); one; one = waiting.pop()) await enter(one.url, one.topic);
    };
    await Promise.all(Array.from({ length: 20 }, next));
    report({ entered: sockets.length });
  })();
});
