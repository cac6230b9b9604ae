import { topicOf, topicParams } from '@stem-studio/contract/channel';
import { lifecycleEvents } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import { hasScope } from '@stem-studio/contract/scopes';
import type { Context } from '../context.ts';
import { isDatabaseUnavailable } from '../db/connection.ts';
import { runAs } from '../db/connection-shares.ts';
import { ServiceError } from '../errors.ts';
import type { Viewer } from '../http/viewer.ts';
import { newId } from '../ids.ts';
import type { BusMessage } from './bus.ts';
import type { ChannelHandler } from './channel.ts';
import {
  type EncodedFrame,
  encodeBroadcast,
  encodeLifecycle,
  encodeReply,
  type ReceivedFrame,
} from './frame-codec.ts';
import type { UserAllowance } from './socket-allowances.ts';

type TopicParams = Parameters<typeof topicOf>[1];

interface Join {
  readonly topic: string;
  readonly joinRef: string | null;
  readonly handler: ChannelHandler;
  /** Of the topic that is meant, which may have another name. */
  params: Record<string, unknown>;
  /** News that came while the join was being answered; null once it is. */
  early: BusMessage[] | null;
  /** The client has closed its socket: what it said before is carried out, and heard by nobody here. */
  isLeft: boolean;
  /** Messages are answered one after the other, the join before all; never rejects. */
  tail: Promise<void>;
  unsubscribe(): void;
}

/** What the topics of one socket stand on. */
export interface JoinedTopicsOptions {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly handlers: readonly ChannelHandler[];
  readonly allowance: UserAllowance;
  readonly send: (frame: EncodedFrame) => void;
}

/** Why a topic is not joined now: the client asks again by itself. */
const busyReason = 'the service is busy: try again later';

/** A message is put into bytes once, whoever hears it by the name that it was published under. */
const encodedPushes = new WeakMap<BusMessage, EncodedFrame>();

/** The topics that one socket has joined: joins, leaves, messages and their answers, and what is pushed. */
export class JoinedTopics {
  readonly #context: Context;
  readonly #viewer: Viewer;
  readonly #handlers: readonly ChannelHandler[];
  readonly #allowance: UserAllowance;
  readonly #send: (frame: EncodedFrame) => void;
  readonly #socketId = newId();
  readonly #joins = new Map<string, Join>();
  /** Messages that wait for their answer, of all topics. */
  #unanswered = 0;

  constructor({ context, viewer, handlers, allowance, send }: JoinedTopicsOptions) {
    this.#context = context;
    this.#viewer = viewer;
    this.#handlers = handlers;
    this.#allowance = allowance;
    this.#send = send;
  }

  /** Takes a message to any topic but that of the heartbeats. */
  receive(frame: ReceivedFrame): void {
    const [joinRef, , topic, event] = frame;
    if (event === lifecycleEvents.join) return this.#startJoin(frame);
    const join = this.#joins.get(topic);
    if (!join) return this.#answerUnjoined(frame);
    // A message of an earlier join of the same topic is late: its answer would be taken for another's.
    if (joinRef !== join.joinRef) return;
    // To leave is always possible.
    if (this.#unanswered >= socketLimits.unanswered && event !== lifecycleEvents.leave)
      return this.#reply(frame, 'error', {
        reason: `at most ${socketLimits.unanswered} unanswered messages`,
      });
    this.#unanswered += 1;
    join.tail = join.tail
      .then(() => this.#answer(join, frame))
      .then(() => {
        this.#unanswered -= 1;
      });
  }

  /**
   * Forgets every topic without a word.
   *
   * @param isByClient the client has gone by itself: what it said before that is carried out all the same, for the last
   *   words of a page that goes are sent in one breath with its end
   */
  leaveAll(isByClient: boolean): void {
    for (const join of this.#joins.values()) {
      join.unsubscribe();
      join.isLeft = isByClient && join.early === null;
    }
    this.#joins.clear();
  }

  /** News may have been missed: every topic is told to be joined again, which answers with its present state. */
  rejoinAll(): void {
    for (const join of this.#joins.values()) this.#break(join);
  }

  #reply(frame: ReceivedFrame, status: 'ok' | 'error', response: Record<string, unknown> | Uint8Array): void {
    this.#send(encodeReply(frame, status, response));
  }

