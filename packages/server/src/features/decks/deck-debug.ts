import { topicOf } from '@stem-studio/contract/channel';
import { type DeckMessage, type DeckReply, deckDebugChannel } from '@stem-studio/contract/events/decks';
import type { Context } from '../../platform/context.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { publish } from '../../platform/socket/publish.ts';
import * as store from './decks.store.ts';

/**
 * Interval at which each process records the debug logs open in it, in s. A record is valid slightly longer than
 * twice that.
 */
export const watchSeconds = 10;
const heldMs = 25_000;
/** Maximum length of the detail of a log entry, in characters. */
const detailLength = 400;

/**
 * Publishes the outcome of a message to its session's debug log if any process has a reader. The session's row, which
 * is loaded anyway, shows whether one does, so no extra query is needed.
 *
 * @param row session before the message; null if there is none
 * @param outcome reply, or the reason for none
 */
export async function publishToDebugLog(
  context: Context,
  row: store.DeckSessionRow | null,
  message: DeckMessage,
  outcome: DeckReply | Error,
): Promise<void> {
  const now = context.clock.now();
  if (row === null || row.debug_until === null || row.debug_until < now) return;
  const { event, deck, ...fields } = { deck: null, ...message };
  const isRefused = outcome instanceof Error;
  await publish(context.db, deckDebugChannel, { deck_session_id: row.id }, 'debug_log', {
    at: now.getTime(),
    event,
    deck,
    accepted: isRefused ? false : outcome.accepted,
    version: isRefused ? row.version : outcome.version,
    detail: `${reasonOf(outcome)}${JSON.stringify(fields)}`.slice(0, detailLength).toWellFormed(),
  });
}

function reasonOf(outcome: DeckReply | Error): string {
  if (outcome instanceof Error) return `${outcome.message}: `;
  if (outcome.retry_after !== undefined) return `too soon, again in ${outcome.retry_after} s: `;
  return outcome.accepted ? '' : 'late, twice, or too soon: ';
}

/** Opens the debug log of a session. Returns false if the caller has no such session. */
export async function openDebugLog(context: Context, viewer: Viewer, id: string): Promise<boolean> {
  if (!(await store.findDeckSession(context.db, viewer.id, id))) return false;
  await store.updateDebugUntil(context.db, [id], untilOf(context));
  return true;
}

/** Renews the records of the debug logs open in this process. */
export async function keepDebugLogs(context: Context): Promise<void> {
  const prefix = topicOf(deckDebugChannel, { deck_session_id: '' });
  const ids = context.bus.topicsOf(prefix).map((topic) => topic.slice(prefix.length));
  await store.updateDebugUntil(context.db, ids, untilOf(context));
}

const untilOf = (context: Context) => new Date(context.clock.now().getTime() + heldMs);
