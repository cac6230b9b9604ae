import { z } from 'zod';

/** How the level of an export is set: not at all, by its peak (−1 dBFS), or by its loudness (−14 LUFS, peak at most −1 dBFS). */
export const editNormalization = z.enum(['none', 'peak', 'loudness']);
/** How the level of an export is set. */
export type EditNormalization = z.infer<typeof editNormalization>;

/** Sample formats of an export. */
export const editBitDepth = z.enum(['16', '24', '32f']);
