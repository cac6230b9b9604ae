import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeckMessage, DeckPush, DeckReply } from '@stem-studio/contract/events/decks';
import * as fc from 'fast-check';
import { DeckLedger } from './deck-ledger.ts';
import { DeckOutbox, type PendingMessage } from './deck-outbox.ts';
import { anyDeckMessage } from './testing/any-deck-message.ts';
import { DeckRules, deckSessionId, overTheWire } from './testing/deck-rules.ts';

/** A message from the service to a window: a reply, or a push caused by another window. */
type Down =
  | { readonly kind: 'reply'; readonly seq: number; readonly reply: DeckReply }
  | { readonly kind: 'refusal'; readonly seq: number }
  | { readonly kind: 'push'; readonly push: DeckPush };

/** A window with message queues to and from the service, which can be disconnected and reconnected. */
class Window {
  readonly ledger: DeckLedger;
  readonly outbox = new DeckOutbox();
  readonly up: DeckMessage[] = [];
  readonly down: Down[] = [];
  isJoined = false;
  readonly #service: DeckRules;

  constructor(name: string, service: DeckRules) {
    this.ledger = new DeckLedger(name);
    this.#service = service;
  }

  join(): void {
    this.cut();
    this.isJoined = true;
    this.ledger.welcome(this.#service.welcome());
    this.pump();
  }

  cut(): void {
    this.isJoined = false;
    this.up.length = 0;
    this.down.length = 0;
  }

  pump(): void {
    for (;;) {
      const next = this.isJoined ? this.outbox.next(this.ledger.pending, this.#service.nowMs) : null;
      if (next === null || !('pending' in next)) return;
      this.#send(next.pending);
    }
  }

  #send(pending: PendingMessage): void {
    this.outbox.sent(pending.message, this.#service.nowMs);
    this.up.push(overTheWire(this.ledger.sent(pending)));
  }

  /**
   * Delivers the message at an index. Replies may overtake pushes, which go through the database; pushes keep their
   * order among themselves.
   */
  receive(index: number): void {
    const wanted = index % Math.max(1, this.down.length);
    const isPush = this.down[wanted]?.kind === 'push';
    const [received] = this.down.splice(
      isPush ? this.down.findIndex(({ kind }) => kind === 'push') : wanted,
      1,
    );
    if (!received) return;
    if (received.kind === 'push') this.ledger.receivePush(overTheWire(received.push));
    else if (received.kind === 'refusal') this.ledger.refused(received.seq);
    else {
      const { retry_after } = received.reply;
      if (retry_after !== undefined)
        for (const deck of ['a', 'b'] as const)
          this.outbox.tempoOpensIn(deck, retry_after, this.#service.nowMs);
      this.ledger.answered(received.seq, overTheWire(received.reply));
    }
    this.pump();
  }
}

class Fixture {
  readonly service = new DeckRules();
  readonly windows: readonly Window[];

  constructor(count: number) {
    this.windows = Array.from({ length: count }, (_, i) => new Window(`window-${i}`, this.service));
    for (const one of this.windows) one.join();
  }

  /** Delivers a message of a window to the service: the next one, or one that overtakes it. */
  receive(sender: Window, index: number): void {
    const [message] = sender.up.splice(index % Math.max(1, sender.up.length), 1);
    if (message) this.#answer(sender, message);
  }

  /** Delivers the next message of a window to the service twice. */
  receiveTwice(sender: Window): void {
    const [message] = sender.up;
    if (!message) return;
    this.receive(sender, 0);
    this.#answer(sender, message);
  }

  #answer(sender: Window, message: DeckMessage): void {
    const { seq = 0 } = message;
    const taken = this.service.take(message);
    sender.down.push(taken ? { kind: 'reply', seq, reply: taken.reply } : { kind: 'refusal', seq });
    for (const other of this.windows)
      if (other !== sender && other.isJoined)
        other.down.push(...(taken?.pushes ?? []).map((push) => ({ kind: 'push', push }) as const));
  }

  /** Delivers everything, however long it takes. */
  settle(): void {
    for (const one of this.windows) if (!one.isJoined || one.ledger.hasGap) one.join();
    for (let round = 0; round < 2000 && this.#isBusy(); round++) {
      for (const one of this.windows) {
        while (one.up.length > 0) this.receive(one, 0);
        while (one.down.length > 0) one.receive(0);
      }
      this.service.nowMs += 500;
      for (const one of this.windows) {
        if (one.ledger.hasGap && one.up.length + one.down.length === 0) one.join();
        one.pump();
      }
    }
  }

  #isBusy(): boolean {
    return this.windows.some(
      ({ ledger, up, down }) => ledger.pending.length + up.length + down.length > 0 || ledger.hasGap,
    );
  }
}

type Step = (fixture: Fixture) => void;
const one = fc.nat(2);
const windowOf = (fixture: Fixture, index: number) =>
  fixture.windows[index % fixture.windows.length] ?? assert.fail();
/** Steps that users, connections and the clock may take. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(one, anyDeckMessage).map(
      ([index, message]): Step =>
        (fixture) => {
          const acting = windowOf(fixture, index);
          acting.ledger.done(message, fixture.service.nowMs);
          acting.pump();
        },
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(one, fc.nat(20)).map(
      ([index, which]): Step =>
        (fixture) =>
          fixture.receive(windowOf(fixture, index), which % 5 === 4 ? which : 0),
    ),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(one, fc.nat(5)).map(
      ([index, which]): Step =>
        (fixture) =>
          windowOf(fixture, index).receive(which),
    ),
  },
  {
    weight: 1,
    arbitrary: one.map(
      (index): Step =>
        (fixture) =>
          fixture.receiveTwice(windowOf(fixture, index)),
    ),
  },
  {
    weight: 1,
    arbitrary: one.map(
      (index): Step =>
        (fixture) =>
          windowOf(fixture, index).cut(),
    ),
  },
  {
    weight: 1,
    arbitrary: one.map(
      (index): Step =>
        (fixture) =>
          windowOf(fixture, index).join(),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.nat(3000).map(
      (passedMs): Step =>
        (fixture) => {
          fixture.service.nowMs += passedMs;
          for (const any of fixture.windows) any.pump();
        },
    ),
  },
);

for (const count of [2, 3])
  test(`${count} windows with concurrent changes converge to the state of the service`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const fixture = new Fixture(count);
        for (const take of steps) take(fixture);
        fixture.settle();
        const { state, version } = fixture.service.record;
        for (const { ledger } of fixture.windows) {
          assert.equal(ledger.pending.length, 0);
          assert.deepEqual(ledger.confirmed, { id: deckSessionId, version, ...state });
          assert.deepEqual(overTheWire(ledger.shown()), overTheWire(state));
        }
      }),
      { numRuns: 500 },
    );
  });
