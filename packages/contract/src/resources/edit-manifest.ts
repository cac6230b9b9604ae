import { z } from 'zod';
import { intBetween, numberBetween } from '../bounded-number.ts';
import { editBounds } from '../limits.ts';
import { edit } from './edit-operation.ts';
import { editBitDepth, editNormalization } from './edit-output.ts';
import { stemType } from './stem.ts';

const volume = numberBetween(0, editBounds.volumePercent);
const pan = numberBetween(-editBounds.pan, editBounds.pan);
const ms = intBetween(0, editBounds.ms);

/**
 * Edit manifest: what to do with the stems of an export. The edits are applied in their order to whole stems; then
 * volumes, pans, mutes and solos are set.
 *
 * @spec Editor exports
 */
export const editManifest = z.strictObject({
  /** Faders in percent, 0 to 200; 100 where a stem is not named. */
  volumes: z.partialRecord(stemType, volume).default({}),
  /** −100 (left) to 100 (right); 0 where a stem is not named. */
  pans: z.partialRecord(stemType, pan).default({}),
  /** Stems that are silent. */
  mutes: z.array(stemType).default([]),
  /** If any: the only stems that sound. */
  solos: z.array(stemType).default([]),
  edits: z.array(edit).max(editBounds.operations).default([]),
  /** Part of the timeline; all of it by default. */
  range: z
    .strictObject({ start_ms: ms, end_ms: ms })
    .refine(({ start_ms, end_ms }) => end_ms > start_ms, {
      error: 'must be after start_ms',
      path: ['end_ms'],
    })
    .nullable()
    .default(null),
  /** Sample format of the file. Integers of 16 bits are dithered; a sum beyond full scale is clipped unless `32f`. */
  bit_depth: editBitDepth.default('24'),
  normalize: editNormalization.default('none'),
});
/** Edit manifest. */
export type EditManifest = z.infer<typeof editManifest>;
