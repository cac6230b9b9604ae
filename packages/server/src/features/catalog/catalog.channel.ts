import { catalogChannel } from '@stem-studio/contract/events/catalog';
import { defineChannel } from '../../platform/socket/channel.ts';

/** The catalog folder is everybody's who is logged in. */
export const catalogTopic = defineChannel(catalogChannel, { join: () => Promise.resolve({}) });
