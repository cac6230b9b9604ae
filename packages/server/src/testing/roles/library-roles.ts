import type { endpoints } from '@stem-studio/contract/service';
import { insertCrateOf } from './own-crate.ts';
import type { RoleRow } from './role.ts';

/** Required access of the endpoints of crates, batch edits, played sets and the trash. */
export const libraryRoles = {
  listCrates: {
    access: 'users',
    status: 200,
    thing: 'a crate',
    make: async (has) => {
      await insertCrateOf(has);
      return {};
    },
  },
  createCrate: { access: 'users', status: 201, make: () => ({ body: { name: 'Openers' } }) },
  updateCrate: {
    access: 'owner',
    status: 200,
    thing: 'a crate',
    make: async (has) => ({ params: { id: (await insertCrateOf(has)).id }, body: { name: 'Closers' } }),
  },
  deleteCrate: {
    access: 'owner',
    status: 204,
    thing: 'a crate',
    make: async (has) => ({ params: { id: (await insertCrateOf(has)).id } }),
  },
  listCrateTracks: {
    access: 'owner',
    status: 200,
    thing: 'a crate',
    make: async (has) => ({ params: { id: (await insertCrateOf(has)).id } }),
  },
  putCrateTracks: {
    access: 'owner',
    status: 200,
    thing: 'a crate',
    make: async (has) => {
      const { id, trackId } = await insertCrateOf(has);
      return { params: { id }, body: { track_ids: [trackId] } };
    },
  },
  removeCrateTracks: {
    access: 'owner',
    status: 200,
    thing: 'a crate',
    make: async (has) => {
      const { id, trackId } = await insertCrateOf(has);
      return { params: { id }, body: { track_ids: [trackId] } };
    },
  },
  listDuplicates: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  listTrackIds: {
    access: 'users',
    status: 200,
    thing: 'a track',
    make: async (has) => {
      await has.track();
      return {};
    },
  },
  separateTracks: {
    access: 'owner',
    status: 200,
    thing: 'tracks',
    make: async (has) => ({ body: { track_ids: [(await has.track()).id] } }),
  },
  analyzeTracks: {
    access: 'owner',
    status: 200,
    thing: 'tracks',
    make: async (has) => ({ body: { track_ids: [(await has.track()).id] } }),
  },
  updateTracks: {
    access: 'owner',
    status: 200,
    thing: 'tracks',
    make: async (has) => ({ body: { track_ids: [(await has.track()).id], change: { rating: 3 } } }),
  },
  recordPlay: {
    access: 'owner',
    status: 201,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id }, body: { source: 'player' } }),
  },
  listPlayedSets: { access: 'users', status: 200 },
  listTrash: {
    access: 'users',
    status: 200,
    thing: 'a track in the trash',
    make: async (has) => {
      await has.track({ deleted_at: has.context.clock.now() });
      return {};
    },
  },
  purgeTrack: {
    access: 'owner',
    status: 204,
    thing: 'a track in the trash',
    make: async (has) => ({
      params: { id: (await has.track({ deleted_at: has.context.clock.now() })).id },
    }),
  },
} as const satisfies Partial<Record<keyof typeof endpoints, RoleRow>>;
