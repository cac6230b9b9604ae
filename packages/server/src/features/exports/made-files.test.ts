import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { exportStem } from '@stem-studio/contract/endpoints/exports';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { madeFilesPerUser } from '@stem-studio/contract/limits';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import { eventually } from '../../testing/eventually.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { until } from '../../testing/socket-client.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';

test('a slow client holds a bounded number of temporary files and does not block other users', async (t) => {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const { context, user, app } = library;
  const other = await library.registerUser();
  const separated = async (as?: typeof other) => {
    const track = await library.addTrack(await testWav({ seconds: as ? 0.5 : 0.6 }), 'a.wav', as);
    const { job_id: id } = (await library.ask(separate, { body: { track_id: track.id } }, as)).body.data;
    await drainJobs(context);
    const [stem] = (await library.ask(getProcessingJob, { params: { id } }, as)).body.data.stems;
    assert.ok(stem);
    return stem;
  };
  const stem = await separated();
  const theirs = await separated(other);
  // Noise is incompressible, and this much of it exceeds all buffers between the service and the client.
  const frames = 75 * 44_100;
  const header = createWavHeader({ sampleRate: 44_100, channels: 2, bitDepth: '16' }, frames, false);
  const path = context.files.absolute(stem.file_path);
  await writeFile(path, Buffer.concat([header, randomBytes(frames * 4)]));
  const before = (await library.storedFiles()).length;
  const made = async () => (await library.storedFiles()).length - before;

  const address = await library.service.listen(0, '127.0.0.1');
  const answered: ClientRequest[] = [];
  const url = `${address}${pathOf(exportStem, { id: stem.id })}?format=flac`;
  const asked = Array.from({ length: madeFilesPerUser + 2 }, () => {
    const one = request(url, { headers: user.headers, agent: false });
    one.on('error', () => undefined);
    one.on('response', () => answered.push(one));
    return one.end();
  });
  t.after(() => asked.forEach((one) => one.destroy()));
  await until(() => answered.length >= madeFilesPerUser);
  // Files are encoded in request order: a file that arrives after the others would have been encoded after them.
  for (let i = 0; i < 2; i++) {
    const reply = await app.inject({
      method: 'GET',
      url: `${pathOf(exportStem, { id: theirs.id })}?format=flac`,
      headers: other.headers,
    });
    assert.equal(reply.statusCode, 200);
  }
  assert.equal(answered.length, madeFilesPerUser);
  // The other user's temporary file is removed after sending, shortly after the reply is complete.
  await eventually(made, (count) => count <= madeFilesPerUser);
  assert.equal(await made(), madeFilesPerUser);
  for (let i = 0; i < 2; i++) {
    answered[i]?.destroy();
    await until(() => answered.length > madeFilesPerUser + i);
    assert.equal(await made(), madeFilesPerUser);
  }
  for (const one of asked) one.destroy();
  await eventually(made, (count) => count === 0);
});
