import { closeCodes, heartbeatTopic, lifecycleEvents } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import type { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import type { Viewer } from '../http/viewer.ts';
import type { ChannelHandler } from './channel.ts';
import { decodeFrame, type EncodedFrame, encodeReply } from './frame-codec.ts';
import { JoinedTopics } from './joined-topics.ts';
import type { UserAllowance } from './socket-allowances.ts';

/** Time for a client to confirm the close before the connection is terminated, in ms. */
const closeGraceMs = 5000;

/** Options of {@link SocketConnection}. */
interface SocketConnectionOptions {
  readonly context: Context;
  readonly socket: WebSocket;
  readonly viewer: Viewer;
  readonly handlers: readonly ChannelHandler[];
  readonly allowance: UserAllowance;
}

/**
 * WebSocket connection of one client: the Phoenix Channels V2 protocol, and limits for the client.
 *
 * @see https://hexdocs.pm/phoenix/writing_a_channels_client.html
 */
export class SocketConnection {
  readonly viewer: Viewer;
  /** Time of the last message from the client, in monotonic milliseconds. */
  lastReceivedMs: number;
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
    this.lastReceivedMs = context.clock.monotonicMs();
    this.#topics = new JoinedTopics({
      context,
      viewer,
      handlers,
      allowance,
      send: (frame) => this.#send(frame),
    });
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    // Pings count as messages: their pongs would fill the memory if the client sends pings and reads nothing.
    socket.on('ping', () => this.#countMessage());
    socket.on('pong', () => this.#countMessage());
    socket.on('close', () => this.#end(true));
    // An invalid or too large WebSocket message. `ws` has already sent the close code to the client.
    socket.on('error', () => this.#end(false));
  }

  /** Closes the socket with a close handshake. Later calls have no effect. */
  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#end(false);
    this.#socket.close(code, reason);
  }

  /**
   * Makes the client rejoin every topic, because messages may have been missed. The reply to a join contains the
   * current state.
   */
  rejoinAll(): void {
    this.#topics.rejoinAll();
  }

  #end(isByClient: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#topics.leaveAll(isByClient);
    setTimeout(() => this.#socket.terminate(), closeGraceMs).unref();
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

  /** Counts a message. Returns false if it exceeds a limit, or arrives after the close. */
  #countMessage(): boolean {
    if (this.#isClosed) return false;
    const nowMs = this.#context.clock.monotonicMs();
    this.lastReceivedMs = nowMs;
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
    if (!this.#countMessage()) return;
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
