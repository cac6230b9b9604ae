import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { getCloudPrice, getCloudQuota } from '@stem-studio/contract/endpoints/cloudsep';
import { exportStems } from '@stem-studio/contract/endpoints/exports';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { cloudStemTypes } from '@stem-studio/contract/resources/stem';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import { pause } from '../../../platform/clock.ts';
import { openCloudLibrary } from '../../../testing/cloud-steps.ts';
import { listenTo, messagesToTheEnd } from '../../../testing/library-steps.ts';
import { readZip } from '../../../testing/read-zip.ts';
import { standInKeys, standInParts, standInResidualDb } from '../../../testing/stand-ins/cloud-data.ts';
import { testWav } from '../../../testing/test-audio.ts';
import { drainJobs } from '../../../testing/test-context.ts';

test('separates a track into the ten cloud stems, paid once, with records, files and the residual', async (t) => {
  const { library, cloud, addTrack, separated, askInBrowser } = await openCloudLibrary(t);
  const track = await addTrack(3);
  const received = listenTo(library.context, `library:${library.user.id}`);
  const before = await library.storedFiles();
  // Events within a tenth of a second are coalesced: the first stem is delayed beyond that.
  cloud.mishaps.push({ path: '/tracks/', after: () => pause(150) });
  const job = await separated(track.id, { model: 'alt_4' });
  assert.equal(job.error, null);
  assert.deepEqual(
    [job.status, job.progress, job.model, job.engine, job.preview],
    ['completed', 100, 'hybrid_4', 'cloud', false],
  );
  assert.deepEqual(
    job.stems.map((stem) => stem.stem_type),
    cloudStemTypes,
  );
  const wav = (await decodeFile(await testWav({ seconds: 3 }))).samples;
  for (const stem of job.stems) {
    assert.equal(stem.file_path, `stems/${job.id}/${stem.stem_type}.wav`);
    assert.deepEqual(
      [stem.track_id, stem.processing_job_id, stem.engine, stem.model, stem.backend],
      [track.id, job.id, 'cloud', 'hybrid_4', 'cloudsep'],
    );
    assert.deepEqual([stem.sample_rate, stem.channels, stem.duration_ms], [44_100, 2, 3000]);
    const bytes = await readFile(library.context.files.absolute(stem.file_path));
    assert.equal(stem.file_size, bytes.length);
    const { samples, info } = await decodeFile(bytes);
    assert.deepEqual([info.codec, info.bits_per_sample, info.declared_frames], ['wav', 16, 132_300]);
    const part = { vocals: 'vocals@0', backing_vocals: 'vocals@1', drums: 'drum', synth: 'synthesizer' };
    const gain = standInParts[part[stem.stem_type as keyof typeof part] ?? stem.stem_type] ?? 0;
    // The stems are sample-aligned with the song, since the service receives the output of our decoder.
    const worst = samples.map((all, side) =>
      all.reduce((most, one, at) => Math.max(most, Math.abs(one - gain * (wav[side]?.[at] ?? 0))), 0),
    );
    assert.ok(Math.max(...worst) <= 1.01 / 32_768, `${stem.stem_type} is off by ${worst.join(', ')}`);
  }
  assert.equal(job.cloud?.residual_db, standInResidualDb);
  assert.deepEqual(job.cloud.warnings, []);
  assert.deepEqual(
    job.cloud.tasks.map(({ stem_types, state, minutes }) => [stem_types.length, state, minutes]),
    [
      [2, 'done', 0.1],
      [5, 'done', 0.3],
      [1, 'done', 0.1],
      [1, 'done', 0.1],
      [1, 'done', 0.1],
    ],
  );
  assert.equal((await library.storedFiles()).length, before.length + 10, 'nothing else is left');
  assert.equal(cloud.requests.filter(({ path }) => path.endsWith('/upload/')).length, 1);
  assert.ok(
    cloud.requests.filter(({ path }) => path.startsWith('/tracks/')).every(({ key }) => key === ''),
    'the key goes to no link',
  );
  const { data: quota } = (await askInBrowser(getCloudQuota)).body;
  assert.deepEqual(quota, { quota_minutes: 600, used_minutes: 1, remaining_minutes: 599 });

  const shown = (await library.ask(getTrack, { params: { id: track.id } })).body.data;
  assert.deepEqual([shown.stems_job_id, shown.separation?.status], [job.id, 'completed']);
  const payloads = await messagesToTheEnd(received, job.id);
  const states = payloads.map((payload) => libraryChannel.pushes.job_progress.parse(payload));
  const progress = states.map((state) => state.progress);
  assert.ok(
    progress.every((percent) => percent % 10 === 0 || percent === 99) && progress.at(-1) === 100,
    String(progress),
  );
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  const firstWordOf = states.map(({ message }) => message.split(' ')[0]);
  const stages = [...new Set(firstWordOf)].filter((word) => word !== '' && word !== 'starting');
  assert.ok(stages.includes('downloading') && stages.includes('writing'), String(stages));

  const url = `/export/stems/${track.id}`;
  assert.equal(url, exportStems.path.replace(':track_id', track.id));
  const zip = await library.app.inject({ url, headers: library.user.headers });
  assert.equal(readZip(zip.rawPayload).size, 10);
});

