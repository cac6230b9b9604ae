import { closeCodes, heartbeatTopic, lifecycleEvents } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import type { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import type { Viewer } from '../http/viewer.ts';
import type { ChannelHandler } from './channel.ts';
import { decodeFrame, type EncodedFrame, encodeReply } from './frame-codec.ts';
import { JoinedTopics } from './joined-topics.ts';
import type { UserAllowance } from './socket-allowances.ts';

/** How long a client has to answer that its socket is being closed; then the connection is cut. */
const farewellMs = 5000;

/** What a socket stands on. */
interface SocketConnectionOptions {
  readonly context: Context;
  readonly socket: WebSocket;
  readonly viewer: Viewer;
  readonly handlers: readonly ChannelHandler[];
  readonly allowance: UserAllowance;
}

/**
 * One client's socket: Phoenix Channels V2 from its first message to its last, and the bounds of what a client may do.
 *
 * @see https://hexdocs.pm/phoenix/writing_a_channels_client.html
 */
export class SocketConnection {
  readonly viewer: Viewer;
  /** When the client was last heard, monotonic milliseconds. */
  lastHeardMs: number;
  readonly #context: Context;
  readonly #socket: WebSocket;
  readonly #topics: JoinedTopics;
  readonly #allowance: UserAllowance;
  #isClosed = false;
  #windowStartMs = 0;
  #windowCount = 0;

  constructor({ context, socket, viewer, handlers, allowance }: SocketConnectionOptions) {
    this.#allowance = allowance;
    this.#context = context;
    this.#socket = socket;
    this.viewer = viewer;
    this.lastHeardMs = context.clock.monotonicMs();
    this.#topics = new JoinedTopics({
      context,
      viewer,
      handlers,
      allowance,
      send: (frame) => this.#send(frame),
    });
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    // Their pongs would fill the memory for a client that sends pings and reads nothing.
    socket.on('ping', () => this.#hear());
    socket.on('pong', () => this.#hear());
    socket.on('close', () => this.#end(true));
    // What is no WebSocket message, or too large a one: `ws` has said so to the client, with its close code.
    socket.on('error', () => this.#end(false));
  }

  /** Ends the socket, politely. Later calls change nothing. */
  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#end(false);
    this.#socket.close(code, reason);
  }

  /** News may have been missed: every topic is told to be joined again, which answers with its present state. */
  rejoinAll(): void {
    this.#topics.rejoinAll();
  }

  #end(isByClient: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#topics.leaveAll(isByClient);
    setTimeout(() => this.#socket.terminate(), farewellMs).unref();
  }

  #send({ bytes, isBinary }: EncodedFrame): void {
    if (this.#isClosed) return;
    if (this.#socket.bufferedAmount > socketLimits.backlogBytes) {
      this.#context.log.warn({ user_id: this.viewer.id }, 'a socket is closed: its client does not read');
      this.close(closeCodes.tryAgainLater, 'the client reads too slowly');
      return;
    }
    this.#socket.send(bytes, { binary: isBinary });
  }

  /** Counts a message; false when it is one too many, or comes after the end. */
  #hear(): boolean {
    if (this.#isClosed) return false;
    const nowMs = this.#context.clock.monotonicMs();
    this.lastHeardMs = nowMs;
    const { messages, windowSeconds } = socketLimits;
    if (nowMs - this.#windowStartMs >= windowSeconds * 1000) {
      this.#windowStartMs = nowMs;
      this.#windowCount = 0;
    }
    this.#windowCount += 1;
    if (this.#windowCount > messages) {
      this.close(closeCodes.policy, `at most ${messages} messages in ${windowSeconds} s`);
      return false;
    }
    if (this.#allowance.takeMessage()) return true;
    const { burst, perSecond } = socketLimits.rates.user.messages;
    this.close(closeCodes.policy, `at most ${burst} messages of a user at once and ${perSecond} a second`);
    return false;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.#hear()) return;
    const frame = decodeFrame(data, isBinary);
    if (!frame) {
      const rule = 'a message must be [join_ref, ref, topic, event, payload] as JSON, or a binary push';
      this.close(closeCodes.invalidData, rule);
      return;
    }
    const [, , topic, event] = frame;
    if (topic !== heartbeatTopic) this.#topics.receive(frame);
    else if (event === lifecycleEvents.heartbeat) this.#send(encodeReply(frame, 'ok', {}));
    else this.#send(encodeReply(frame, 'error', { reason: 'unmatched topic' }));
  }
}
