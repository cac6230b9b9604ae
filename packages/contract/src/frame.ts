import { z } from 'zod';

/**
 * A text frame of Phoenix Channels V2: `[join_ref, ref, topic, event, payload]`. Refs are strings made by the client,
 * or null for what the server pushes.
 *
 * @see https://hexdocs.pm/phoenix/writing_a_channels_client.html
 */
export const channelFrame = z.tuple([
  z.string().max(64).nullable(),
  z.string().max(64).nullable(),
  z.string().min(1).max(256),
  z.string().min(1).max(128),
  z.record(z.string(), z.unknown()),
]);
/** A text frame of Phoenix Channels V2. */
export type ChannelFrame = z.infer<typeof channelFrame>;

/** Events with a meaning of their own on every topic. */
export const lifecycleEvents = {
  join: 'phx_join',
  leave: 'phx_leave',
  reply: 'phx_reply',
  close: 'phx_close',
  error: 'phx_error',
  heartbeat: 'heartbeat',
} as const;

/** The topic that carries heartbeats and nothing else. */
export const heartbeatTopic = 'phoenix';

/**
 * Why the service closes a socket. The public client comes back after every one of them.
 *
 * @see https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number
 */
export const closeCodes = {
  /** The login behind it has ended: log-out, a revoked or expired key, a deactivated user. */
  loginEnded: 1000,
  /** The service stops, or has heard nothing for too long. */
  goingAway: 1001,
  /** A message that is none. */
  invalidData: 1007,
  /** More messages than are allowed. */
  policy: 1008,
  /** The client reads too slowly. */
  tryAgainLater: 1013,
} as const;
