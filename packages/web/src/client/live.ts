import { Scope } from '@stem-studio/audio/base/scope';
import { quietReply, topicOf } from '@stem-studio/contract/channel';
import { catalogChannel } from '@stem-studio/contract/events/catalog';
import { jobProgress } from '@stem-studio/contract/events/job-progress';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { closeCodes } from '@stem-studio/contract/frame';
import type { QueryClient } from '@tanstack/react-query';
import { Socket } from 'phoenix';
import { pageAgeMs } from '../base/page-time.ts';
import { refetchCrateLists, refetchSmartCrates } from './crate-queries.ts';
import { addDuplicate, settleDuplicates } from './duplicates.ts';
import { noteAccount } from './last-account.ts';
import { forgetTrack, mergeImport, mergeJob, mergeMixJob, mergeScan, mergeTrack } from './merge-events.ts';
import { mergeNetworkJob } from './merge-network.ts';
import { renewCsrfToken, renewedLogin } from './renew-csrf-token.ts';
import { noteReach } from './service-reach.ts';

/**
 * Status of the socket connection: `connecting` before the first join, `lost` after an interruption, `ended` after the
 * login session ended, `renewed` after a new log-in whose CSRF token this page has not obtained yet.
 */
export type LiveStatus = 'connecting' | 'joined' | 'lost' | 'ended' | 'renewed';

/** Queries that events update. If fetched before the first join, they may have missed a change. */
const pushedKeys: readonly unknown[] = [
  'tracks',
  'track',
  'jobs',
  'imports',
  'import',
  'processing-job',
  'separations',
  'cues',
  'grid',
  'notes',
  'mixes',
  'networks',
  'crates',
  'crate-count',
];

/** Least time between two refetches of the same list, in milliseconds. */
const REFETCH_MS = 1000;

/**
 * Joins the user's library topic and merges its events into the query cache. After each join the queries in use are
 * refetched once if events before the join were missed. The returned function closes the connection.
 *
 * `socket → parse → query cache → panels`
 */
