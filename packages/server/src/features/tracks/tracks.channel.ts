import { libraryChannel } from '@stem-studio/contract/events/library';
import { defineChannel } from '../../platform/socket/channel.ts';

/** Channel of a user's library, open to that user alone. */
export const libraryTopic = defineChannel(libraryChannel, {
  join: (_context, viewer, { user_id }) => Promise.resolve(user_id === viewer.id ? {} : null),
});
