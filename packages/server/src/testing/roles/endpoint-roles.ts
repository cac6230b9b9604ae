import type { endpoints } from '@stem-studio/contract/service';
import { newId } from '../../platform/ids.ts';
import type { Belongings } from './belongings.ts';
import { insertPerson } from './enrol.ts';
import { libraryRoles } from './library-roles.ts';
import { mixRoles } from './mix-roles.ts';
import { insertCloudJobOf } from './own-cloud-job.ts';
import { insertCueOf } from './own-cue.ts';
import { insertNotesOf } from './own-notes.ts';
import { projectRoles } from './project-roles.ts';
import type { Asked, RoleRow } from './role.ts';

/** Makes a row for calls without a record id: one record of the owner's exists. */
function among(make: (has: Belongings) => Promise<unknown>): (has: Belongings) => Promise<Asked> {
  return async (has) => {
    await make(has);
    return {};
  };
}

/** Required access of each endpoint of the contract. The type requires a row for every endpoint. */
export const endpointRoles: { readonly [Name in keyof typeof endpoints]: RoleRow } = {
  health: { access: 'anybody', status: 200 },
  healthLive: { access: 'anybody', status: 200 },
  healthReady: { access: 'anybody', status: 200 },
  openApi: { access: 'anybody', status: 200 },
  apiDocs: { access: 'anybody', status: 200 },
  getAccount: { access: 'users', status: 200 },
  getUsage: { access: 'users', status: 200 },
  freeSpace: { access: 'users', status: 200 },
  exportAccount: { access: 'users', status: 200 },
  fetchCatalog: {
    access: 'users',
    status: 200,
    make: ({ pattern }) => ({ body: { url: pattern.catalogUrl } }),
  },
  listCollections: { access: 'users', status: 200 },
  getCatalogScan: { access: 'users', status: 200 },
  startCatalogScan: { access: 'users', status: 200 },
  searchCatalog: { access: 'users', status: 200, make: () => ({ query: { q: 'a' } }) },
  getCatalogTrack: {
    access: 'users',
    status: 200,
    make: ({ pattern }) => ({ params: { catalog_id: pattern.catalogId } }),
  },
  previewImport: {
    access: 'users',
    status: 200,
    make: ({ pattern }) => ({ body: { url: pattern.catalogUrl } }),
  },
  importCatalog: {
    access: 'users',
    status: 201,
    make: ({ pattern }) => ({ body: { url: pattern.catalogUrl } }),
  },
  downloadTrack: {
    access: 'users',
    status: 201,
    make: ({ pattern }) => ({ body: { url: pattern.catalogUrl } }),
  },
  getDownloadJob: {
    access: 'owner and admins',
    status: 200,
    thing: 'a download',
    make: async (has) => ({ params: { id: (await has.track()).jobs.download } }),
  },
  uploadFile: { access: 'users', status: 201, make: ({ pattern }) => ({ file: pattern.file }) },
  listImports: {
    access: 'users',
    status: 200,
    thing: 'an import under way',
    make: among((has) => has.libraryImport()),
  },
  getImport: {
    access: 'owner and admins',
    status: 200,
    thing: 'an import',
    make: async (has) => ({ params: { id: await has.libraryImport() } }),
  },
  cancelImport: {
    access: 'owner',
    status: 204,
    thing: 'an import under way',
    make: async (has) => ({ params: { id: await has.libraryImport() } }),
  },
  listSources: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  chooseSource: {
    access: 'owner',
    status: 201,
    thing: 'a track that was searched for',
    make: async (has) => {
      const { id } = await has.track({ source: 'catalog', catalog_id: newId() });
      const found = { url: 'https://audio.example/1', title: 'A song', channel: 'Somebody' };
      const what = { track_id: id, id: 'first', position: 0, wanted_ms: 1000, score: 1 };
      const found_at = has.context.clock.now();
      await has.context.db
        .insertInto('source_candidates')
        .values({ ...what, ...found, duration_ms: 1000, is_chosen: true, found_at })
        .execute();
      return { params: { id }, body: { candidate_id: 'first' } };
    },
  },
  separate: {
    access: 'owner',
    status: 201,
    thing: 'a track',
    make: async (has) => ({ body: { track_id: (await has.track()).id } }),
  },
  getProcessingJob: {
    access: 'owner and admins',
    status: 200,
    thing: 'a separation',
    make: async (has) => ({ params: { id: (await has.track()).jobs.processing } }),
  },
  deleteStems: {
    access: 'owner',
    status: 200,
    thing: 'a separation',
    make: async (has) => ({ params: { id: (await has.track()).jobs.processing } }),
  },
  listSeparations: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track with stems',
    make: async (has) => ({ params: { track_id: (await has.stem()).trackId } }),
  },
  chooseSeparation: {
    access: 'owner',
    status: 200,
    thing: 'a track with stems',
    make: async (has) => ({ params: { id: (await has.stem()).jobs.processing } }),
  },
  listModels: { access: 'users', status: 200 },
  getCloudQuota: { access: 'users by cookie', status: 200 },
  getCloudPrice: {
    access: 'owner',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ query: { track_id: (await has.track()).id } }),
  },
  cancelCloudTask: {
    access: 'owner by cookie',
    status: 200,
    thing: 'a cloud separation that waits',
    make: async (has) => ({ body: { task_id: await insertCloudJobOf(has) } }),
  },
  cancelAllCloudTasks: {
    access: 'users by cookie',
    status: 200,
    thing: 'a cloud separation that waits',
    make: among((has) => insertCloudJobOf(has)),
  },
  analyze: {
    access: 'owner',
    status: 201,
    thing: 'a track',
    make: async (has) => ({ body: { track_id: (await has.track()).id } }),
  },
  getAnalysisJob: {
    access: 'owner and admins',
    status: 200,
    thing: 'an analysis',
    make: async (has) => ({ params: { id: (await has.track()).jobs.analysis } }),
  },
  getAnalysis: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { track_id: (await has.track()).id } }),
  },
  getBeatGrid: {
    access: 'owner and admins',
    status: 200,
    thing: 'an analysed track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  editBeatGrid: {
    access: 'owner',
    status: 200,
    thing: 'an analysed track',
    make: async (has) => ({
      params: { id: (await has.track()).id },
      body: { edit: 'set_tempo', bpm: 120 },
    }),
  },
  listCues: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  createCue: {
    access: 'owner',
    status: 201,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id }, body: { position_ms: 0 } }),
  },
  updateCue: {
    access: 'owner',
    status: 200,
    thing: 'a cue point',
    make: async (has) => ({ params: { id: await insertCueOf(has) }, body: { label: 'Lift off' } }),
  },
  deleteCue: {
    access: 'owner',
    status: 204,
    thing: 'a cue point',
    make: async (has) => ({ params: { id: await insertCueOf(has) } }),
  },
  restoreCue: {
    access: 'owner',
    status: 200,
    thing: 'a cue point deleted just now',
    make: async (has) => ({ params: { id: await insertCueOf(has, has.context.clock.now()) } }),
  },
  regenerateCues: {
    access: 'owner',
    status: 201,
    thing: 'an analysed track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  transcribe: {
    access: 'owner',
    status: 201,
    thing: 'a track',
    make: async (has) => ({ body: { track_id: (await has.track()).id } }),
  },
  getNotesJob: {
    access: 'owner and admins',
    status: 200,
    thing: 'a job that makes notes',
    make: async (has) => ({ params: { id: (await insertNotesOf(has)).jobId } }),
  },
  listNotes: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  deleteNotes: {
    access: 'owner',
    status: 204,
    thing: 'notes',
    make: async (has) => ({ params: { id: (await insertNotesOf(has)).id } }),
  },
  ...projectRoles,
  listTracks: {
    access: 'users',
    status: 200,
    thing: 'a track',
    make: among((has) => has.track()),
  },
  getTrack: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  listRelatedTracks: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  updateTrack: {
    access: 'owner',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id }, body: { title: 'Another title' } }),
  },
  deleteTrack: {
    access: 'owner',
    status: 204,
    thing: 'a track',
    make: async (has) => ({ params: { id: (await has.track()).id } }),
  },
  restoreTrack: {
    access: 'owner',
    status: 200,
    thing: 'a track deleted just now',
    make: async (has) => ({
      params: { id: (await has.track({ deleted_at: has.context.clock.now() })).id },
    }),
  },
  ...libraryRoles,
  listJobs: {
    access: 'users',
    status: 200,
    thing: 'a job',
    make: among((has) => has.waitingJob()),
  },
  getJob: {
    access: 'owner and admins',
    status: 200,
    thing: 'a job',
    make: async (has) => ({ params: { id: await has.waitingJob() } }),
  },
  cancelJob: {
    access: 'owner and admins',
    status: 204,
    thing: 'a job that waits',
    make: async (has) => ({ params: { id: await has.waitingJob() } }),
  },
  retryJob: {
    access: 'owner',
    status: 201,
    thing: 'a job that has failed',
    make: async (has) => ({ params: { id: await has.failedJob() } }),
  },
  exportStem: {
    access: 'owner and admins',
    status: 200,
    thing: 'a stem',
    make: async (has) => ({ params: { id: (await has.stem()).id } }),
  },
  exportStems: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track with stems',
    make: async (has) => ({ params: { track_id: (await has.stem()).trackId } }),
  },
  exportMix: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track with stems',
    make: async (has) => ({ params: { track_id: (await has.stem()).trackId }, query: { without: 'vocals' } }),
  },
  exportStemFile: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track with stems',
    make: async (has) => ({ params: { track_id: (await has.stem()).trackId } }),
  },
  ...mixRoles,
  exportAnalysis: {
    access: 'owner and admins',
    status: 200,
    thing: 'a track',
    make: async (has) => ({ params: { track_id: (await has.track()).id } }),
  },
  exportMidi: {
    access: 'owner and admins',
    status: 200,
    thing: 'notes',
    make: async (has) => ({ params: { id: (await insertNotesOf(has)).id } }),
  },
  listUsers: { access: 'admins', status: 200 },
  updateUser: {
    access: 'admins',
    status: 200,
    thing: 'an account',
    make: async ({ context }) => {
      const { id } = await insertPerson(context, 'user', '-');
      return { params: { id }, body: { role: 'admin' } };
    },
  },
  listAllJobs: {
    access: 'admins',
    status: 200,
    thing: 'a job',
    make: among((has) => has.waitingJob()),
  },
  listNetworks: { access: 'admins', status: 200 },
  downloadNetwork: {
    access: 'admins',
    status: 200,
    make: () => ({ params: { name: 'spleeter_4stems' }, body: {} }),
  },
  removeNetwork: { access: 'admins', status: 200, make: () => ({ params: { name: 'htdemucs' } }) },
};
