import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { isFailedLoad, watchLoads } from './load-failure.ts';

test('recognises a failed load by the messages of each browser', () => {
  for (const message of [
    'Failed to fetch dynamically imported module: http://localhost/assets/a.js',
    'error loading dynamically imported module: http://localhost/assets/a.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/a.css',
  ])
    assert.equal(isFailedLoad(new TypeError(message)), true, message);
  assert.equal(isFailedLoad(new TypeError('undefined is not a function')), false);
  assert.equal(isFailedLoad('dynamically imported module'), false);
});

test('recognises errors that the loader reported, until the scope ends', () => {
  const reportError = (error: Error) =>
    globalThis.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
  const [during, after] = [new Error('gone'), new Error('gone')];
  const scope = new Scope();
  const target = new EventTarget();
  const had = { add: globalThis.addEventListener, remove: globalThis.removeEventListener };
  Object.assign(globalThis, {
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
  });
  try {
    watchLoads(scope);
    reportError(during);
    scope.dispose();
    reportError(after);
  } finally {
    Object.assign(globalThis, { addEventListener: had.add, removeEventListener: had.remove });
    Reflect.deleteProperty(globalThis, 'dispatchEvent');
  }
  assert.equal(isFailedLoad(during), true);
  assert.equal(isFailedLoad(after), false);
});
