import { projectChannel } from '@stem-studio/contract/events/projects';
import { own } from '../../platform/owned.ts';
import { defineChannel } from '../../platform/socket/channel.ts';
import { findTrack } from '../tracks/index.ts';

/** Topic of the projects of a track, for its owner only; admins cannot join. */
export const projectTopic = defineChannel(projectChannel, {
  join: async (context, viewer, { track_id }) =>
    own(viewer, await findTrack(context.db, track_id)) ? {} : null,
});
