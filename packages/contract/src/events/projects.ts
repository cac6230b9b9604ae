import { z } from 'zod';
import { channel } from '../channel.ts';
import { uuid } from '../ids.ts';
import { editOperation } from '../resources/edit-operation.ts';
import { project } from '../resources/project.ts';

/** Version of the project after the change; each change raises it by 1, so a window notices one that it missed. */
const version = z.int().min(0);
const position = z.int().min(0);

/**
 * Topic of the projects of a track, for its owner. Every change is pushed to all windows, including the one that sent
 * it: it recognises its operations by their ids.
 *
 * @spec Edit operations
 */
export const projectChannel = channel({
  topic: 'daw:{track_id}',
  summary: 'Projects of a track',
  socket: '/live/websocket',
  scope: null,
  params: z.object({ track_id: uuid }),
  pushes: {
    /** Operations were appended after `dropped` ones at the end of the log were dropped. */
    operations_added: z.object({
      project_id: uuid,
      version,
      position,
      operations: z.array(editOperation),
      dropped: z.int().min(0),
    }),
    position_changed: z.object({ project_id: uuid, version, position }),
    project_created: z.object({ project }),
    /** A project was renamed, or its stems were deleted. */
    project_updated: z.object({ project }),
    project_deleted: z.object({ project_id: uuid }),
  },
});
