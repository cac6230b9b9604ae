import type { ChannelSpec } from '@stem-studio/contract/channel';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Viewer } from '../http/viewer.ts';

/** What `defineChannel` needs beside the contract's spec. */
export interface ChannelOptions<T extends ChannelSpec> {
  /** What a join answers; null says "not found", which is all that others' topics ever say. */
  join(
    context: Context,
    viewer: Viewer,
    params: z.output<T['params']>,
  ): Promise<Record<string, unknown> | null>;
}

/** A topic of the socket with its code. */
export interface ChannelHandler {
  readonly spec: ChannelSpec;
  join(
    context: Context,
    viewer: Viewer,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown> | null>;
}

/** Declares who may join a topic, and what they are told first. */
export function defineChannel<const T extends ChannelSpec>(
  spec: T,
  options: ChannelOptions<T>,
): ChannelHandler {
  return {
    spec,
    join: (context, viewer, params) => options.join(context, viewer, params as z.output<T['params']>),
  };
}
