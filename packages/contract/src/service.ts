import { exportAccount, freeSpace, getAccount, getUsage } from './endpoints/account.ts';
import { listAllJobs, listUsers, updateUser } from './endpoints/admin.ts';
import { analyze, analyzeTracks, getAnalysis, getAnalysisJob } from './endpoints/analysis.ts';
import { editBeatGrid, getBeatGrid } from './endpoints/beat-grid.ts';
import {
  fetchCatalog,
  getCatalogScan,
  getCatalogTrack,
  importCatalog,
  listCollections,
  previewImport,
  searchCatalog,
  startCatalogScan,
} from './endpoints/catalog.ts';
import { cancelAllCloudTasks, cancelCloudTask, getCloudPrice, getCloudQuota } from './endpoints/cloudsep.ts';
import {
  createCrate,
  deleteCrate,
  listCrates,
  listCrateTracks,
  putCrateTracks,
  removeCrateTracks,
  updateCrate,
} from './endpoints/crates.ts';
import { createCue, deleteCue, listCues, regenerateCues, restoreCue, updateCue } from './endpoints/cues.ts';
import { downloadTrack, getDownloadJob, uploadFile } from './endpoints/downloads.ts';
import {
  createProjectExport,
  exportEdit,
  exportProject,
  exportProjectMidi,
} from './endpoints/edit-export.ts';
import {
  exportAnalysis,
  exportMidi,
  exportMix,
  exportStem,
  exportStemFile,
  exportStems,
} from './endpoints/exports.ts';
import { health, healthLive, healthReady } from './endpoints/health.ts';
import { cancelImport, getImport, listImports } from './endpoints/imports.ts';
import { cancelJob, getJob, listJobs, retryJob } from './endpoints/jobs.ts';
import { createMix, downloadMix, getMix, listMixes } from './endpoints/mixes.ts';
import { downloadNetwork, listNetworks, removeNetwork } from './endpoints/networks.ts';
import { deleteNotes, getNotesJob, listNotes, transcribe } from './endpoints/notes.ts';
import { apiDocs, openApi } from './endpoints/openapi.ts';
import { listPlayedSets, recordPlay } from './endpoints/plays.ts';
import {
  deleteStems,
  getProcessingJob,
  listModels,
  separate,
  separateTracks,
} from './endpoints/processing.ts';
import { exportDawproject, exportProjectArchive, openProjectArchive } from './endpoints/project-archives.ts';
import {
  addEditOperations,
  createProject,
  deleteProject,
  duplicateProject,
  getProject,
  listEditOperations,
  listProjects,
  setProjectPosition,
  updateProject,
} from './endpoints/projects.ts';
import { chooseSeparation, listSeparations } from './endpoints/separations.ts';
import { chooseSource, listSources } from './endpoints/sources.ts';
import {
  deleteTrack,
  getTrack,
  listDuplicates,
  listRelatedTracks,
  listTrackIds,
  listTracks,
  restoreTrack,
  updateTrack,
  updateTracks,
} from './endpoints/tracks.ts';
import { listTrash, purgeTrack } from './endpoints/trash.ts';
import { catalogChannel } from './events/catalog.ts';
import { deckChannel, deckDebugChannel } from './events/decks.ts';
import { jobChannel } from './events/job-progress.ts';
import { libraryChannel } from './events/library.ts';
import { projectChannel } from './events/projects.ts';

/**
 * Every endpoint of the service by name. The OpenAPI document, the access table, and the test that each endpoint is
 * mounted exactly once derive from this list. To add one: declare it in `endpoints/`, list it here, mount it in its
 * feature's `*.routes.ts`.
 */
export const endpoints = {
  health,
  healthLive,
  healthReady,
  openApi,
  apiDocs,
  getAccount,
  getUsage,
  freeSpace,
  exportAccount,
  fetchCatalog,
  searchCatalog,
  listCollections,
  getCatalogTrack,
  getCatalogScan,
  startCatalogScan,
  previewImport,
  importCatalog,
  downloadTrack,
  getDownloadJob,
  uploadFile,
  listImports,
  getImport,
  cancelImport,
  listSources,
  chooseSource,
  separate,
  separateTracks,
  getProcessingJob,
  deleteStems,
  listSeparations,
  chooseSeparation,
  listModels,
  getCloudQuota,
  getCloudPrice,
  cancelCloudTask,
  cancelAllCloudTasks,
  analyze,
  analyzeTracks,
  getAnalysisJob,
  getAnalysis,
  getBeatGrid,
  editBeatGrid,
  listCues,
  createCue,
  updateCue,
  deleteCue,
  restoreCue,
  regenerateCues,
  transcribe,
  getNotesJob,
  listNotes,
  deleteNotes,
  listProjects,
  createProject,
  createProjectExport,
  getProject,
  updateProject,
  deleteProject,
  duplicateProject,
  listEditOperations,
  addEditOperations,
  setProjectPosition,
  listTrackIds,
  listTracks,
  getTrack,
  listRelatedTracks,
  listDuplicates,
  updateTrack,
  updateTracks,
  recordPlay,
  listPlayedSets,
  deleteTrack,
  restoreTrack,
  listTrash,
  purgeTrack,
  listCrates,
  createCrate,
  updateCrate,
  deleteCrate,
  listCrateTracks,
  putCrateTracks,
  removeCrateTracks,
  listJobs,
  getJob,
  cancelJob,
  retryJob,
  exportStem,
  exportStems,
  createMix,
  listMixes,
  getMix,
  downloadMix,
  exportMix,
  exportEdit,
  exportProject,
  exportProjectMidi,
  exportProjectArchive,
  exportDawproject,
  openProjectArchive,
  exportStemFile,
  exportAnalysis,
  exportMidi,
  listUsers,
  updateUser,
  listAllJobs,
  listNetworks,
  downloadNetwork,
  removeNetwork,
} as const;

/** Every socket topic of the service by name. */
export const channels = {
  jobChannel,
  libraryChannel,
  catalogChannel,
  deckChannel,
  deckDebugChannel,
  projectChannel,
} as const;
