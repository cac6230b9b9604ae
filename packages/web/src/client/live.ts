import { Scope } from '@stem-studio/audio/base/scope';
import { topicOf } from '@stem-studio/contract/channel';
import { catalogChannel } from '@stem-studio/contract/events/catalog';
import { jobProgress } from '@stem-studio/contract/events/job-progress';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { closeCodes } from '@stem-studio/contract/frame';
import type { QueryClient } from '@tanstack/react-query';
import { Socket } from 'phoenix';
import { forgetTrack, mergeImport, mergeJob, mergeScan, mergeTrack } from './merge-news.ts';
import { renewCsrfToken, renewedLogin } from './renew-csrf-token.ts';

/**
 * Whether news arrive: `connecting` before the first time, `lost` after a break, `ended` with the login, and `renewed`
 * when there is a new one that could not be taken on: the news come, but this page has the CSRF token of the old one.
 */
export type LiveStatus = 'connecting' | 'joined' | 'lost' | 'ended' | 'renewed';

/** What the socket tells about. Fetched before the first join, it may have changed meanwhile. */
const toldKeys: readonly unknown[] = [
  'tracks',
  'track',
  'jobs',
  'imports',
  'import',
  'processing-job',
  'cues',
  'grid',
  'notes',
];

/** Lists that have to be fetched again are fetched at most so often, however many events ask for it. */
const REFETCH_MS = 1000;

/**
 * Joins the user's library topic and keeps `client` up to date with what it says. After each join what is in view is
 * fetched once, because what happened before it was told to nobody. `onStatus` hears how the connection stands; the
 * returned function closes it.
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
    const news = pushes.track_created.safeParse(payload);
    if (!news.success) return;
    client.setQueryData(['track', news.data.track.id], news.data.track);
    lists.ask('tracks');
  });
  channel.on('track_updated', (payload: unknown) => {
    const news = pushes.track_updated.safeParse(payload);
    if (news.success) mergeTrack(client, news.data.track);
  });
  channel.on('track_deleted', (payload: unknown) => {
    const news = pushes.track_deleted.safeParse(payload);
    if (!news.success) return;
    forgetTrack(client, news.data.track_id);
    lists.ask('tracks');
    lists.ask('jobs');
  });
  channel.on('import_progress', (payload: unknown) => {
    const news = pushes.import_progress.safeParse(payload);
    if (news.success) mergeImport(client, news.data.import);
  });
  channel.on('cues_updated', (payload: unknown) => {
    const news = pushes.cues_updated.safeParse(payload);
    if (news.success) void client.invalidateQueries({ queryKey: ['cues', news.data.track_id] });
  });
  channel.on('grid_updated', (payload: unknown) => {
    const news = pushes.grid_updated.safeParse(payload);
    if (news.success) void client.invalidateQueries({ queryKey: ['grid', news.data.track_id] });
  });
  channel.on('notes_updated', (payload: unknown) => {
    const news = pushes.notes_updated.safeParse(payload);
    if (news.success) void client.invalidateQueries({ queryKey: ['notes', news.data.track_id] });
  });
  channel.on('library_changed', (payload: unknown) => {
    if (!pushes.library_changed.safeParse(payload).success) return;
    // Which ones is not said: whatever is in view is fetched again.
    for (const key of ['tracks', 'track', 'jobs'] as const) lists.ask(key);
  });
  channel.on('job_progress', (payload: unknown) => {
    const news = jobProgress.safeParse(payload);
    if (news.success) mergeJob(client, news.data, () => lists.ask('jobs'));
  });

  const folder = socket.channel(topicOf(catalogChannel, {}));
  folder.on('scan_progress', (payload: unknown) => {
    const news = catalogChannel.pushes.scan_progress.safeParse(payload);
    if (news.success) mergeScan(client, news.data.scan);
  });

  let hasJoined = false;
  let isEnded = false;
  const lost = () => {
    if (hasJoined && !scope.isDisposed) onStatus(isEnded ? 'ended' : 'lost');
  };
  const renew = async () => {
    isEnded = !(await renewCsrfToken());
    if (scope.isDisposed) return;
    onStatus(isEnded ? 'renewed' : 'joined');
    if (!isEnded) renewedLogin.setState({ userId });
  };
  channel
    .join()
    .receive('ok', () => {
      if (isEnded) void renew();
      else onStatus('joined');
      const isFirst = !hasJoined;
      hasJoined = true;
      void client.invalidateQueries({
        predicate: ({ queryKey }) => !isFirst || toldKeys.includes(queryKey[0]),
      });
    })
    // By now this browser is logged in as somebody else: the account says who, and their library is joined.
    .receive('error', () => void client.invalidateQueries({ queryKey: ['account'] }));
  folder.join().receive('ok', () => void client.invalidateQueries({ queryKey: ['catalog-scan'] }));
  channel.onError(lost);
  socket.onError(lost);
  socket.onClose((event: { code?: number } | undefined) => {
    if (event?.code === closeCodes.loginEnded) isEnded = true;
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

/** Waits before attempt `tries` to connect again: a second at first, never more than ten. */
function backoffMs(tries: number): number {
  return [1000, 2000, 5000][tries - 1] ?? 10_000;
}

function refetchSoon(client: QueryClient, scope: Scope) {
  const resting = new Set<string>();
  const asked = new Set<string>();
  return {
    /** At once where nothing was asked for lately, else when the pause is over. */
    ask(key: 'tracks' | 'track' | 'jobs') {
      if (resting.has(key)) {
        asked.add(key);
        return;
      }
      resting.add(key);
      void client.invalidateQueries({ queryKey: [key] });
      scope.after(REFETCH_MS, () => {
        resting.delete(key);
        if (asked.delete(key)) this.ask(key);
      });
    },
  };
}
