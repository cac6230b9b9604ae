import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { addEditOperations, getProject } from '@stem-studio/contract/endpoints/projects';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { createToneProject, downloadArchive } from '../testing/archive-steps.ts';
import { openLibrary } from '../testing/library-steps.ts';
import { sentEdit } from '../testing/project-steps.ts';
import { readZip } from '../testing/read-zip.ts';
import { runStudio } from '../testing/run-studio.ts';
import { databaseUrlOf } from '../testing/service-process.ts';
import { drainJobs } from '../testing/test-context.ts';

/** @spec Project archives */
test('the command line writes a project as an archive and as a DAWproject, and opens an archive for another user', async (t) => {
  const library = await openLibrary(t);
  const { projectId } = await createToneProject(library);
  const { context } = library;
  const folder = context.config.dataDir;
  const env = {
    DATABASE_URL: databaseUrlOf(context.connection),
    DATA_DIR: folder,
    UPLOADS_DIR: context.config.uploadsDir,
    LOG_LEVEL: 'silent',
  };
  const run = (...args: string[]) => runStudio(folder, ['project', ...args], env);
  const written = await run('archive', projectId, '--out', 'song.zip');
  assert.deepEqual([written.code, written.out], [0, `${join(folder, 'song.zip')}\n`], written.err);
  const files = readZip(await readFile(join(folder, 'song.zip')));
  const downloaded = readZip((await downloadArchive(library, projectId)).rawPayload);
  assert.deepEqual([...files.keys()], [...downloaded.keys()]);
  assert.deepEqual(files.get('stems/bass.wav'), downloaded.get('stems/bass.wav'));

  const params = { id: projectId };
  const reversed = sentEdit('reverse', { clip_ids: ['bass'], value: 1 });
  assert.equal((await library.ask(addEditOperations, { params, body: { edits: [reversed] } })).status, 201);
  const daw = await run('daw', projectId, '--out', 'song.dawproject');
  assert.deepEqual([daw.code, daw.out], [0, `${join(folder, 'song.dawproject')}\n`], daw.err);
  assert.match(daw.err, /^not included: 1 reversed clip: /);
  assert.ok(readZip(await readFile(join(folder, 'song.dawproject'))).has('project.xml'));

  const other = await library.registerUser();
  const opened = await run('open', 'song.zip', '--user', other.email);
  assert.equal(opened.code, 0, opened.err);
  const [, trackId = '', id = ''] = /^track (\S+)\nproject (\S+)\n$/.exec(opened.out) ?? [];
  const project = (await library.ask(getProject, { params: { id } }, other)).body.data;
  assert.deepEqual([project.name, project.track_id], ['Radio edit', trackId]);
  await drainJobs(context);
  const track = (await library.ask(getTrack, { params: { id: trackId } }, other)).body.data;
  assert.ok(track.audio, 'the running service prepares the song');

  await writeFile(join(folder, 'text.zip'), 'no ZIP');
  const before = await library.storedFiles();
  const refused = await run('open', 'text.zip', '--user', other.email);
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(
    refused.err,
    /^The archive cannot be opened: it must be a complete ZIP file .*Nothing was stored\n$/,
  );
  assert.deepEqual(await library.storedFiles(), before);
  assert.match(
    (await run('open', 'song.zip', '--user', 'nobody@example.org')).err,
    /no account has the email/,
  );
  assert.equal((await run('open', 'song.zip')).code, 2);
  assert.equal((await run('archive', 'one', '--out', 'a.zip')).code, 2);
  const absent = await run('archive', '00000000-0000-7000-8000-000000000001', '--out', 'a.zip');
  assert.match(absent.err, /no project has the id/);
  assert.ok(!(await readdir(folder)).some((name) => name === 'a.zip' || name.startsWith('.studio-')));
});
