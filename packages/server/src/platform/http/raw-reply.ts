import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../errors.ts';
import { bareHeaders } from './bare-headers.ts';
import type { RateState } from './rate-limit.ts';

/**
 * Writes an error reply to a raw connection and closes it. Used for messages that never became a request of the
 * framework, such as invalid HTTP or a rejected WebSocket upgrade.
 */
export function replyRaw(stream: Duplex, error: ServiceError, rate: RateState): void {
  if (stream.destroyed || !stream.writable) return;
  const body = JSON.stringify(error.toBody());
  const headers: Record<string, string | number> = {
    ...bareHeaders,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': error.retryAfterSeconds }),
    'x-ratelimit-limit': rate.limit,
    'x-ratelimit-remaining': rate.remaining,
    'x-ratelimit-reset': rate.resetsAt,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  stream.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
}
