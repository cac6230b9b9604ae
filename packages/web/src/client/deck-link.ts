import { Scope } from '@stem-studio/audio/base/scope';
import { topicOf } from '@stem-studio/contract/channel';
import {
  type DeckMessage,
  type DeckPush,
  type DeckPushEvent,
  deckChannel,
  deckReply,
  deckWelcome,
} from '@stem-studio/contract/events/decks';
import { closeCodes } from '@stem-studio/contract/frame';
import { type DeckId, type DeckSessionState, deckIds } from '@stem-studio/contract/resources/deck-session';
import type { Channel, Socket } from 'phoenix';
import { meetOther } from './decks/carry-over.ts';
import { DeckLedger } from './decks/deck-ledger.ts';
import { DeckOutbox, type PendingMessage } from './decks/deck-outbox.ts';
import type { LinkedDecks } from './decks/linked-decks.ts';
import type { ServiceClock } from './decks/service-clock.ts';
import { SoundTurn } from './decks/sound-turn.ts';
import type { DeckWindows } from './decks/window-locks.ts';

/**
 * How the link stands: `lost` after a break, until it is back; `ended` with the login; `apart` where the next login has
 * other decks already, while something plays here.
 */
export type DeckLinkStatus = 'connecting' | 'joined' | 'lost' | 'ended' | 'apart';

/** What {@link openDeckLink} needs. */
export interface DeckLinkOptions {
  readonly decks: LinkedDecks;
  /** Set by the service's answers; the decks reckon by it too. */
  readonly clock: ServiceClock;
  /** Milliseconds by this machine's clock, such as `pageTimeMs`. */
  readonly ownMs: () => number;
  /** A socket to `/live`, not yet connected. */
  readonly socket: Socket;
  /** This window's name, one that no other window has ever had, such as `randomName()`. */
  readonly client: string;
  /** The other windows of this browser. */
  readonly windows: DeckWindows;
  readonly onStatus?: (status: DeckLinkStatus) => void;
  /** The service refused what was done here, in its words: a track that is gone, or has no sound yet. */
  readonly onRefused?: (reason: string, message: DeckMessage) => void;
}

/** The link of this window's decks with its session. */
export interface DeckLink {
  readonly client: string;
  /** Id of the deck session; null before it is joined. */
  readonly sessionId: () => string | null;
  /** Lets the sound come from this window. */
  readonly takeSound: () => void;
  /** Pauses what sounds here and gives the sound away: for the moment when the page goes. */
  readonly leaveSound: () => void;
  /** Begins again after its end, under the login that there is now; what stands here is carried into its session. */
  readonly renew: () => void;
  /** Gives the sound away and leaves. */
  readonly dispose: () => void;
}

/** A version that is late by more than this is lost. */
const GAP_MS = 1000;
/** The window that sounds says where its decks are, so often. */
const REPORT_MS = 2000;
/** A wire over which nothing comes for so long while an answer is waited for is lost, though it is open. */
const ANSWER_MS = 4000;

/**
 * Joins the window's decks to the deck session of its login: what is done here is told to the service, and what is done in
 * the session's other windows comes here. Nothing that sounds waits for it.
 *
 * `decks → ledger → outbox → socket → service → other windows`
 */
