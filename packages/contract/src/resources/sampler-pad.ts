import { z } from 'zod';
import { cueColor } from './cue.ts';

/** How a press plays a pad: to its end, while it is held, or round and round until the next press. */
export const padModes = ['one-shot', 'hold', 'loop'] as const;
/** When a pressed pad starts: at once, at the next beat or at the next bar of the leading deck. */
export const padQuantizes = ['off', 'beat', 'bar'] as const;
/** Tempo of a pad: as recorded, or that of the leading deck by varispeed or key lock. */
export const padTempi = ['recorded', 'varispeed', 'key-lock'] as const;

/** Limits of the sampler. */
export const samplerBounds = {
  name: 40,
  gainDb: { min: -24, max: 12 },
  beats: 256,
  chokeGroups: 4,
  /** Longest sample in seconds. */
  seconds: 30,
  /** Largest file that is decoded, in bytes. */
  fileBytes: 16_000_000,
} as const;

/**
 * Settings of a pad of the sampler.
 *
 * @spec Sampler
 */
export const samplerPad = z.strictObject({
  name: z.string().trim().min(1).max(samplerBounds.name),
  color: cueColor,
  mode: z.enum(padModes),
  quantize: z.enum(padQuantizes),
  tempo: z.enum(padTempi),
  gain_db: z.number().min(samplerBounds.gainDb.min).max(samplerBounds.gainDb.max),
  /** Pads of one group stop each other; 0 is no group. */
  choke_group: z.int().min(0).max(samplerBounds.chokeGroups),
  /** Length of the sample in beats; null where it has no tempo. */
  beats: z.number().positive().max(samplerBounds.beats).nullable(),
});
/** Settings of a pad of the sampler. */
export type SamplerPad = z.infer<typeof samplerPad>;
