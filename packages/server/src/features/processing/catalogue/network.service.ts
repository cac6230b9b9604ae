import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { downloadNetwork } from '@stem-studio/contract/endpoints/networks';
import type { Network } from '@stem-studio/contract/resources/network';
import { hasRole } from '@stem-studio/contract/roles';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { Context } from '../../../platform/context.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { JobRow } from '../../../platform/db/platform-tables.ts';
import { invalid, notFound, stateForbids } from '../../../platform/errors.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { listJobs } from '../../../platform/queue/jobs.store.ts';
import { type AcceptedJob, requestJobOnce } from '../../../platform/queue/jobs.ts';
import { recordAudit } from '../../audit/index.ts';
import { requireQuota } from '../../quotas/index.ts';
import { findUser } from '../../users/index.ts';
import { NetworkBusyError, partialBytes } from './downloads-folder.ts';
import { type NetworkArgs, storedNetworkArgs } from './network-args.ts';
import { type CatalogueEntry, downloadSize, findCatalogueEntry, readCatalogue } from './network-catalogue.ts';
import { installedBytes, listServedModels, removeNetwork } from './remove-network.ts';

/** Number of newest jobs in which the state of downloads is looked up. */
const recentJobs = 100;

/** Returns the newest job of each network, of any admin. */
async function newestDownloads(db: Db | Tx): Promise<ReadonlyMap<string, JobRow>> {
  const newest = new Map<string, JobRow>();
  for (const job of await listJobs(db, { type: 'network', limit: recentJobs })) {
    const args = storedNetworkArgs.read(db, job.args, job.id);
    if (args !== null && !newest.has(args.name)) newest.set(args.name, job);
  }
  return newest;
}

/** Returns the catalogue for admins: what is installed, what is being downloaded and what failed. */
export async function showNetworks(context: Context): Promise<Network[]> {
  const [entries, jobs] = await Promise.all([readCatalogue(context.config), newestDownloads(context.db)]);
  return Promise.all(
    entries.map(async (entry) => {
      const { name, title, about, stems, serves, licence } = entry;
      const served = await listServedModels(context.config, name);
      const { bytes, isExact } = downloadSize(entry);
      const job = jobs.get(name);
      return {
        name,
        title,
        about,
        stems,
        serves,
        licence,
        download_bytes: bytes,
        is_exact: isExact,
        partial_bytes: await partialBytes(context.config, entry),
        installed_bytes: installedBytes(served),
        installed: served.map(({ model, installed }) => ({ model, added_at: installed.added_at })),
        job: job && job.status !== 'completed' ? presentJob(job) : null,
      };
    }),
  );
}

function presentJob({
  id,
  status,
  progress,
  message,
  eta_seconds,
  error,
}: JobRow): NonNullable<Network['job']> {
  return { job_id: id, status, progress, message, eta_seconds, error };
}

async function getEntry(context: Context, name: string): Promise<CatalogueEntry> {
  const entry = await findCatalogueEntry(context.config, name);
  if (!entry) throw notFound('network');
  return entry;
}

/**
 * Requests the download of a network as a job of the admin, unless a job of any admin does that already. Writes the
 * acceptance of the licence to the audit log. Throws `NOT_FOUND`, `LICENCE_NOT_ACCEPTED`, `QUOTA_EXCEEDED`, or
 * `VALIDATION_ERROR` for a model that the network cannot serve.
 */
export async function requestNetwork(
  context: Context,
  viewer: Viewer,
  name: string,
  { model: wanted, accept_licence: isAccepted }: HandlerInput<typeof downloadNetwork>['body'],
): Promise<AcceptedJob & { readonly model: SeparationModelName }> {
  const entry = await getEntry(context, name);
  const model = wanted ?? entry.serves[0];
  if (model === undefined || !entry.serves.includes(model))
    throw invalid({ model: [`must be ${entry.serves.join(' or ')} (got ${model})`] });
  if (entry.licence.must_accept && !isAccepted)
    throw stateForbids('LICENCE_NOT_ACCEPTED', `${entry.licence.notice} Send accept_licence to accept this.`);
  const args: NetworkArgs = { name, model, is_licence_accepted: isAccepted };
  const isSame = (job: JobRow, db: Db | Tx): boolean =>
    job.finished_at === null && storedNetworkArgs.read(db, job.args, job.id)?.name === name;
  return context.db.transaction().execute(async (tx) => {
    const running = (await newestDownloads(tx)).get(name);
    if (running && isSame(running, tx)) return { job: running, existing: true, model };
    const accepted = await requestJobOnce(
      context,
      tx,
      { type: 'network', user_id: viewer.id, subject: null, args },
      (job) => isSame(job, tx),
      (locked) => requireQuota(context, locked, viewer.id, { what: 'this', jobs: 1 }),
    );
    if (!accepted.existing)
      await recordAudit(tx, {
        action: 'network_requested',
        actor_user_id: viewer.id,
        target_user_id: null,
        details: { network: name, model, is_licence_accepted: isAccepted },
      });
    return { ...accepted, model };
  });
}

/** Removes a network. Returns the freed bytes. Throws `NOT_FOUND`; `NETWORK_BUSY` while it is downloaded. */
export async function deleteNetwork(context: Context, viewer: Viewer, name: string): Promise<number> {
  const entry = await getEntry(context, name);
  const job = (await newestDownloads(context.db)).get(name);
  if (job && job.finished_at === null)
    throw stateForbids('NETWORK_BUSY', `${entry.title} is being downloaded: cancel that first`);
  const freed = await removeNetwork(context.config, entry).catch((error: unknown) => {
    throw error instanceof NetworkBusyError ? stateForbids('NETWORK_BUSY', error.message) : error;
  });
  await context.db.transaction().execute((tx) =>
    recordAudit(tx, {
      action: 'network_removed',
      actor_user_id: viewer.id,
      target_user_id: null,
      details: { network: name },
    }),
  );
  return freed;
}

/** Returns whether a user may still download networks: a job may start long after its request. */
export async function mayDownload(context: Context, userId: number): Promise<boolean> {
  const user = await findUser(context.db, userId);
  return user !== undefined && user !== null && user.status === 'active' && hasRole(user.role, 'admin');
}
