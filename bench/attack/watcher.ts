// A process that requests the attacked service's `/health`, and tracks as an honest user, until it is stopped.
import { health } from '@stem-studio/contract/endpoints/health';
import { listTracks } from '@stem-studio/contract/endpoints/tracks';
import { type WatchOrder, type WatchReport, watchEveryMs } from './watch-messages.ts';

/** Response time in ms above which a request counts as failed. */
const hangMs = 1000;
const stopping = new AbortController();
let failures = 0;

async function measure(address: string, path: string, headers: Readonly<Record<string, string>>) {
  const times: number[] = [];
  while (!stopping.signal.aborted) {
    const startedMs = performance.now();
    try {
      const reply = await fetch(address + path, { headers, signal: stopping.signal });
      await reply.arrayBuffer();
      if (!reply.ok) failures += 1;
    } catch {
      // A request in progress at the end of the measurement is a failure only if it has exceeded the limit.
      if (!stopping.signal.aborted || performance.now() - startedMs > hangMs) failures += 1;
    }
    const ms = performance.now() - startedMs;
    times.push(ms);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, watchEveryMs - ms)));
  }
  return times;
}

let measuring: Promise<[number[], number[]]> | null = null;
process.on('message', (order: WatchOrder) => {
  if ('watch' in order) {
    const { address, headers } = order.watch;
    measuring = Promise.all([
      measure(address, health.path, {}),
      measure(address, `${listTracks.path}?page_size=20`, headers),
    ]);
    return;
  }
  stopping.abort();
  void (measuring ?? Promise.resolve<[number[], number[]]>([[], []])).then(([healthMs, honestMs]) => {
    const report: WatchReport = { health: healthMs, honest: honestMs, failures };
    process.send?.(report, () => process.exit(0));
  });
});
