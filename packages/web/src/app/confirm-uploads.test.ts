import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import type { AcceptedFile } from '../client/send-file.ts';
import { createUploads } from '../state/uploads.state.ts';
import { confirmUploads } from './confirm-uploads.ts';

test('leaving the page is confirmed only while a file is being uploaded', async (t) => {
  const page = new EventTarget();
  const real = {
    addEventListener: globalThis.addEventListener,
    removeEventListener: globalThis.removeEventListener,
  };
  Object.assign(globalThis, {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
  t.after(() => Object.assign(globalThis, real));
  const sent = Promise.withResolvers<AcceptedFile>();
  const uploads = createUploads<{ name: string; size: number; type: string }>(
    () => ({ done: sent.promise, cancel: () => undefined }),
    () => 0,
  );
  const scope = new Scope();
  t.after(() => scope.dispose());
  confirmUploads(scope, uploads.store);
  const isAsked = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  assert.equal(isAsked(), false);
  uploads.add([{ name: 'song.wav', size: 10, type: 'audio/wav' }]);
  assert.equal(isAsked(), true);
  sent.resolve({ track_id: 'a', isKnown: false, projectId: null });
  await sent.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isAsked(), false);
  uploads.add([{ name: 'other.wav', size: 10, type: 'audio/wav' }]);
  scope.dispose();
  assert.equal(isAsked(), false);
});