export function openLive(
  client: QueryClient,
  userId: number,
  onStatus: (status: LiveStatus) => void,
): () => void {
  const socket = new Socket('/socket', { heartbeatIntervalMs: 25_000, reconnectAfterMs: backoffMs });
  const channel = socket.channel(topicOf(libraryChannel, { user_id: userId }));
  const scope = new Scope();
  const lists = refetchSoon(client, scope);
  const { pushes } = libraryChannel;

  channel.on('track_created', (payload: unknown) => {
    const event = pushes.track_created.safeParse(payload);
    if (!event.success) return;
    client.setQueryData(['track', event.data.track.id], event.data.track);
    lists.request('tracks');
    lists.request('smart-crates');
  });
  channel.on('track_updated', (payload: unknown) => {
    const event = pushes.track_updated.safeParse(payload);
    if (!event.success) return;
    mergeTrack(client, event.data.track);
    lists.request('smart-crates');
  });
  channel.on('track_deleted', (payload: unknown) => {
    const event = pushes.track_deleted.safeParse(payload);
    if (!event.success) return;
    forgetTrack(client, event.data.track_id);
    settleDuplicates([event.data.track_id]);
    lists.request('tracks');
    lists.request('jobs');
    lists.request('smart-crates');
    lists.request('crates');
  });
  channel.on('import_progress', (payload: unknown) => {
    const event = pushes.import_progress.safeParse(payload);
    if (event.success) mergeImport(client, event.data.import);
  });
  channel.on('duplicate_found', (payload: unknown) => {
    const event = pushes.duplicate_found.safeParse(payload);
    if (event.success) addDuplicate(event.data);
  });
  channel.on('crates_updated', (payload: unknown) => {
    const event = pushes.crates_updated.safeParse(payload);
    if (!event.success) return;
    const { crate_id } = event.data;
    void client.invalidateQueries({ queryKey: ['crates'] });
    if (crate_id === null) return;
    void client.invalidateQueries({ queryKey: ['crate-count', crate_id] });
    void refetchCrateLists(client, [crate_id]);
  });
  channel.on('cues_updated', (payload: unknown) => {
    const event = pushes.cues_updated.safeParse(payload);
    if (event.success) void client.invalidateQueries({ queryKey: ['cues', event.data.track_id] });
  });
  channel.on('grid_updated', (payload: unknown) => {
    const event = pushes.grid_updated.safeParse(payload);
    if (event.success) void client.invalidateQueries({ queryKey: ['grid', event.data.track_id] });
  });
  channel.on('notes_updated', (payload: unknown) => {
    const event = pushes.notes_updated.safeParse(payload);
    if (event.success) void client.invalidateQueries({ queryKey: ['notes', event.data.track_id] });
  });
  channel.on('library_changed', (payload: unknown) => {
    if (!pushes.library_changed.safeParse(payload).success) return;
    // The event does not name the tracks: refetches every query in use.
    for (const key of ['tracks', 'track', 'jobs', 'crates', 'smart-crates'] as const) lists.request(key);
  });
  channel.on('job_progress', (payload: unknown) => {
    const event = jobProgress.safeParse(payload);
    if (!event.success) return;
    mergeJob(client, event.data, () => lists.request('jobs'));
    mergeNetworkJob(client, event.data);
    mergeMixJob(client, event.data);
  });

  const folder = socket.channel(topicOf(catalogChannel, {}));
  folder.on('scan_progress', (payload: unknown) => {
    const event = catalogChannel.pushes.scan_progress.safeParse(payload);
    if (event.success) mergeScan(client, event.data.scan);
  });

  let hasJoined = false;
  let isEnded = false;
  const lost = () => {
    if (!hasJoined || scope.isDisposed) return;
    if (!isEnded) noteReach(false);
    onStatus(isEnded ? 'ended' : 'lost');
  };
  const renew = async (tries = 1): Promise<void> => {
    isEnded = !(await renewCsrfToken());
    if (scope.isDisposed) return;
    onStatus(isEnded ? 'renewed' : 'joined');
    if (isEnded) scope.after(backoffMs(tries), () => void renew(tries + 1));
    else renewedLogin.setState({ userId });
  };
  channel
    .join()
    .receive('ok', (reply: unknown) => {
      noteReach(true);
      if (isEnded) void renew();
      else onStatus('joined');
      const isFirst = !hasJoined;
      hasJoined = true;
      if (isFirst && hasMissedNothing(reply)) return;
      void client.invalidateQueries({
        predicate: ({ queryKey }) => !isFirst || pushedKeys.includes(queryKey[0]),
      });
    })
    // The browser is logged in as another user by now: nothing of the former user is shown, and the library of the new
    // account is joined as soon as it is known.
    .receive('error', () => void renewCsrfToken().then(() => client.resetQueries()));
  let hasJoinedFolder = false;
  folder.join().receive('ok', (reply: unknown) => {
    const isFirst = !hasJoinedFolder;
    hasJoinedFolder = true;
    if (!isFirst || !hasMissedNothing(reply)) void client.invalidateQueries({ queryKey: ['catalog-scan'] });
  });
  channel.onError(lost);
  socket.onError(lost);
  socket.onClose((event: { code?: number } | undefined) => {
    if (event?.code === closeCodes.loginEnded) {
      isEnded = true;
      noteAccount(null);
    }
    lost();
  });
  socket.connect();
  return () => {
    scope.dispose();
    channel.leave();
    folder.leave();
    socket.disconnect();
  };
}

/** Returns whether a topic had no event since the page was opened, before which nothing was fetched. */
function hasMissedNothing(reply: unknown): boolean {
  const parsed = quietReply.safeParse(reply);
  return parsed.success && parsed.data.quiet_ms > pageAgeMs();
}

/** Returns the delay before attempt `tries` (from 1) to reconnect, in milliseconds: 1,000 to 10,000. */
function backoffMs(tries: number): number {
  return [1000, 2000, 5000][tries - 1] ?? 10_000;
}

function refetchSoon(client: QueryClient, scope: Scope) {
  const paused = new Set<string>();
  const requested = new Set<string>();
  return {
    /** Refetches a list at once, or after the pause since the last refetch. */
    request(key: 'tracks' | 'track' | 'jobs' | 'crates' | 'smart-crates') {
      if (paused.has(key)) {
        requested.add(key);
        return;
      }
      paused.add(key);
      if (key === 'smart-crates') refetchSmartCrates(client);
      else void client.invalidateQueries({ queryKey: [key] });
      scope.after(REFETCH_MS, () => {
        paused.delete(key);
        if (requested.delete(key)) this.request(key);
      });
    },
  };
}
