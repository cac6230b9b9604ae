import { catalogChannel } from '@stem-studio/contract/events/catalog';
import { defineChannel } from '../../platform/socket/channel.ts';

/** Channel of the catalog folder, open to every logged-in user. */
export const catalogTopic = defineChannel(catalogChannel, {
  join: ({ bus }) => Promise.resolve({ quiet_ms: bus.quietMs(catalogChannel.topic) }),
});
