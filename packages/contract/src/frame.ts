import { z } from 'zod';

/**
 * Text frame of Phoenix Channels V2: `[join_ref, ref, topic, event, payload]`. Refs are strings chosen by the client,
 * or null for pushes of the server.
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
/** Text frame of Phoenix Channels V2. */
export type ChannelFrame = z.infer<typeof channelFrame>;

/** Events with a protocol meaning on every topic. */
export const lifecycleEvents = {
  join: 'phx_join',
  leave: 'phx_leave',
  reply: 'phx_reply',
  close: 'phx_close',
  error: 'phx_error',
  heartbeat: 'heartbeat',
} as const;

/** Topic reserved for heartbeats. */
export const heartbeatTopic = 'phoenix';

/**
 * Close codes of the service's sockets. The Phoenix client reconnects after each of them.
 *
 * @see https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number
 */
export const closeCodes = {
  /** The login has ended: log-out, a revoked or expired key, or a deactivated user. */
  loginEnded: 1000,
  /** The service shuts down, or the socket was idle for too long. */
  goingAway: 1001,
  /** Malformed message. */
  invalidData: 1007,
  /** Message rate exceeded. */
  policy: 1008,
  /** The client reads too slowly. */
  tryAgainLater: 1013,
} as const;
