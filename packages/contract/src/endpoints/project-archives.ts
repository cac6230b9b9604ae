import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams } from '../ids.ts';
import { openedArchive } from '../resources/project-archive.ts';

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
