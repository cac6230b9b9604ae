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
  type FramePayload,
  type ReceivedFrame,
} from './frame-codec.ts';
import type { UserAllowance } from './socket-allowances.ts';

type TopicParams = Parameters<typeof topicOf>[1];

interface Join {
  readonly topic: string;
  readonly joinRef: string | null;
  /** Payload of the join. */
  readonly payload: FramePayload;
  readonly handler: ChannelHandler;
  /** Parameters of the actual topic, which may differ from the alias. */
  params: Record<string, unknown>;
  /** Messages received before the reply to the join; null afterwards. */
  early: BusMessage[] | null;
  /** Whether the client has closed its socket. Its earlier messages are still handled, without replies. */
  isLeft: boolean;
  /** Serialises the handling of messages, the join first; never rejects. */
  tail: Promise<void>;
  unsubscribe(): void;
}

/** Options of {@link JoinedTopics}. */
export interface JoinedTopicsOptions {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly handlers: readonly ChannelHandler[];
  readonly allowance: UserAllowance;
  readonly send: (frame: EncodedFrame) => void;
}

/** Reason of a temporarily rejected join. The client retries automatically. */
const busyReason = 'the service is busy: try again later';

/** Encoded messages, so that each is encoded once for all sockets that use the name it was published under. */
const encodedPushes = new WeakMap<BusMessage, EncodedFrame>();

/** Topics that one socket has joined. Handles joins, leaves, messages, replies and pushes. */
export class JoinedTopics {
  readonly #context: Context;
  readonly #viewer: Viewer;
  readonly #handlers: readonly ChannelHandler[];
  readonly #allowance: UserAllowance;
  readonly #send: (frame: EncodedFrame) => void;
  readonly #socketId = newId();
  readonly #joins = new Map<string, Join>();
  /** Number of messages in progress, over all topics. */
  #unanswered = 0;

  constructor({ context, viewer, handlers, allowance, send }: JoinedTopicsOptions) {
    this.#context = context;
    this.#viewer = viewer;
    this.#handlers = handlers;
    this.#allowance = allowance;
    this.#send = send;
  }

  /** Handles a message to any topic except that of the heartbeats. */
  receive(frame: ReceivedFrame): void {
    const [joinRef, , topic, event] = frame;
    if (event === lifecycleEvents.join) return this.#startJoin(frame);
    const join = this.#joins.get(topic);
    if (!join) return this.#answerUnjoined(frame);
    // A message of an earlier join of the same topic is ignored: its reply would be attributed to the current join.
    if (joinRef !== join.joinRef) return;
    // Leaving is always allowed.
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
   * Removes all topics without notifying the client.
   *
   * @param isByClient whether the client closed the socket; its earlier messages are then still handled, because a
   *   page sends its last messages together with the close
   */
  leaveAll(isByClient: boolean): void {
    for (const join of this.#joins.values()) {
      join.unsubscribe();
      join.isLeft = isByClient && join.early === null;
      if (join.isLeft && join.handler.disconnected) void join.tail.then(() => this.#noteDisconnected(join));
    }
    this.#joins.clear();
  }

  /**
   * Makes the client rejoin every topic, because messages may have been missed. The reply to a join contains the
   * current state.
   */
  rejoinAll(): void {
    for (const join of this.#joins.values()) this.#break(join);
  }

  #reply(frame: ReceivedFrame, status: 'ok' | 'error', response: Record<string, unknown> | Uint8Array): void {
    this.#send(encodeReply(frame, status, response));
  }

  /** A topic that is not joined can only be left. */
  #answerUnjoined(frame: ReceivedFrame): void {
    if (frame[3] === lifecycleEvents.leave) this.#reply(frame, 'ok', {});
    else this.#reply(frame, 'error', { reason: 'unmatched topic' });
  }

  /** Runs work within the user's share of database connections. */
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

  /** Ends a failed join. The client joins again automatically. */
  #break(join: Join): void {
    this.#forget(join);
    this.#send(encodeLifecycle(join.topic, join.joinRef, lifecycleEvents.error));
  }

  #startJoin(frame: ReceivedFrame): void {
    const [joinRef, , topic, , payload] = frame;
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
      payload,
      early: [],
      isLeft: false,
      tail: Promise.resolve(),
      unsubscribe: () => undefined,
    };
    this.#joins.set(topic, join);
    join.tail = this.#answerJoin(join, frame);
  }

  /** Subscribes to the actual topic before its current state is read, so that no message is missed in between. */
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

  /** Returns the reply to the join, or null if there is no such topic. */
  async #enter(join: Join): Promise<Record<string, unknown> | null> {
    const { handler } = join;
    if (handler.locate) {
      const params = await handler.locate(this.#context, this.#viewer, join.params);
      // The join ended during the lookup: a subscription would never be removed.
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
      // The topic was joined again or left meanwhile.
      if (!this.#isCurrent(join)) return;
      if (!response) this.#forget(join);
      this.#reply(frame, response ? 'ok' : 'error', response ?? { reason: 'not_found' });
      const early = join.early ?? [];
      join.early = null;
      if (response) for (const message of early) this.#push(join, message);
    } catch (error) {
      const isBusy = isDatabaseUnavailable(error);
      // Many joins may fail at the same time for the same reason, so this is only counted.
      if (isBusy) this.#allowance.noteRefusal();
      else this.#context.log.error({ err: error, topic: join.topic }, 'a topic could not be joined');
      if (!this.#isCurrent(join)) return;
      this.#forget(join);
      this.#reply(frame, 'error', { reason: isBusy ? busyReason : 'internal_error' });
    }
  }

  async #noteDisconnected({ handler, params, payload, topic }: Join): Promise<void> {
    try {
      await this.#act(async () => handler.disconnected?.(this.#context, this.#viewer, params, payload));
    } catch (error) {
      this.#context.log.error({ err: error, topic }, 'a closed connection could not be noted');
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
