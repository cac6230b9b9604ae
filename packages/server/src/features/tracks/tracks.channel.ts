import { topicOf } from '@stem-studio/contract/channel';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { defineChannel } from '../../platform/socket/channel.ts';

/** Channel of a user's library, open to that user alone. */
export const libraryTopic = defineChannel(libraryChannel, {
  join: (context, viewer, params) => {
    const topic = topicOf(libraryChannel, params);
    return Promise.resolve(params.user_id === viewer.id ? { quiet_ms: context.bus.quietMs(topic) } : null);
  },
});
