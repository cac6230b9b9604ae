import { topicParams } from '@stem-studio/contract/channel';
import {
  type ChannelFrame,
  channelFrame,
  heartbeatTopic,
  lifecycleEvents,
} from '@stem-studio/contract/frame';
import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import type { Viewer } from '../http/viewer.ts';
import type { BusMessage } from './bus.ts';
import type { ChannelHandler } from './channel.ts';

/** Topics that one socket may have joined at once. */
export const maxJoins = 100;
/** Messages that one socket may send in {@link messageWindowMs}. */
export const maxMessages = 200;
/** The window in which messages are counted, in milliseconds. */
export const messageWindowMs = 10_000;
/** A client that does not read is cut off when so much waits for it. */
const longestBacklogBytes = 4_000_000;

/** Close codes. @see https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
export const closeCodes = { normal: 1000, goingAway: 1001, invalidData: 1007, policy: 1008 } as const;

interface Join {
  readonly joinRef: string | null;
  /** Messages that came while the join was being answered; null once it is. */
  early: BusMessage[] | null;
  unsubscribe(): void;
}

/**
 * One client's socket: Phoenix Channels V2 from its first frame to its last.
 *
 * @see https://hexdocs.pm/phoenix/writing_a_channels_client.html
 */
export class SocketConnection {
  readonly viewer: Viewer;
  /** When the client was last heard, monotonic milliseconds. */
  lastHeardMs: number;
  readonly #context: Context;
  readonly #socket: WebSocket;
  readonly #handlers: readonly ChannelHandler[];
  readonly #joins = new Map<string, Join>();
  #windowStartMs = 0;
  #windowCount = 0;

  constructor(context: Context, socket: WebSocket, viewer: Viewer, handlers: readonly ChannelHandler[]) {
    this.#context = context;
    this.#socket = socket;
    this.viewer = viewer;
    this.#handlers = handlers;
    this.lastHeardMs = context.clock.monotonicMs();
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    socket.on('close', () => this.#leaveAll());
    socket.on('error', () => socket.terminate());
  }

  /** Ends the socket, politely. A client reconnects unless the code is `normal`. */
  close(code: number, reason: string): void {
    this.#leaveAll();
    this.#socket.close(code, reason);
  }

  /** Messages may have been missed: every topic is told to be joined again, which answers with its present state. */
  rejoinAll(): void {
    for (const [topic, join] of this.#joins) {
      join.unsubscribe();
      this.#send([join.joinRef, join.joinRef, topic, lifecycleEvents.error, {}]);
    }
    this.#joins.clear();
  }

  #leaveAll(): void {
    for (const join of this.#joins.values()) join.unsubscribe();
    this.#joins.clear();
  }

  #send(frame: ChannelFrame): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > longestBacklogBytes) return this.#socket.terminate();
    this.#socket.send(JSON.stringify(frame));
  }

  #reply(frame: ChannelFrame, status: 'ok' | 'error', response: Record<string, unknown>): void {
    const [joinRef, ref, topic] = frame;
    this.#send([joinRef, ref, topic, lifecycleEvents.reply, { status, response }]);
  }

  #isTooBusy(nowMs: number): boolean {
    if (nowMs - this.#windowStartMs >= messageWindowMs) {
      this.#windowStartMs = nowMs;
      this.#windowCount = 0;
    }
    this.#windowCount += 1;
    return this.#windowCount > maxMessages;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.lastHeardMs = this.#context.clock.monotonicMs();
    if (this.#isTooBusy(this.lastHeardMs)) {
      this.close(closeCodes.policy, `at most ${maxMessages} messages in ${messageWindowMs / 1000} s`);
      return;
    }
    const frame = isBinary ? null : parseFrame(data.toString('utf8'));
    if (!frame) {
      this.close(
        closeCodes.invalidData,
        'a message must be [join_ref, ref, topic, event, payload] as JSON text',
      );
      return;
    }
    this.#handle(frame).catch((error: unknown) => {
      this.#context.log.error({ err: error, topic: frame[2], event: frame[3] }, 'a socket message failed');
      this.#reply(frame, 'error', { reason: 'internal_error' });
    });
  }

  async #handle(frame: ChannelFrame): Promise<void> {
    const [joinRef, , topic, event] = frame;
    if (topic === heartbeatTopic) {
      if (event === lifecycleEvents.heartbeat) this.#reply(frame, 'ok', {});
      return;
    }
    if (event === lifecycleEvents.join) return this.#join(frame);
    const join = this.#joins.get(topic);
    if (!join) {
      // What is not joined can be left, and nothing else.
      if (event === lifecycleEvents.leave) this.#reply(frame, 'ok', {});
      else this.#reply(frame, 'error', { reason: 'unmatched topic' });
      return;
    }
    // A message of an earlier join of the same topic is late: its answer would be taken for another's.
    if (joinRef !== join.joinRef) return;
    if (event === lifecycleEvents.leave) {
      this.#forget(topic, join);
      this.#reply(frame, 'ok', {});
      this.#send([joinRef, joinRef, topic, lifecycleEvents.close, {}]);
      return;
    }
    this.#reply(frame, 'error', { reason: 'unknown event' });
  }

  #forget(topic: string, join: Join): void {
    join.unsubscribe();
    if (this.#joins.get(topic) === join) this.#joins.delete(topic);
  }

  async #join(frame: ChannelFrame): Promise<void> {
    const [joinRef, , topic] = frame;
    const earlier = this.#joins.get(topic);
    if (earlier) {
      this.#forget(topic, earlier);
      this.#send([earlier.joinRef, earlier.joinRef, topic, lifecycleEvents.close, {}]);
    }
    if (this.#joins.size >= maxJoins) {
      this.#reply(frame, 'error', { reason: `at most ${maxJoins} topics` });
      return;
    }
    const found = this.#find(topic);
    if (!found) {
      this.#reply(frame, 'error', { reason: 'not_found' });
      return;
    }
    // Subscribed before the present state is read, so that nothing falls between the two.
    const join: Join = {
      joinRef,
      early: [],
      unsubscribe: this.#context.bus.subscribe(topic, (message) => {
        if (join.early) join.early.push(message);
        else this.#push(join, found.handler, message);
      }),
    };
    this.#joins.set(topic, join);
    let response: Record<string, unknown> | null;
    try {
      response = await found.handler.join(this.#context, this.viewer, found.params);
    } catch (error) {
      this.#forget(topic, join);
      throw error;
    }
    // Left, joined again, or gone while the answer was looked up.
    if (this.#joins.get(topic) !== join) return;
    if (!response) {
      this.#forget(topic, join);
      this.#reply(frame, 'error', { reason: 'not_found' });
      return;
    }
    this.#reply(frame, 'ok', response);
    const early = join.early ?? [];
    join.early = null;
    for (const message of early) this.#push(join, found.handler, message);
  }

  #find(topic: string): { handler: ChannelHandler; params: Record<string, unknown> } | null {
    for (const handler of this.#handlers) {
      const params = topicParams(handler.spec, topic);
      if (params) return { handler, params };
    }
    return null;
  }

  #push(join: Join, handler: ChannelHandler, { topic, event, payload }: BusMessage): void {
    if (!this.#context.config.isProduction) {
      const checked = handler.spec.pushes[event]?.safeParse(payload);
      if (!checked?.success)
        this.#context.log.error({ topic, event, err: checked?.error }, 'a push is not as the contract says');
    }
    this.#send([join.joinRef, null, topic, event, payload]);
  }
}

function parseFrame(text: string): ChannelFrame | null {
  try {
    const parsed = channelFrame.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
