import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { decksElsewhere, pauseDecksElsewhere, shareDecks } from './decks-elsewhere.state.ts';
import { outputUse } from './output-use.state.ts';

/** Another page of the browser. */
function openOtherPage(scope: Scope) {
  const channel = new BroadcastChannel('stem-studio-decks');
  scope.own(() => channel.close());
  const received: unknown[] = [];
  scope.listen(channel, 'message', (event) => void received.push((event as MessageEvent).data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin
  const send = (data: object) => channel.postMessage(data);
  return { send, received };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test('pages of a user show what the decks of another page play, and can pause them', async (t) => {
  const target = new EventTarget();
  const had = { add: globalThis.addEventListener, remove: globalThis.removeEventListener };
  Object.assign(globalThis, {
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  });
  const scope = new Scope();
  t.after(() => {
    scope.dispose();
    Object.assign(globalThis, { addEventListener: had.add, removeEventListener: had.remove });
  });
  const other = openOtherPage(scope);
  shareDecks(scope, 7);
  other.send({ type: 'playing', user_id: 8, title: 'Of another user' });
  other.send({ type: 'playing', user_id: 7, title: 'One and Two' });
  await until(() => decksElsewhere.getState().title === 'One and Two');
  pauseDecksElsewhere();
  await until(() => other.received.length === 1);
  assert.deepEqual(other.received, [{ type: 'pause', user_id: 7 }]);
  other.send({ type: 'playing', user_id: 7, title: null });
  await until(() => decksElsewhere.getState().title === null);

  let paused = 0;
  outputUse.setState({ decks: { title: 'Three', pause: () => void paused++, headphones: null } });
  await until(() => other.received.length === 2);
  assert.deepEqual(other.received[1], { type: 'playing', user_id: 7, title: 'Three' });
  other.send({ type: 'pause', user_id: 8 });
  other.send({ type: 'pause', user_id: 7 });
  await until(() => paused > 0);
  assert.equal(paused, 1);
});
