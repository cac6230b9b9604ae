import { z } from 'zod';
import type { NeededScope } from './scopes.ts';

/** Declaration of one socket topic. */
export interface ChannelSpec {
  /** Topic with `{name}` parameters, such as `jobs:{job_id}`. */
  readonly topic: `${string}:${string}`;
  readonly summary: string;
  /** Path of the socket that serves the topic. */
  readonly socket: '/socket/websocket' | '/live/websocket';
  /** Scope that an API key needs to join; null for topics that only browsers may join. */
  readonly scope: NeededScope | null;
  /** Schema of each topic parameter. */
  readonly params: z.ZodObject;
  /** Messages pushed by the server, with the schema of each payload. */
  readonly pushes: Readonly<Record<string, z.ZodType>>;
  /** Messages the client may send, with the schema of each payload. */
  readonly messages?: Readonly<Record<string, z.ZodType>>;
}

/**
 * Reply to a join of the library and the catalog folder: time in milliseconds, 60,000 at most, for which the topic had
 * no event. What was fetched within that time need not be fetched again.
 */
export const quietReply = z.object({ quiet_ms: z.int().min(0) });

/** Declares a topic. The server, the browser client and the tests all use this value. */
export function channel<const T extends ChannelSpec>(spec: T): T {
  return spec;
}

/**
 * Returns the topic of `spec` with its parameters filled in.
 *
 * @throws {Error} when a parameter is missing
 */
export function topicOf(spec: ChannelSpec, params: Readonly<Record<string, string | number>>): string {
  return spec.topic.replace(/\{([a-z_]+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`topic ${spec.topic} needs the parameter "${name}"`);
    return String(value);
  });
}

/**
 * Returns the parameters of `topic` if it matches `spec`, else null. Only the spelling under which a topic is
 * published matches: `library:7` does, `library:07` does not.
 */
export function topicParams(spec: ChannelSpec, topic: string): Record<string, unknown> | null {
  const names: string[] = [];
  const pattern = spec.topic.replace(/\{([a-z_]+)\}/g, (_whole, name: string) => {
    names.push(name);
    return '([^:]+)';
  });
  const match = new RegExp(`^${pattern}$`).exec(topic);
  if (!match) return null;
  const parsed = spec.params.safeParse(Object.fromEntries(names.map((name, i) => [name, match[i + 1]])));
  const isSpelledSo = parsed.success && topicOf(spec, parsed.data as Record<string, string>) === topic;
  return isSpelledSo ? parsed.data : null;
}
