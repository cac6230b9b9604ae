import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { exportStems } from '@stem-studio/contract/endpoints/exports';
import { deleteStems, getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { eventually } from '../../testing/eventually.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { readZip } from '../../testing/read-zip.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';

async function openSeparated(t: TestContext) {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const track = await library.addTrack(await testWav(), 'A song.wav');
  const { job_id } = (await library.ask(separate, { body: { track_id: track.id } })).body.data;
  await drainJobs(library.context);
  const job = await library.ask(getProcessingJob, { params: { id: job_id } });
  const { stems } = job.body.data;
  assert.equal(stems.length, 4);
  const { files } = library.context;
  const get = (format: string) =>
    library.app.inject({
      url: `${pathOf(exportStems, { track_id: track.id })}?format=${format}`,
      headers: library.user.headers,
    });
  /** Deletes the separation. Returns when its files are gone. */
  const removeStems = async () => {
    assert.equal((await library.ask(deleteStems, { params: { id: job_id } })).status, 200);
    for (const { file_path } of stems) assert.equal(await files.stat(file_path), null);
  };
  return { library, files, get, removeStems };
}

for (const format of ['wav', 'mp3', 'flac']) {
  test(`a ZIP of ${format} files is complete although its separation is deleted while it is sent`, async (t) => {
    const { library, files, get, removeStems } = await openSeparated(t);
    const before = await library.storedFiles();
    const whole = readZip((await get(format)).rawPayload);
    await eventually(library.storedFiles, (left) => left.length <= before.length);

    // The first stem is sent; the second one is opened, or its encoding starts, after the deletion.
    let calls = 0;
    const deleteBefore = async (call: number) => {
      calls += 1;
      if (calls === call) await removeStems();
    };
    if (format === 'wav') {
      const read = files.read.bind(files);
      t.mock.method(files, 'read', async function* (path: string, range?: { start: number; end?: number }) {
        await deleteBefore(2);
        yield* read(path, range);
      });
    } else {
      const createFolder = files.createStagingFolder.bind(files);
      // The first folder holds the stored stems, then each stem is encoded into one.
      t.mock.method(files, 'createStagingFolder', async () => {
        await deleteBefore(3);
        return createFolder();
      });
    }
    const reply = await get(format);
    assert.equal(reply.statusCode, 200, reply.payload);
    const zip = readZip(reply.rawPayload);
    assert.deepEqual([...zip.keys()], [...whole.keys()]);
    for (const [name, bytes] of zip) assert.ok(whole.get(name)?.equals(bytes), name);
    await eventually(library.storedFiles, (left) => left.length <= before.length - 4);
    assert.equal((await get(format)).statusCode, 404);
  });
}

test('a ZIP is refused with 404 if the separation is deleted before it is sent', async (t) => {
  const { library, files, get, removeStems } = await openSeparated(t);
  const createFolder = files.createStagingFolder.bind(files);
  let isDeleted = false;
  t.mock.method(files, 'createStagingFolder', async () => {
    if (!isDeleted) await removeStems();
    isDeleted = true;
    return createFolder();
  });
  const reply = await get('wav');
  assert.equal(reply.statusCode, 404, reply.payload);
  assert.match(reply.payload, /file of the stem/);
  assert.ok((await library.storedFiles()).every((path) => !path.startsWith('.staging')));
});
