import type { GridRule } from '@stem-studio/dsp/rhythm/grid/grid-rule';
import { z } from 'zod';
import type { Db } from '../../platform/db/database.ts';
import { storedJson } from '../../platform/db/stored-json.ts';

const version1 = z.discriminatedUnion('kind', [
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
export type StoredGridRule = z.infer<typeof version1>;

/** Grid of a step in the history of a beat grid. Also part of account exports: the names of version 1 stay. */
export const storedGridRule = storedJson<StoredGridRule>('grid of a step of a beat grid', version1);

/** Returns a stored grid rule as the code uses it. */
export function toGridRule(rule: StoredGridRule): GridRule {
  if (rule.kind === 'even') {
    const { kind, bpm, oneSeconds: downbeatSeconds, timeSignature } = rule;
    return { kind, bpm, downbeatSeconds, timeSignature };
  }
  const { kind, one: downbeatIndex, step, offsetSeconds, timeSignature } = rule;
  return { kind, downbeatIndex, step, offsetSeconds, timeSignature };
}

/** Reads the grid rule of a row; null, with a log entry, if it is unreadable. */
export function readGridRule(db: Db, stored: unknown, row: string): GridRule | null {
  const rule = storedGridRule.read(db, stored, row);
  return rule && toGridRule(rule);
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
