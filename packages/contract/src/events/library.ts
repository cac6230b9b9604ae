import { z } from 'zod';
import { channel } from '../channel.ts';
import { uuid } from '../ids.ts';
import { libraryImport } from '../resources/import.ts';
import { track } from '../resources/track.ts';
import { jobProgress } from './job-progress.ts';

/** Everything that moves in one user's library: the one topic the page joins. */
export const libraryChannel = channel({
  topic: 'library:{user_id}',
  summary: 'Tracks and jobs of one user',
  socket: '/socket/websocket',
  scope: 'tracks:read',
  params: z.object({ user_id: z.coerce.number().int().positive() }),
  pushes: {
    track_created: z.object({ track }),
    track_updated: z.object({ track }),
    track_deleted: z.object({ track_id: uuid }),
    /** The cue points of a track are others than before: whoever shows them fetches them. */
    cues_updated: z.object({ track_id: uuid }),
    /** The beats that a track goes by are others than before, or are locked now: whoever shows them fetches them. */
    grid_updated: z.object({ track_id: uuid }),
    /** The notes of a track are others than before: whoever shows them fetches them. */
    notes_updated: z.object({ track_id: uuid }),
    job_progress: jobProgress,
    import_progress: z.object({ import: libraryImport }),
    /**
     * So many tracks and jobs changed at once that they are not told one by one: lists have to be fetched again. Told
     * when an import brings its songs, and when it is cancelled.
     */
    library_changed: z.object({ import_id: uuid.nullable(), tracks: z.int().min(0), jobs: z.int().min(0) }),
  },
});
