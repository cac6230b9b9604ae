import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckConnection } from './deck-connection.ts';
import type { DeckLedger } from './deck-ledger.ts';
import type { DeckOutbox, PendingMessage } from './deck-outbox.ts';
import type { ReplyDeadline } from './reply-deadline.ts';

/** Options of {@link DeckSender}. */
export interface DeckSenderOptions {
  readonly connection: Pick<DeckConnection, 'isJoined' | 'send'>;
  readonly ledger: Pick<DeckLedger, 'pending' | 'sent'>;
  readonly outbox: Pick<DeckOutbox, 'next' | 'sent'>;
  readonly deadline: Pick<ReplyDeadline, 'start'>;
  readonly scope: Scope;
  /** Milliseconds by this machine's clock. */
  readonly ownMs: () => number;
  /** @param seq the message's number */
  readonly onOk: (message: DeckMessage, seq: number, reply: unknown) => void;
  /** @param seq the message's number */
  readonly onError: (message: DeckMessage, seq: number, reply: unknown) => void;
  readonly onTimeout: () => void;
}

/** Sends the pending messages of this window, in order and as fast as the rate limits of {@link DeckOutbox} allow. */
export class DeckSender {
  readonly #options: DeckSenderOptions;
  #cancelWait = () => {};

  constructor(options: DeckSenderOptions) {
    this.#options = options;
  }

  /** Sends the messages that the rate limits allow now, and schedules the rest. */
  flush(): void {
    const { connection, ledger, outbox, scope, ownMs } = this.#options;
    this.#cancelWait();
    if (!connection.isJoined || scope.isDisposed) return;
    for (;;) {
      const next = outbox.next(ledger.pending, ownMs());
      if (next === null) return;
      if ('pending' in next) this.#send(next.pending);
      else {
        this.#cancelWait = scope.after(Math.max(1, next.waitMs), () => this.flush());
        return;
      }
    }
  }

  #send(pending: PendingMessage): void {
    const { connection, ledger, outbox, deadline, ownMs, onOk, onError, onTimeout } = this.#options;
    const { message } = pending;
    const numbered = ledger.sent(pending);
    const seq = numbered.seq ?? 0;
    outbox.sent(message, ownMs());
    deadline.start();
    connection.send(numbered, {
      onOk: (reply) => onOk(message, seq, reply),
      onError: (reply) => onError(message, seq, reply),
      onTimeout,
    });
  }
}
