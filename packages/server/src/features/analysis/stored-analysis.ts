import { analysisResult } from '@stem-studio/contract/resources/analysis';
import { rhythmFields } from '@stem-studio/contract/resources/beat-grid';
import type { HandGrid } from '@stem-studio/dsp/rhythm/grid/hand-grid';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Every field of an analysis is optional: one that cannot be read is left out, the others are kept. */
const defaults = {};

/** Result of an analysis job. */
export const storedAnalysis = storedJson('result of an analysis', analysisResult, { defaults });

/** Beats and tempo of a result. */
export const storedRhythm = storedJson(
  'beats of an analysis',
  z.object({ ...rhythmFields, duration_seconds: z.number() }).partial(),
  { defaults },
);

/** Form and harmony of a result. */
export const storedForm = storedJson(
  'form of an analysis',
  analysisResult.pick({
    sections: true,
    chords: true,
    keys: true,
    energy_curve: true,
    vocal_curve: true,
    duration_seconds: true,
  }),
  { defaults },
);

/** Grid of a step in the history of a beat grid. */
export const storedGrid = storedJson<HandGrid>(
  'grid of a step of a beat grid',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('even'),
      bpm: z.number(),
      oneSeconds: z.number(),
      timeSignature: z.string(),
    }),
    z.object({
      kind: z.literal('following'),
      one: z.number(),
      step: z.number(),
      offsetSeconds: z.number(),
      timeSignature: z.string(),
    }),
  ]),
);
