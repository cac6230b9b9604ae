import type { endpoints } from '@stem-studio/contract/service';
import { newId } from '../../platform/ids.ts';
import { archiveOf, insertProjectOf } from './own-project.ts';
import type { RoleRow } from './role.ts';

/** Access to the endpoints of projects. */
export const projectRoles = {
  listProjects: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  createProject: {
    access: 'owner',
    status: 201,
    thing: 'a track with stems',
    make: async (has) => ({ params: { id: (await has.stem()).trackId }, body: {} }),
  },
  getProject: {
    access: 'owner and admins',
    status: 200,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) } }),
  },
  updateProject: {
    access: 'owner',
    status: 200,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) }, body: { name: 'Another name' } }),
  },
  exportProject: {
    access: 'owner and admins',
    status: 200,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) } }),
  },
  exportProjectMidi: {
    access: 'owner and admins',
    status: 200,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) } }),
  },
  exportProjectArchive: {
    access: 'owner and admins',
    status: 200,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) } }),
  },
  exportDawproject: {
    access: 'owner and admins',
    status: 200,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) } }),
  },
  openProjectArchive: {
    access: 'users',
    status: 201,
    make: async (has) => ({ file: await archiveOf(has) }),
  },
  createProjectExport: {
    access: 'owner',
    status: 201,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) }, body: {} }),
  },
  deleteProject: {
    access: 'owner',
    status: 204,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) } }),
  },
  duplicateProject: {
    access: 'owner',
    status: 201,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) }, body: {} }),
  },
  listEditOperations: {
    access: 'owner and admins',
    status: 200,
    thing: 'a project',
    make: async (has) => ({ params: { id: await insertProjectOf(has) } }),
  },
  addEditOperations: {
    access: 'owner',
    status: 201,
    thing: 'a project',
    make: async (has) => ({
      params: { id: await insertProjectOf(has) },
      body: { edits: [{ id: newId(), operation: 'mute', params: { value: 0 } }] },
    }),
  },
  setProjectPosition: {
    access: 'owner',
    status: 200,
    thing: 'a project',
    make: async (has) => ({
      params: { id: await insertProjectOf(has) },
      body: { position: 0, version: 1 },
    }),
  },
} as const satisfies Partial<Record<keyof typeof endpoints, RoleRow>>;
