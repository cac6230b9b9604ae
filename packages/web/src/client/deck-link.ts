import { Scope } from '@stem-studio/audio/base/scope';
import {
  type DeckMessage,
  type DeckPush,
  type DeckPushEvent,
  deckChannel,
  deckWelcome,
} from '@stem-studio/contract/events/decks';
import { deckIds } from '@stem-studio/contract/resources/deck-id';
import type { Socket } from 'phoenix';
import { acknowledge, refusalReason } from './decks/acknowledge.ts';
import { AudioOwnership } from './decks/audio-ownership.ts';
import { DeckConnection } from './decks/deck-connection.ts';
import { DeckLedger } from './decks/deck-ledger.ts';
import { DeckOutbox } from './decks/deck-outbox.ts';
import { DeckSender } from './decks/deck-sender.ts';
import { enterSession } from './decks/enter-session.ts';
import { type DeckLinkStatus, LinkStatus } from './decks/link-status.ts';
import type { LinkedDecks } from './decks/linked-decks.ts';
import { ReplyDeadline } from './decks/reply-deadline.ts';
import type { ServiceClock } from './decks/service-clock.ts';
import { VersionGap } from './decks/version-gap.ts';
import type { DeckWindows } from './decks/window-locks.ts';

/** Options of {@link openDeckLink}. */
export interface DeckLinkOptions {
  readonly decks: LinkedDecks;
  /** Set by the service's replies; the decks compute positions by it too. */
  readonly clock: ServiceClock;
  /** Milliseconds by this machine's clock, such as `pageTimeMs`. */
  readonly ownMs: () => number;
  /** A socket to `/live`, not yet connected. */
  readonly socket: Socket;
  /** Name of this window, never used by another one, such as `randomName()`. */
  readonly client: string;
  /** The other windows of this browser. */
  readonly windows: DeckWindows;
  readonly onStatus?: (status: DeckLinkStatus) => void;
  /** The service refused a message, for a reason such as a track that is gone or has no audio yet. */
  readonly onRefused?: (reason: string, message: DeckMessage) => void;
}

/** Link of this window's decks with their session. */
export interface DeckLink {
  readonly client: string;
  /** Id of the deck session; null before it is joined. */
  readonly sessionId: () => string | null;
  /** Plays the audio of the session in this window. */
  readonly claimAudio: () => void;
  /** Pauses the decks that play here and releases the audio to another window, before the page closes. */
  readonly releaseAudio: () => void;
  /** Starts again after the login ended, under the present login; the decks of this window are carried into its session. */
  readonly renew: () => void;
  /** Releases the audio to another window and leaves the session. */
  readonly dispose: () => void;
}

/** Interval of the position reports of the window that plays, in ms. */
const REPORT_MS = 2000;

/**
 * Links the window's decks to the deck session of its login: messages of this window are sent to the service, those of the
 * session's other windows are applied here. Playback never waits for it.
 *
 * `decks → ledger → sender → connection → service → other windows`
 */
export function openDeckLink(options: DeckLinkOptions): DeckLink {
  const { decks, client } = options;
  const scope = new Scope();
  const link = new LinkedSession(options, scope);
  decks.onMessage((message) => {
    if (!scope.isDisposed) link.send(message);
  });
  scope.every(REPORT_MS, () => link.report());
  link.open();
  return {
    client,
    sessionId: () => link.sessionId,
    claimAudio: () => link.audioOwnership.claim(),
    releaseAudio: () => link.audioOwnership.release(),
    renew: () => link.renew(),
    dispose: () => link.dispose(),
  };
}

/** The parts of a link, and how events of one part affect the others. */
class LinkedSession {
  readonly audioOwnership: AudioOwnership;
  readonly #options: DeckLinkOptions;
  readonly #scope: Scope;
  readonly #ledger: DeckLedger;
  readonly #outbox = new DeckOutbox();
  readonly #connection: DeckConnection;
  readonly #sender: DeckSender;
  readonly #status: LinkStatus;
  readonly #deadline: ReplyDeadline;
  readonly #gap: VersionGap;

