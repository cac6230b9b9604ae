import type { Scope } from '@stem-studio/audio/base/scope';
import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { outputUse } from './output-use.state.ts';

/** Interval of the announcements of a page whose decks play, in ms. */
const ANNOUNCE_MS = 2000;
/** Time without an announcement after which the decks of another page count as stopped, in ms. */
const SILENT_MS = 5000;

const message = z.discriminatedUnion('type', [
  /** The decks of the sender play a song, or nothing any more for null. */
  z.object({ type: z.literal('playing'), user_id: z.int(), title: z.string().nullable() }),
  /** The page that plays shall pause. */
  z.object({ type: z.literal('pause'), user_id: z.int() }),
]);
type Message = z.infer<typeof message>;

/** What the decks of another page of this browser play, for the same user; null for nothing. */
export const decksElsewhere = createStore<{ readonly title: string | null }>(() => ({ title: null }));

let pauseThem: () => void = () => undefined;

/** Pauses the decks of the other page. */
export function pauseDecksElsewhere(): void {
  pauseThem();
}

/**
 * Announces to the other pages of this browser what the decks of this one play, and receives theirs, until `scope` ends.
 *
 * @param userId user of this page; pages of another user are ignored
 */
export function shareDecks(scope: Scope, userId: number): void {
  const channel = new BroadcastChannel('stem-studio-decks');
  scope.own(() => channel.close());
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin
  const send = (sent: Message) => channel.postMessage(sent);
  const announce = () => send({ type: 'playing', user_id: userId, title: ownTitle() });
  scope.own(outputUse.subscribe((now, before) => now.decks !== before.decks && announce()));
  scope.every(ANNOUNCE_MS, () => {
    if (ownTitle() !== null) announce();
  });
  scope.listen(globalThis, 'pagehide', () => {
    if (ownTitle() !== null) send({ type: 'playing', user_id: userId, title: null });
  });
  pauseThem = () => send({ type: 'pause', user_id: userId });
  let cancel: () => void = () => undefined;
  scope.listen(channel, 'message', (event) => {
    const received = message.safeParse((event as MessageEvent<unknown>).data);
    if (!received.success || received.data.user_id !== userId) return;
    if (received.data.type === 'pause') {
      outputUse.getState().decks?.pause();
      return;
    }
    cancel();
    decksElsewhere.setState({ title: received.data.title });
    if (received.data.title !== null)
      cancel = scope.after(SILENT_MS, () => decksElsewhere.setState({ title: null }));
  });
  scope.own(() => decksElsewhere.setState({ title: null }));
}

function ownTitle(): string | null {
  return outputUse.getState().decks?.title ?? null;
}
