import { type ChannelFrame, channelFrame, lifecycleEvents } from '@stem-studio/contract/frame';

/** Payload of a message: JSON or raw bytes. */
export type FramePayload = Record<string, unknown> | Uint8Array;

/** Message from a client: `[join_ref, ref, topic, event, payload]`. */
export type ReceivedFrame = readonly [
  joinRef: ChannelFrame[0],
  ref: ChannelFrame[1],
  topic: string,
  event: string,
  payload: FramePayload,
];

/** Encoded message. */
export interface EncodedFrame {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** First byte of a binary message (serializer version 2). */
const kinds = { push: 0, reply: 1, broadcast: 2 } as const;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a client message: text, or a binary push. A binary push has kind 0 and four sizes (five bytes), then
 * join_ref, ref, topic and event, then the payload. Returns null for anything else.
 *
 * @see https://hexdocs.pm/phoenix/writing_a_channels_client.html
 */
export function decodeFrame(data: Buffer, isBinary: boolean): ReceivedFrame | null {
  try {
    return isBinary ? decodePush(data) : decodeText(data);
  } catch {
    return null;
  }
}

function decodeText(data: Buffer): ReceivedFrame | null {
  const parsed = channelFrame.safeParse(JSON.parse(data.toString('utf8')));
  return parsed.success ? parsed.data : null;
}

function decodePush(data: Buffer): ReceivedFrame | null {
  const [kind, ...sizes] = data.subarray(0, 5);
  if (kind !== kinds.push || sizes.length < 4) return null;
  let offset = 5;
  const texts = sizes.map((size) => utf8.decode(data.subarray(offset, (offset += size))));
  if (offset > data.length) return null;
  const [joinRef, ref, topic, event] = texts;
  // The same limits as for text; an empty reference counts as null.
  const parsed = channelFrame.safeParse([joinRef || null, ref || null, topic, event, {}]);
  if (!parsed.success) return null;
  return [parsed.data[0], parsed.data[1], parsed.data[2], parsed.data[3], data.subarray(offset)];
}

/** Encodes a message that expects no reply: `phx_close` or `phx_error` of a join, identified by its reference. */
export function encodeLifecycle(
  topic: string,
  joinRef: string | null,
  event: typeof lifecycleEvents.close | typeof lifecycleEvents.error,
): EncodedFrame {
  return encodeText([joinRef, joinRef, topic, event, {}]);
}

/** Encodes the reply to `frame`, as binary (kind 1) if `response` is bytes. */
export function encodeReply(
  frame: ReceivedFrame,
  status: 'ok' | 'error',
  response: FramePayload,
): EncodedFrame {
  const [joinRef, ref, topic] = frame;
  if (response instanceof Uint8Array)
    return encodeBinary(kinds.reply, [joinRef ?? '', ref ?? '', topic, status], response);
  return encodeText([joinRef, ref, topic, lifecycleEvents.reply, { status, response }]);
}

/** Encodes an event for all clients of the topic with identical bytes, as binary (kind 2) if `payload` is bytes. */
export function encodeBroadcast(topic: string, event: string, payload: FramePayload): EncodedFrame {
  if (payload instanceof Uint8Array) return encodeBinary(kinds.broadcast, [topic, event], payload);
  return encodeText([null, null, topic, event, payload]);
}

function encodeText(frame: ChannelFrame): EncodedFrame {
  return { bytes: Buffer.from(JSON.stringify(frame)), isBinary: false };
}

function encodeBinary(kind: number, texts: readonly string[], payload: Uint8Array): EncodedFrame {
  const fields = texts.map((text) => Buffer.from(text));
  const tooLong = fields.find((field) => field.length > 255);
  if (tooLong)
    throw new RangeError(
      `a name in a binary message must not be longer than 255 bytes (got ${tooLong.length})`,
    );
  const head = Buffer.from([kind, ...fields.map((field) => field.length)]);
  return { bytes: Buffer.concat([head, ...fields, payload]), isBinary: true };
}
