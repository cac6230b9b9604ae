import { type DeckMessage, deckMessages } from '@stem-studio/contract/events/decks';
import { type ChannelFrame, lifecycleEvents } from '@stem-studio/contract/frame';
import { Socket } from 'phoenix';
import { type DeckRules, overTheWire } from './deck-rules.ts';

/** Simulated latency of a message in each direction, in milliseconds. */
export const wireMs = 20;

/** Simulated WebSocket for the Phoenix client, with {@link DeckRules} as its server. */
class PretendWebSocket {
  readyState = 0;
  binaryType = 'arraybuffer';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string; wasClean: boolean }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly #hub: PretendHub;
  /** Ref of the join; null before. */
  #joinRef: string | null = null;

  constructor(hub: PretendHub) {
    this.#hub = hub;
    setTimeout(() => {
      if (!hub.isUp) return this.end(1006);
      this.readyState = 1;
      hub.open.add(this);
      this.onopen?.();
    }, wireMs);
  }

  send(text: string): void {
    if (this.readyState === 1) setTimeout(() => this.#receive(text), wireMs + this.#hub.extraUpMs);
  }

  close(code = 1000): void {
    this.end(code);
  }

  /** Closes the connection, as the network or the service does. */
  end(code: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#hub.open.delete(this);
    setTimeout(() => this.onclose?.({ code, reason: '', wasClean: code !== 1006 }), 0);
  }

  /** Sends a push if the topic is joined. */
  push(event: string, payload: object): void {
    if (this.#joinRef !== null) this.#transmit([null, null, 'decks:current', event, { ...payload }]);
  }

  #receive(text: string): void {
    if (this.#hub.isStalled || (this.readyState !== 1 && !this.#hub.isUp)) return;
    const [joinRef, ref, topic, event, payload] = JSON.parse(text) as ChannelFrame;
    const reply = (status: 'ok' | 'error', response: object) =>
      this.#transmit([joinRef, ref, topic, lifecycleEvents.reply, { status, response }]);
    if (topic === 'phoenix' || event === lifecycleEvents.leave) return reply('ok', {});
    if (event === lifecycleEvents.join) {
      this.#joinRef = joinRef;
      this.#hub.joins += 1;
      return reply('ok', this.#hub.rules.welcome());
    }
    const schema = deckMessages[event as keyof typeof deckMessages];
    const message = { event, ...schema.parse(payload) } as DeckMessage;
    this.#hub.received.push(message);
    const taken = this.#hub.rules.take(message);
    if (!taken) return reply('error', { reason: 'track not found', code: 'NOT_FOUND' });
    reply('ok', taken.reply);
    if (this.#hub.losesPushes) return;
    for (const other of this.#hub.open)
      if (other !== this) for (const { event: name, ...payload } of taken.pushes) other.push(name, payload);
  }

  #transmit(frame: ChannelFrame): void {
    const data = JSON.stringify(overTheWire(frame));
    setTimeout(() => {
      if (this.readyState === 1) this.onmessage?.({ data });
    }, wireMs);
  }
}

/** Server side of all connections. */
export class PretendHub {
  readonly rules: DeckRules;
  readonly open = new Set<PretendWebSocket>();
  /** All received messages. */
  readonly received: DeckMessage[] = [];
  /** All opened addresses. */
  readonly addresses: string[] = [];
  isUp = true;
  losesPushes = false;
  /** Whether connections stay open but deliver nothing to the service. */
  isStalled = false;
  /** Number of joins that were answered. */
  joins = 0;
  /** Latency of messages to the service in addition to {@link wireMs}. */
  extraUpMs = 0;

  constructor(rules: DeckRules) {
    this.rules = rules;
  }

  /** Returns the `WebSocket` class for the Phoenix client. */
  get transport(): new (
    address: string,
  ) => object {
    const wire = (address: string): PretendWebSocket => {
      this.addresses.push(address);
      return new PretendWebSocket(this);
    };
    // Called with `new`; the returned object is the socket.
    function Transport(address: string): PretendWebSocket {
      return wire(address);
    }
    return Transport as unknown as new (
      address: string,
    ) => object;
  }

  /** Returns a Phoenix client connected to this hub. */
  socket(): Socket {
    return new Socket('ws://studio.example/live', {
      transport: this.transport,
      reconnectAfterMs: () => 100,
      rejoinAfterMs: () => 100,
    });
  }

  /** Notes a closed connection of the window that plays the audio, as the service does. */
  noteClosedWindow(): void {
    const left = { event: 'set_mixer', changes: { audio_left_at: this.rules.nowMs } } as const;
    for (const { event, ...payload } of this.rules.take(left)?.pushes ?? [])
      for (const one of this.open) one.push(event, payload);
  }

  /** Closes every channel on open connections, as the service does after it has lost events itself. */
  endJoins(): void {
    for (const one of this.open) one.push(lifecycleEvents.error, {});
  }

  /** Closes every connection. */
  cut(code = 1006): void {
    for (const one of this.open) one.end(code);
  }
}