export function openDeckLink(options: DeckLinkOptions): DeckLink {
  const { decks, clock, ownMs, socket, client, windows } = options;
  const ledger = new DeckLedger(client);
  const outbox = new DeckOutbox();
  const turn = new SoundTurn({ decks, client, windows, now: () => clock.now() });
  const scope = new Scope();
  let channel: Channel | null = null;
  let isJoined = false;
  /** Why it is over, until it is renewed. */
  let over: 'ended' | 'apart' | null = null;
  let status: DeckLinkStatus = 'connecting';
  /** Answers to what was sent in an earlier join are not heard. */
  let joins = 0;
  let askedMs = 0;
  let cancelPump = () => {};
  let isWatchingGap = false;
  /** Since when the service owes an answer, by this machine's clock; null where it owes none. */
  let owedSinceMs: number | null = null;

  const say = (next: DeckLinkStatus) => {
    if (next === status || scope.isDisposed) return;
    status = next;
    options.onStatus?.(next);
  };

  const show = () => {
    decks.take(ledger.shown(), ledger.takeMoved());
    turn.follow();
  };

  const push = (one: PendingMessage) => {
    const { event, ...payload } = ledger.sent(one);
    const join = joins;
    outbox.sent(one.message, ownMs());
    owedSinceMs ??= ownMs();
    channel
      ?.push(event, payload)
      .receive('ok', (reply: unknown) => join === joins && answered(one.message, payload.seq ?? 0, reply))
      .receive('error', (reply: unknown) => join === joins && refused(one.message, payload.seq ?? 0, reply))
      .receive('timeout', () => join === joins && rejoin());
  };
  const pump = () => {
    cancelPump();
    if (!isJoined || scope.isDisposed) return;
    for (;;) {
      const next = outbox.next(ledger.pending, ownMs());
      if (next === null) return;
      if ('pending' in next) push(next.pending);
      else {
        cancelPump = scope.after(Math.max(1, next.waitMs), pump);
        return;
      }
    }
  };
  const watchGap = () => {
    if (isWatchingGap || !ledger.hasGap) return;
    isWatchingGap = true;
    const version = ledger.confirmed?.version;
    scope.after(GAP_MS, () => {
      isWatchingGap = false;
      if (ledger.hasGap && ledger.confirmed?.version === version) rejoin();
      else watchGap();
    });
  };

  /** The service was heard: what it still owes it owes since now. */
  const heardIt = () => {
    owedSinceMs = ledger.pending.some(({ isSent }) => isSent) ? ownMs() : null;
    if (isJoined) say('joined');
  };

  const answered = (message: DeckMessage, seq: number, told: unknown) => {
    const reply = deckReply.safeParse(told);
    if (!reply.success) return rejoin();
    const { retry_after } = reply.data;
    if (retry_after !== undefined && message.event !== 'set_mixer')
      outbox.tempoOpensIn(message.deck, retry_after, ownMs());
    const hasNews = ledger.answered(seq, reply.data);
    // What the service knows of a track or of stems is shown, and what others did before; all else is shown already.
    if (reply.data.state || hasNews) show();
    heardIt();
    watchGap();
    pump();
  };
  const refused = (message: DeckMessage, seq: number, told: unknown) => {
    ledger.refused(seq);
    show();
    heardIt();
    const reason = reasonOf(told);
    if (reason === 'deck session not found') rejoin();
    else options.onRefused?.(reason, message);
  };
  const heard = (event: DeckPushEvent, payload: unknown) => {
    const parsed = deckChannel.pushes[event].safeParse(payload);
    if (!parsed.success) return rejoin();
    if (ledger.heard({ event, ...parsed.data } as DeckPush)) show();
    watchGap();
  };

  const welcomed = (told: unknown, asked: number) => {
    const parsed = deckWelcome.safeParse(told);
    // A page older than the service: it cannot follow, and goes on by itself.
    if (!parsed.success) return say('lost');
    joins += 1;
    clock.set(parsed.data.now, asked, ownMs());
    const { session } = parsed.data;
    const isOther = ledger.confirmed !== null && ledger.confirmed.id !== session.id;
    const meeting = isOther ? meetOther(decks.session.getState(), session, client) : 'follow';
    if (meeting === 'apart') return end('apart');
    if (meeting === 'carry') {
      // The session of another login has not heard of their tempi.
      for (const deck of deckIds) outbox.tempoOpensIn(deck, 0, ownMs());
      ledger.carry(parsed.data, decksHere(), clock.now());
    } else ledger.welcome(parsed.data);
    isJoined = true;
    show();
    owedSinceMs = null;
    say('joined');
    pump();
    turn.joined();
  };

  /** The decks as they stand in this window, where they are heard now. */
  const decksHere = (): DeckSessionState => {
    const { decks: both, mixer } = decks.session.getState();
    const here = (deck: DeckId) => ({
      ...both[deck],
      position_ms: Math.min(both[deck].duration_ms, decks.positionSeconds(deck) * 1000),
      position_at: clock.now(),
    });
    return { decks: { a: here('a'), b: here('b') }, mixer };
  };

  const lost = () => {
    isJoined = false;
    turn.lost();
    say(over ?? (status === 'connecting' ? 'connecting' : 'lost'));
  };
  const end = (why: 'ended' | 'apart') => {
    over = why;
    // Its CSRF token is of this login: no other one opens it again.
    socket.disconnect();
    lost();
  };
  const join = () => {
    joins += 1;
    // Asked for whenever a join is sent, also by the public client when the service asks for a new one.
    const params = () => {
      askedMs = ownMs();
      return {};
    };
    const joined = socket.channel(topicOf(deckChannel, { deck_session_id: 'current' }), params);
    const isThis = () => channel === joined && !scope.isDisposed;
    channel = joined;
    for (const event of Object.keys(deckChannel.pushes) as DeckPushEvent[])
      joined.on(event, (payload: unknown) => {
        if (isThis()) heard(event, payload);
      });
    const failed = () => {
      if (isThis()) lost();
    };
    joined.onError(failed);
    joined
      .join()
      .receive('ok', (told: unknown) => {
        if (isThis()) welcomed(told, askedMs);
      })
      .receive('error', failed);
  };
  const rejoin = () => {
    if (scope.isDisposed) return;
    isJoined = false;
    owedSinceMs ??= ownMs();
    channel?.leave();
    join();
  };

  decks.onMessage((message) => {
    if (scope.isDisposed) return;
    ledger.done(message, clock.now());
    pump();
    turn.did(message);
  });
  const report = () => {
    const { decks: both } = decks.session.getState();
    if (isJoined && turn.isMine)
      for (const deck of deckIds)
        if (both[deck].is_playing) {
          const position_ms = decks.positionSeconds(deck) * 1000;
          ledger.done({ event: 'report_position', deck, position_ms }, clock.now());
        }
    pump();
    if (owedSinceMs !== null && ownMs() - owedSinceMs > ANSWER_MS && status === 'joined') say('lost');
    scope.after(REPORT_MS, report);
  };
  scope.after(REPORT_MS, report);
  socket.onOpen(() => {
    askedMs = ownMs();
  });
  socket.onError(lost);
  socket.onClose((event: { code?: number } | undefined) => {
    if (event?.code === closeCodes.loginEnded) end('ended');
    else lost();
  });
  join();
  socket.connect();

  return {
    client,
    sessionId: () => ledger.confirmed?.id ?? null,
    takeSound: () => turn.take(),
    leaveSound: () => turn.leave(),
    renew() {
      if (over === null || scope.isDisposed) return;
      over = null;
      say('lost');
      // What had joined joins again by itself.
      socket.connect();
    },
    dispose() {
      turn.leave();
      turn.dispose();
      scope.dispose();
      channel?.leave();
      socket.disconnect();
    },
  };
}

function reasonOf(told: unknown): string {
  const reason = (told as { reason?: unknown } | null)?.reason;
  return typeof reason === 'string' ? reason : 'the service refused it';
}
