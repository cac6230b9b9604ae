import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams } from '../ids.ts';
import { openedArchive } from '../resources/opened-archive.ts';

/**
 * Exports a project as a ZIP that another studio opens: `manifest.json` (`projectArchive`), the stems as they are stored,
 * and the song as it was received.
 *
 * @spec Project archives
 */
export const exportProjectArchive = endpoint({
  method: 'GET',
  path: '/export/project/:id/archive',
  summary: 'A project with its audio, to be opened in another studio',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND', 'PROJECT_WITHOUT_STEMS', 'TOO_MANY_OPERATIONS'],
  params: idParams,
  replyTypes: ['application/zip'],
});

/**
 * Exports a project in the open format DAWproject 1.0, which Bitwig Studio, Studio One and Cubase open: a ZIP of
 * `project.xml`, `metadata.xml` and the stems.
 *
 * @spec DAWproject export
 */
export const exportDawproject = endpoint({
  method: 'GET',
  path: '/export/project/:id/dawproject',
  summary: 'A project for another DAW',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND', 'PROJECT_WITHOUT_STEMS'],
  params: idParams,
  replyTypes: ['application/zip'],
});

/**
 * Opens a project archive: multipart with one part named `file`. Creates a track, its stems and the project.
 *
 * @spec Project archives
 */
export const openProjectArchive = endpoint({
  method: 'POST',
  path: '/api/projects/archives',
  summary: 'Open a project archive',
  auth: 'api',
  scope: 'tracks:write',
  status: 201,
  errors: ['PAYLOAD_TOO_LARGE', 'ARCHIVE_NOT_ACCEPTED', 'AUDIO_NOT_ACCEPTED', 'QUOTA_EXCEEDED'],
  bodyKind: 'multipart',
  reply: dataOf(openedArchive),
});
