import { byteText } from '@stem-studio/contract/byte-text';
import { attempts, concurrency } from '@stem-studio/contract/limits';
import type { Context } from '../../../platform/context.ts';
import { withJobSpace } from '../../../platform/disk/reserve-space.ts';
import { messageOf } from '../../../platform/errors.ts';
import { done, fail, snooze, type Verdict } from '../../../platform/queue/verdict.ts';
import { defineWorker, type JobRun } from '../../../platform/queue/worker.ts';
import { NetworkRefused } from '../networks/network-refused.ts';
import { NetworkBusyError, partialBytes } from './downloads-folder.ts';
import { type InstallProgress, installNetwork } from './install-network.ts';
import { mayDownload } from './network.service.ts';
import { type NetworkArgs, storedNetworkArgs } from './network-args.ts';
import { type CatalogueEntry, findCatalogueEntry, neededSpace } from './network-catalogue.ts';

/** Time after which a job tries again while another process downloads the network, in seconds. */
const busySeconds = 15;

/** Downloads and installs a network of the catalogue. A cancelled or failed job keeps what has arrived. */
export const networkWorker = defineWorker<NetworkArgs>({
  type: 'network',
  args: storedNetworkArgs,
  concurrency: () => concurrency.network,
  attempts: attempts.network,
  runningStatus: 'processing',
  queuedMessage: 'waiting for another download',
  async perform(args, run, context) {
    const entry = await findCatalogueEntry(context.config, args.name);
    if (!entry) return fail(`The catalogue has no network ${args.name} any more.`);
    if (!(await mayDownload(context, run.userId))) return fail('Only an admin may download networks.');
    if (entry.licence.must_accept && !args.is_licence_accepted)
      return fail(`The terms of ${entry.title} have changed: read and accept them, then download it again.`);
    const missing = Math.max(0, neededSpace(entry) - (await partialBytes(context.config, entry)));
    return withJobSpace(context, run, missing, () => install(context, run, entry, args));
  },
});

async function install(
  context: Context,
  run: JobRun,
  entry: CatalogueEntry,
  { model }: NetworkArgs,
): Promise<Verdict> {
  const { config, clock } = context;
  try {
    await installNetwork(entry, model, {
      config,
      clock,
      signal: run.signal,
      onProgress: (progress) => void run.report(reportOf(entry, progress)),
    });
    return done();
  } catch (error) {
    if (error instanceof NetworkBusyError) return snooze(busySeconds, 'waiting for another download of it');
    if (error instanceof NetworkRefused) return fail(messageOf(error));
    throw error;
  }
}

function reportOf({ title }: CatalogueEntry, { fraction, stage, bytes, etaSeconds }: InstallProgress) {
  const size = bytes?.total ? ` of ${byteText(bytes.total)}` : '';
  return {
    progress: Math.floor(fraction * 100),
    message: bytes ? `${title}: ${byteText(bytes.done)}${size}` : `${title}: ${stage}`,
    eta_seconds: etaSeconds ?? null,
  };
}
