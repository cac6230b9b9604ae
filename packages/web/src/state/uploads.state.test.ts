import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUploads } from './uploads.state.ts';

type Sent = {
  name: string;
  onProgress: (bytes: number) => void;
  accept: () => void;
  refuse: (e: Error) => void;
};

function uploadsWith(nowMs = () => 0) {
  const sent: Sent[] = [];
  const uploads = createUploads<{ name: string; size: number; type: string }>((file, onProgress) => {
    let refuse: (error: Error) => void = () => {};
    const done = new Promise<{ track_id: string; isKnown: boolean; projectId: string | null }>(
      (resolve, reject) => {
        refuse = reject;
        sent.push({
          name: file.name,
          onProgress,
          accept: () =>
            resolve({
              track_id: `track of ${file.name}`,
              isKnown: false,
              projectId: file.name.endsWith('.zip') ? 'project' : null,
            }),
          refuse: reject,
        });
      },
    );
    return { done, cancel: () => refuse(new Error('aborted')) };
  }, nowMs);
  const statuses = () => uploads.store.getState().uploads.map((upload) => upload.status);
  return { uploads, sent, statuses };
}

const song = (name: string) => ({ name, size: 1000, type: 'audio/mpeg' });
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

test('sends two files at a time, the next when one has arrived', async () => {
  const { uploads, sent, statuses } = uploadsWith();
  uploads.add([song('a.mp3'), song('b.mp3'), song('c.mp3')]);
  assert.deepEqual(statuses(), ['sending', 'sending', 'waiting']);
  sent[0]?.onProgress(400);
  assert.equal(uploads.store.getState().uploads[0]?.sent, 400);
  sent[0]?.accept();
  await nextTick();
  assert.deepEqual(statuses(), ['accepted', 'sending', 'sending']);
});

test('starts the next file after a cancelled one, which can be retried', async () => {
  const { uploads, sent, statuses } = uploadsWith();
  uploads.add([song('a.mp3'), song('b.mp3'), song('c.mp3')]);
  uploads.cancel(1);
  await nextTick();
  assert.deepEqual(statuses(), ['cancelled', 'sending', 'sending']);
  sent[1]?.accept();
  await nextTick();
  uploads.retry(1);
  assert.deepEqual(statuses(), ['sending', 'accepted', 'sending']);
});

test('shows why an upload failed and continues with the others', async () => {
  const { uploads, sent, statuses } = uploadsWith();
  uploads.add([song('a.mp3'), song('b.mp3')]);
  sent[0]?.refuse(new Error('The file is damaged.'));
  await nextTick();
  assert.deepEqual(statuses(), ['failed', 'sending']);
  assert.match(uploads.store.getState().uploads[0]?.error ?? '', /damaged.*not changed/);
});

test('refuses a file that is not audio before sending it', () => {
  const { uploads, sent, statuses } = uploadsWith();
  uploads.add([
    { name: 'notes.pdf', size: 10, type: 'application/pdf' },
    { name: 'empty.wav', size: 0, type: 'audio/wav' },
    { name: 'song.flac', size: 10, type: '' },
  ]);
  assert.deepEqual(statuses(), ['refused', 'refused', 'sending']);
  assert.equal(sent.length, 1);
});

test('sends project archives with the songs, and notes that they are projects', async () => {
  const { uploads, sent, statuses } = uploadsWith();
  uploads.add([song('a.mp3'), { name: 'Edit.ZIP', size: 10, type: 'application/zip' }, song('c.zip')]);
  assert.deepEqual(statuses(), ['sending', 'sending', 'waiting']);
  sent[0]?.accept();
  await nextTick();
  sent[2]?.accept();
  await nextTick();
  assert.deepEqual(
    uploads.store.getState().uploads.map(({ isProject }) => isProject),
    [false, false, true],
  );
});

test('estimates the time left from the bytes sent in the series', async () => {
  let now = 0;
  const { uploads, sent } = uploadsWith(() => now);
  uploads.add([song('a.mp3'), song('b.mp3')]);
  now = 1000;
  sent[0]?.onProgress(500);
  assert.equal(uploads.store.getState().secondsLeft, null);
  now = 4000;
  sent[0]?.onProgress(1000);
  assert.equal(uploads.store.getState().secondsLeft, 4);
  sent[0]?.accept();
  sent[1]?.accept();
  await nextTick();
  assert.equal(uploads.store.getState().secondsLeft, null);
});

test('cancels all open uploads, and counts a new series by itself without accepted files', async () => {
  const { uploads, sent, statuses } = uploadsWith();
  uploads.add([song('a.mp3'), song('b.mp3'), song('c.mp3'), song('d.mp3')]);
  sent[0]?.accept();
  await nextTick();
  uploads.cancelAll();
  await nextTick();
  assert.deepEqual(statuses(), ['accepted', 'cancelled', 'cancelled', 'cancelled']);
  assert.equal(sent.length, 3);
  uploads.add([song('e.mp3')]);
  assert.deepEqual(
    uploads.store.getState().uploads.map(({ name, status }) => [name, status]),
    [['e.mp3', 'sending']],
  );
});