  constructor(options: DeckLinkOptions, scope: Scope) {
    const { decks, clock, ownMs, socket, client, windows, onStatus } = options;
    this.#options = options;
    this.#scope = scope;
    this.#ledger = new DeckLedger(client);
    this.audioOwnership = new AudioOwnership({ decks, client, windows, now: () => clock.now() });
    this.#status = new LinkStatus(scope, onStatus);
    this.#deadline = new ReplyDeadline(ownMs);
    this.#gap = new VersionGap(scope, this.#ledger, () => this.#rejoin());
    this.#connection = new DeckConnection(socket, client, ownMs, scope, {
      onWelcome: (reply, askedMs) => this.#enter(reply, askedMs),
      onPush: (event, payload) => this.#applyPush(event, payload),
      onLost: () => this.#lose(),
      onLoginEnded: () => this.#end('ended'),
    });
    this.#sender = new DeckSender({
      connection: this.#connection,
      ledger: this.#ledger,
      outbox: this.#outbox,
      deadline: this.#deadline,
      scope,
      ownMs,
      onOk: (message, seq, reply) => this.#acknowledge(message, seq, reply),
      onError: (message, seq, reply) => this.#refuse(message, seq, reply),
      onTimeout: () => this.#rejoin(),
    });
  }

  /** Id of the deck session; null before it is joined. */
  get sessionId(): string | null {
    return this.#ledger.confirmed?.id ?? null;
  }

  open(): void {
    this.#connection.open();
  }

  /** Sends a message that this window's decks have applied already. */
  send(message: DeckMessage): void {
    this.#ledger.done(message, this.#options.clock.now());
    this.#sender.flush();
    this.audioOwnership.did(message);
  }

  /** Reports the positions of the decks that play in this window, and notices a connection that is silent for too long. */
  report(): void {
    const { decks, clock } = this.#options;
    const { decks: both } = decks.session.getState();
    if (this.#connection.isJoined && this.audioOwnership.isMine)
      for (const deck of deckIds)
        if (both[deck].is_playing) {
          const position_ms = decks.positionSeconds(deck) * 1000;
          this.#ledger.done({ event: 'report_position', deck, position_ms }, clock.now());
        }
    this.#sender.flush();
    if (this.#deadline.isOver && this.#status.current === 'joined') this.#status.set('lost');
  }

  renew(): void {
    if (!this.#status.isEnded || this.#scope.isDisposed) return;
    this.#status.renew();
    this.#connection.resume();
  }

  dispose(): void {
    this.audioOwnership.release();
    this.audioOwnership.dispose();
    this.#scope.dispose();
    this.#connection.dispose();
  }

  #show(): void {
    this.#options.decks.take(this.#ledger.shown(), this.#ledger.takeMoved());
    this.audioOwnership.follow();
  }

  #enter(reply: unknown, askedMs: number): void {
    const { decks, clock, ownMs, client } = this.#options;
    const welcome = deckWelcome.safeParse(reply);
    // This page is older than the service and cannot follow it; the decks play on by themselves.
    if (!welcome.success) return this.#status.set('outdated');
    clock.set(welcome.data.now, askedMs, ownMs());
    const session = {
      decks,
      ledger: this.#ledger,
      outbox: this.#outbox,
      client,
      now: () => clock.now(),
      ownMs,
    };
    if (!enterSession(session, welcome.data)) return this.#end('apart');
    this.#connection.accept();
    this.#show();
    this.#deadline.clear();
    this.#status.set('joined');
    this.#sender.flush();
    this.audioOwnership.joined();
  }

  #applyPush(event: DeckPushEvent, payload: unknown): void {
    const parsed = deckChannel.pushes[event].safeParse(payload);
    if (!parsed.success) return this.#rejoin();
    if (this.#ledger.receivePush({ event, ...parsed.data } as DeckPush)) this.#show();
    this.#gap.watch();
  }

  #acknowledge(message: DeckMessage, seq: number, reply: unknown): void {
    const { ownMs } = this.#options;
    const result = acknowledge(this.#ledger, this.#outbox, message, seq, reply, ownMs());
    if (result === 'invalid') return this.#rejoin();
    if (result === 'changed') this.#show();
    this.#noteReply();
    this.#gap.watch();
    this.#sender.flush();
  }

  #refuse(message: DeckMessage, seq: number, reply: unknown): void {
    this.#ledger.refused(seq);
    this.#show();
    this.#noteReply();
    const reason = refusalReason(reply);
    if (reason === 'deck session not found') this.#rejoin();
    else this.#options.onRefused?.(reason, message);
  }

  #noteReply(): void {
    this.#deadline.restart(this.#ledger.pending.some(({ isSent }) => isSent));
    if (this.#connection.isJoined) this.#status.set('joined');
  }

  #rejoin(): void {
    if (this.#scope.isDisposed) return;
    this.#deadline.start();
    this.#connection.rejoin();
  }

  #lose(): void {
    this.audioOwnership.lost();
    this.#status.lose();
  }

  #end(reason: 'ended' | 'apart'): void {
    this.#status.end(reason);
    this.#connection.suspend();
  }
}
