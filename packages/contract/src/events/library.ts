import { z } from 'zod';
import { channel } from '../channel.ts';
import { uuid } from '../ids.ts';
import { libraryImport } from '../resources/import.ts';
import { track } from '../resources/track.ts';
import { jobProgress } from './job-progress.ts';

/** Topic of all changes in one user's library; the only library topic that the page joins. */
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
    /** The cue points of a track have changed; clients that show them fetch them again. */
    cues_updated: z.object({ track_id: uuid }),
    /** The current beat grid of a track, or its lock, has changed; clients that show it fetch it again. */
    grid_updated: z.object({ track_id: uuid }),
    /** The notes of a track have changed; clients that show them fetch them again. */
    notes_updated: z.object({ track_id: uuid }),
    /** Crates, or the tracks in one of them, have changed; clients fetch them again. Null for the list of crates. */
    crates_updated: z.object({ crate_id: uuid.nullable() }),
    /** The audio of a track has been stored, and an older track of the library has the same samples. */
    duplicate_found: z.object({
      track_id: uuid,
      title: z.string(),
      existing: z.object({ track_id: uuid, title: z.string(), artist: z.string() }),
    }),
    job_progress: jobProgress,
    import_progress: z.object({ import: libraryImport }),
    /**
     * Many tracks and jobs changed at once, without an event for each: clients fetch their lists again. Sent when an
     * import adds its tracks and when it is cancelled.
     */
    library_changed: z.object({ import_id: uuid.nullable(), tracks: z.int().min(0), jobs: z.int().min(0) }),
  },
});
