import type { GridRule } from '@stem-studio/dsp/rhythm/grid/grid-rule';
import { z } from 'zod';

/** Version 1 of the stored form, also part of account exports: its names stay as they are. */
const storedGridRule = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('even'),
    bpm: z.number(),
    oneSeconds: z.number(),
    timeSignature: z.string().default('4/4'),
  }),
  z.object({
    kind: z.literal('following'),
    one: z.number(),
    step: z.number().default(1),
    offsetSeconds: z.number().default(0),
    timeSignature: z.string().default('4/4'),
  }),
]);
/** Grid rule as it is stored. */
export type StoredGridRule = z.infer<typeof storedGridRule>;

/** Parses a stored grid rule. Throws where it is none. */
export function parseStoredRule(stored: unknown): GridRule {
  const rule = storedGridRule.parse(stored);
  if (rule.kind === 'even') {
    const { kind, bpm, oneSeconds: downbeatSeconds, timeSignature } = rule;
    return { kind, bpm, downbeatSeconds, timeSignature };
  }
  const { kind, one: downbeatIndex, step, offsetSeconds, timeSignature } = rule;
  return { kind, downbeatIndex, step, offsetSeconds, timeSignature };
}

/** Returns a grid rule as it is stored. */
export function toStoredRule(rule: GridRule): StoredGridRule {
  if (rule.kind === 'even') {
    const { kind, bpm, downbeatSeconds: oneSeconds, timeSignature } = rule;
    return { kind, bpm, oneSeconds, timeSignature };
  }
  const { kind, downbeatIndex: one, step, offsetSeconds, timeSignature } = rule;
  return { kind, one, step, offsetSeconds, timeSignature };
}