  /** What is not joined can be left, and nothing else. */
  #answerUnjoined(frame: ReceivedFrame): void {
    if (frame[3] === lifecycleEvents.leave) this.#reply(frame, 'ok', {});
    else this.#reply(frame, 'error', { reason: 'unmatched topic' });
  }

  /** Does something for a topic with the user's share of the database. */
  #act<T>(work: () => Promise<T>): Promise<T> {
    return runAs({ use: 'socket', key: `user:${this.#viewer.id}`, held: 0 }, work);
  }

  #isCurrent(join: Join): boolean {
    return this.#joins.get(join.topic) === join;
  }

  #forget(join: Join): void {
    join.unsubscribe();
    if (this.#isCurrent(join)) this.#joins.delete(join.topic);
  }

  /** Ends a join that cannot go on; the client makes a new one by itself. */
  #break(join: Join): void {
    this.#forget(join);
    this.#send(encodeLifecycle(join.topic, join.joinRef, lifecycleEvents.error));
  }

  #startJoin(frame: ReceivedFrame): void {
    const [joinRef, , topic] = frame;
    const earlier = this.#joins.get(topic);
    if (earlier) {
      this.#forget(earlier);
      this.#send(encodeLifecycle(topic, earlier.joinRef, lifecycleEvents.close));
    }
    if (this.#joins.size >= socketLimits.joins)
      return this.#reply(frame, 'error', { reason: `at most ${socketLimits.joins} topics` });
    const found = this.#find(topic);
    if (!found) return this.#reply(frame, 'error', { reason: 'not_found' });
    const { scope } = found.handler.spec;
    if (scope !== null && !hasScope(this.#viewer.scopes, scope))
      return this.#reply(frame, 'error', { reason: 'forbidden', scope });
    const refusal = this.#allowance.takeJoin();
    if (refusal !== null) return this.#reply(frame, 'error', { reason: refusal });
    const join: Join = {
      ...found,
      topic,
      joinRef,
      early: [],
      isLeft: false,
      tail: Promise.resolve(),
      unsubscribe: () => undefined,
    };
    this.#joins.set(topic, join);
    join.tail = this.#answerJoin(join, frame);
  }

  /** Hears the topic that is meant, from before its present state is read, so that nothing falls between the two. */
  #subscribe(join: Join): void {
    const { handler, params } = join;
    join.unsubscribe = this.#context.bus.subscribe(
      topicOf(handler.spec, params as TopicParams),
      (message) => {
        if (join.early) join.early.push(message);
        else this.#push(join, message);
      },
    );
  }

  /** What the join answers; null where there is no such topic. */
  async #enter(join: Join): Promise<Record<string, unknown> | null> {
    const { handler } = join;
    if (handler.locate) {
      const params = await handler.locate(this.#context, this.#viewer, join.params);
      // Gone while it was looked up: nobody would end the subscription.
      if (!params || !this.#isCurrent(join)) return null;
      join.params = params;
    }
    this.#subscribe(join);
    return handler.join(this.#context, this.#viewer, join.params);
  }

  #find(topic: string): { handler: ChannelHandler; params: Record<string, unknown> } | null {
    for (const handler of this.#handlers) {
      const params = topicParams(handler.spec, topic);
      if (params) return { handler, params };
    }
    return null;
  }

  async #answerJoin(join: Join, frame: ReceivedFrame): Promise<void> {
    try {
      const response = await this.#act(() => this.#enter(join));
      // Joined again, or gone, while the answer was looked up.
      if (!this.#isCurrent(join)) return;
      if (!response) this.#forget(join);
      this.#reply(frame, response ? 'ok' : 'error', response ?? { reason: 'not_found' });
      const early = join.early ?? [];
      join.early = null;
      if (response) for (const message of early) this.#push(join, message);
    } catch (error) {
      const isBusy = isDatabaseUnavailable(error);
      // Many may fail for the same reason at the same moment.
      if (isBusy) this.#allowance.noteRefusal();
      else this.#context.log.error({ err: error, topic: join.topic }, 'a topic could not be joined');
      if (!this.#isCurrent(join)) return;
      this.#forget(join);
      this.#reply(frame, 'error', { reason: isBusy ? busyReason : 'internal_error' });
    }
  }

  async #answer(join: Join, frame: ReceivedFrame): Promise<void> {
    const [, , topic, event, payload] = frame;
    if (!this.#isCurrent(join) && !join.isLeft) return this.#answerUnjoined(frame);
    if (event === lifecycleEvents.leave) {
      this.#forget(join);
      this.#reply(frame, 'ok', {});
      this.#send(encodeLifecycle(topic, join.joinRef, lifecycleEvents.close));
      return;
    }
    try {
      const source = {
        context: this.#context,
        viewer: this.#viewer,
        params: join.params,
        socketId: this.#socketId,
      };
      const response = await this.#act(() => join.handler.handle(source, event, payload));
      if (response) this.#reply(frame, 'ok', response);
      else this.#reply(frame, 'error', { reason: 'unknown event' });
    } catch (error) {
      if (error instanceof ServiceError) {
        const { error: reason, ...rest } = error.toBody();
        this.#reply(frame, 'error', { reason, ...rest });
        return;
      }
      if (isDatabaseUnavailable(error)) this.#allowance.noteRefusal();
      else this.#context.log.error({ err: error, topic, event }, 'a socket message failed');
      if (this.#isCurrent(join)) this.#break(join);
    }
  }

  #push(join: Join, message: BusMessage): void {
    if (message.from === this.#socketId) return;
    const isOwnName = join.topic === message.topic;
    let encoded = isOwnName ? encodedPushes.get(message) : undefined;
    if (!encoded) {
      this.#check(join, message);
      encoded = encodeBroadcast(join.topic, message.event, message.bytes ?? message.payload);
      if (isOwnName) encodedPushes.set(message, encoded);
    }
    this.#send(encoded);
  }

  #check(join: Join, { topic, event, payload, bytes }: BusMessage): void {
    if (this.#context.config.isProduction) return;
    const checked = join.handler.spec.pushes[event]?.safeParse(bytes ?? payload);
    if (!checked?.success)
      this.#context.log.error({ topic, event, err: checked?.error }, 'a push is not as the contract says');
  }
}
