import { z } from 'zod';
import { uuid } from '../ids.ts';

/** What an opened archive became. */
export const openedArchive = z.object({
  track_id: uuid,
  project_id: uuid,
  /** Download job that prepares the song; the project can be edited before it is finished. */
  job_id: uuid,
});
/** What an opened archive became. */
export type OpenedArchive = z.infer<typeof openedArchive>;
