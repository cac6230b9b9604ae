import type { Scope } from '@stem-studio/audio/base/scope';
import { topicOf } from '@stem-studio/contract/channel';
import { type DeckMessage, type DeckPushEvent, deckChannel } from '@stem-studio/contract/events/decks';
import { closeCodes } from '@stem-studio/contract/frame';
import type { Channel, Socket } from 'phoenix';

/** Events of a {@link DeckConnection}. */
export interface DeckConnectionEvents {
  /**
   * The service answered a join. The connection counts as joined once {@link DeckConnection.accept} was called.
   *
   * @param askedMs when the join was sent, by this machine's clock
   */
  onWelcome(reply: unknown, askedMs: number): void;
  onPush(event: DeckPushEvent, payload: unknown): void;
  /** The connection broke, or the join was refused; it is tried again by itself. */
  onLost(): void;
  /** The login ended: it is not tried again before {@link DeckConnection.resume}. */
  onLoginEnded(): void;
}

/** Handlers of the replies to a message. */
export interface ReplyHandlers {
  readonly onOk: (reply: unknown) => void;
  readonly onError: (reply: unknown) => void;
  readonly onTimeout: () => void;
}

/** Connection of this window with its deck session: a socket with one channel, which is joined again after each break. */
export class DeckConnection {
  readonly #socket: Socket;
  readonly #client: string;
  readonly #ownMs: () => number;
  readonly #scope: Scope;
  readonly #events: DeckConnectionEvents;
  #channel: Channel | null = null;
  #isJoined = false;
  /** Number of joins; replies to messages that were sent in an earlier one are dropped. */
  #joins = 0;
  #askedMs = 0;

  /**
   * @param socket not yet connected
   * @param client name of this window
   * @param ownMs milliseconds by this machine's clock
   * @param scope nothing is reported after its end
   */
  constructor(
    socket: Socket,
    client: string,
    ownMs: () => number,
    scope: Scope,
    events: DeckConnectionEvents,
  ) {
    this.#socket = socket;
    this.#client = client;
    this.#ownMs = ownMs;
    this.#scope = scope;
    this.#events = events;
  }

  /** Whether messages can be sent. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  /** Connects and joins. */
  open(): void {
    this.#socket.onOpen(() => this.#noteAsked());
    this.#socket.onError(() => this.#lose());
    this.#socket.onClose((event: { code?: number } | undefined) => {
      if (event?.code === closeCodes.loginEnded) this.#events.onLoginEnded();
      else this.#lose();
    });
    this.#join();
    this.#socket.connect();
  }

  /** Marks the welcome as processed: messages can be sent from now on. */
  accept(): void {
    this.#joins += 1;
    this.#isJoined = true;
  }

  /** Sends a message. Its handlers are called only if no further join comes in between. */
  send({ event, ...payload }: DeckMessage, { onOk, onError, onTimeout }: ReplyHandlers): void {
    const join = this.#joins;
    const isCurrent = () => join === this.#joins;
    this.#channel
      ?.push(event, payload)
      .receive('ok', (reply: unknown) => isCurrent() && onOk(reply))
      .receive('error', (reply: unknown) => isCurrent() && onError(reply))
      .receive('timeout', () => isCurrent() && onTimeout());
  }

  /** Leaves and joins again, to receive the whole session. */
  rejoin(): void {
    if (this.#scope.isDisposed) return;
    this.#isJoined = false;
    this.#channel?.leave();
    this.#join();
  }

  /** Disconnects until {@link resume}: the CSRF token of an ended login opens no other socket. */
  suspend(): void {
    this.#socket.disconnect();
    this.#lose();
  }

  /** Connects again after {@link suspend}; the channel then joins by itself. */
  resume(): void {
    this.#socket.connect();
  }

  /** Leaves for good. */
  dispose(): void {
    this.#channel?.leave();
    this.#socket.disconnect();
  }

  #join(): void {
    this.#joins += 1;
    // The client library reads the parameters for each join that it sends, also for those after a break.
    const params = () => {
      this.#noteAsked();
      return { client: this.#client };
    };
    const channel = this.#socket.channel(topicOf(deckChannel, { deck_session_id: 'current' }), params);
    this.#channel = channel;
    const isCurrent = () => this.#channel === channel && !this.#scope.isDisposed;
    for (const event of Object.keys(deckChannel.pushes) as DeckPushEvent[])
      channel.on(event, (payload: unknown) => {
        if (isCurrent()) this.#events.onPush(event, payload);
      });
    const onFailure = () => {
      if (isCurrent()) this.#lose();
    };
    channel.onError(onFailure);
    channel
      .join()
      .receive('ok', (reply: unknown) => {
        if (isCurrent()) this.#events.onWelcome(reply, this.#askedMs);
      })
      .receive('error', onFailure);
  }

  #noteAsked(): void {
    this.#askedMs = this.#ownMs();
  }

  #lose(): void {
    this.#isJoined = false;
    this.#events.onLost();
  }
}
