import type { Scope } from '@stem-studio/audio/base/scope';
import { topicOf } from '@stem-studio/contract/channel';
import { deckDebugChannel } from '@stem-studio/contract/events/decks';
import { Socket } from 'phoenix';
import { pageMeta } from '../../client/page-meta.ts';
import type { DebugLine } from './dj-engine.ts';

/**
 * Receives the debug log of a deck session for as long as `scope` lives; the service sends it only while the topic is
 * joined.
 */
export function followDebugLog(
  deck_session_id: string,
  scope: Scope,
  onLine: (line: DebugLine) => void,
): void {
  const socket = new Socket('/live', { params: { _csrf_token: pageMeta('csrf-token') } });
  const channel = socket.channel(topicOf(deckDebugChannel, { deck_session_id }));
  channel.on('debug_log', (payload: unknown) => {
    const line = deckDebugChannel.pushes.debug_log.safeParse(payload);
    if (line.success && !scope.isDisposed) onLine(line.data);
  });
  channel.join();
  socket.connect();
  scope.own(() => {
    channel.leave();
    socket.disconnect();
  });
}
