import type { z } from 'zod';
import type { NeededScope } from './scopes.ts';

/** Everything there is to know about one socket topic, before its code. */
export interface ChannelSpec {
  /** Topic with `{name}` parameters, such as `jobs:{job_id}`. */
  readonly topic: `${string}:${string}`;
  readonly summary: string;
  /** Which path serves it. */
  readonly socket: '/socket/websocket' | '/live/websocket';
  /** What an API key needs to join; null where the topic is for browsers only. */
  readonly scope: NeededScope | null;
  /** Schema of each topic parameter. */
  readonly params: z.ZodObject;
  /** Messages the server pushes. */
  readonly pushes: Readonly<Record<string, z.ZodType>>;
  /** Messages the client may send, with the schema of each payload. */
  readonly messages?: Readonly<Record<string, z.ZodType>>;
}

/** Declares a topic. The server joins it, the browser subscribes to it and the tests check it by this one value. */
export function channel<const T extends ChannelSpec>(spec: T): T {
  return spec;
}

/** The topic of `spec` with its parameters filled in. Throws when one is missing. */
export function topicOf(spec: ChannelSpec, params: Readonly<Record<string, string | number>>): string {
  return spec.topic.replace(/\{([a-z_]+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`topic ${spec.topic} needs the parameter "${name}"`);
    return String(value);
  });
}

/**
 * The parameters of `topic` when it is one of `spec`, else null. A topic has one spelling, the one it is published
 * under: `library:7` is one, `library:07` is none.
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
