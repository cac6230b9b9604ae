import { z } from 'zod';

/** Value that a message is about. */
interface Received {
  readonly input?: unknown;
}

const within = (min: number, max: number) => ({
  error: ({ input }: Received) => `must be ${min} to ${max} (got ${String(input)})`,
});

/** Returns the schema of a number within bounds, whose message states the rule and the value. */
export const numberBetween = (min: number, max: number) =>
  z.number().min(min, within(min, max)).max(max, within(min, max));

/** Returns the schema of a whole number within bounds, whose message states the rule and the value. */
export const intBetween = (min: number, max: number) =>
  z.int().min(min, within(min, max)).max(max, within(min, max));
