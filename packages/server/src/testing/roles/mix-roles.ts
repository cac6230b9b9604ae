import type { endpoints } from '@stem-studio/contract/service';
import { insertMixOf } from './own-mix.ts';
import type { RoleRow } from './role.ts';

/** Access to the endpoints of rendered mixes and edits. */
export const mixRoles = {
  createMix: {
    access: 'owner',
    status: 201,
    thing: 'a track',
    make: async (has) => ({
      params: { id: (await has.track()).id },
      body: { rows: [{ source: 'mix' }] },
    }),
  },
  listMixes: {
    access: 'users',
    status: 200,
    thing: 'a mix',
    make: async (has) => {
      await insertMixOf(has);
      return {};
    },
  },
  getMix: {
    access: 'owner and admins',
    status: 200,
    thing: 'a mix',
    make: async (has) => ({ params: { id: await insertMixOf(has) } }),
  },
  exportEdit: {
    access: 'owner by cookie',
    status: 200,
    thing: 'a track',
    make: async (has) => ({
      parts: [
        { name: 'track_id', bytes: Buffer.from((await has.track()).id) },
        { name: 'manifest', bytes: Buffer.from('{}') },
        { name: 'stems[]', fileName: 'vocals.wav', bytes: has.pattern.file },
      ],
    }),
  },
  downloadMix: {
    access: 'owner and admins',
    status: 200,
    thing: 'a mix',
    make: async (has) => ({ params: { id: await insertMixOf(has) } }),
  },
} as const satisfies Partial<Record<keyof typeof endpoints, RoleRow>>;