test('requests and pays only the chosen stems', async (t) => {
  const { cloud, addTrack, separated } = await openCloudLibrary(t);
  const job = await separated((await addTrack()).id, { stem_types: ['wind', 'drums'] });
  assert.deepEqual(
    job.stems.map((stem) => stem.stem_type),
    ['drums', 'wind'],
  );
  assert.deepEqual(
    [...cloud.tasks.values()].map(({ order }) => order.labels),
    [['drum'], ['wind']],
  );
  // The stems are 0.16 and 0.04 of the song: 0.8 of it is in neither.
  assert.equal(job.cloud?.residual_db, -1.9);
});

test('separates the first 60 seconds as a preview and never replaces full stems', async (t) => {
  const { library, cloud, addTrack, separated } = await openCloudLibrary(t);
  const track = await addTrack(61);
  const price = (await library.ask(getCloudPrice, { query: { track_id: track.id, preview: 'true' } })).body
    .data;
  assert.equal(price.price_minutes, 10);
  const job = await separated(track.id, { preview: true, stem_types: ['vocals'] });
  assert.deepEqual([job.status, job.preview, job.stems[0]?.duration_ms], ['completed', true, 60_000]);
  assert.equal([...cloud.tasks.values()][0]?.minutes, 1);
  const shown = (await library.ask(getTrack, { params: { id: track.id } })).body.data;
  assert.equal(shown.stems_job_id, null);
});

test('returns the price before it is spent and charges nothing for paid stems for a day', async (t) => {
  const { library, cloud, addTrack, separated } = await openCloudLibrary(t);
  const track = await addTrack(6);
  const priceOf = async (query: Record<string, string>) =>
    (await library.ask(getCloudPrice, { query: { track_id: track.id, ...query } })).body.data;
  const whole = await priceOf({});
  assert.deepEqual([whole.price_minutes, whole.key, whole.splits.length], [1, 'system', 5]);
  assert.equal((await priceOf({ stem_types: 'vocals,drums' })).price_minutes, 0.2);
  assert.equal(cloud.tasks.size, 0);
  await separated(track.id, { stem_types: ['wind', 'synth'] });
  const rest = await priceOf({});
  assert.deepEqual(
    [rest.price_minutes, rest.splits.filter(({ is_paid }) => is_paid).flatMap((split) => split.stem_types)],
    [0.8, ['synth', 'wind']],
  );
  const accepted = await library.ask(separate, { body: { track_id: track.id, engine: 'cloud' } });
  assert.equal(accepted.body.data.price_minutes, 0.8);
  await drainJobs(library.context);
  assert.equal(cloud.tasks.size, 5);
  assert.equal(Math.round((cloud.minutes.get(standInKeys.rich) ?? 0) * 1000) / 1000, 599);
  const bad = await library.ask(getCloudPrice, {
    query: { track_id: track.id, stem_types: 'vocals,other' },
  });
  assert.deepEqual([bad.status, bad.error.code], [422, 'VALIDATION_ERROR']);
  const stranger = await library.registerUser();
  const query = { track_id: track.id };
  assert.equal((await library.ask(getCloudPrice, { query }, stranger)).status, 404);
});

test('reuses an identical queued cloud separation and creates a separate job for other stems', async (t) => {
  const { library, addTrack } = await openCloudLibrary(t);
  const { id: track_id } = await addTrack();
  const ask = (stem_types: readonly string[]) =>
    library.ask(separate, { body: { track_id, engine: 'cloud', stem_types } });
  const first = await ask(['vocals', 'drums']);
  const again = await ask(['drums', 'vocals']);
  const other = await ask(['drums']);
  assert.deepEqual([first.status, again.status, other.status], [201, 200, 201]);
  assert.equal(again.body.data.job_id, first.body.data.job_id);
  assert.deepEqual([first.body.data.price_minutes, again.body.data.price_minutes], [0.1, 0]);
  const twice = await ask(['drums', 'drums']);
  assert.deepEqual([twice.status, twice.error.code], [422, 'VALIDATION_ERROR']);
});
