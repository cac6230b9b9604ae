import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicParams } from '@stem-studio/contract/channel';
import { pathOf } from '@stem-studio/contract/endpoint';
import { channels, endpoints } from '@stem-studio/contract/service';
import { jobTransitions } from '@stem-studio/contract/states';
import { features } from './features.ts';
import { newId } from './platform/ids.ts';
import { enrol } from './testing/roles/enrol.ts';
import { openTestApp } from './testing/test-app.ts';

const parameters = { id: newId(), track_id: newId(), catalog_id: 'no-such-thing', name: 'no_such_network' };

/** Valid bodies for the endpoints with an id in their path that require one. */
const bodies: Readonly<Record<string, object>> = {
  [`${endpoints.updateTrack.method} ${endpoints.updateTrack.path}`]: { title: 'A title' },
  [`${endpoints.editBeatGrid.method} ${endpoints.editBeatGrid.path}`]: { edit: 'undo' },
  [`${endpoints.createCue.method} ${endpoints.createCue.path}`]: { position_ms: 0 },
  [`${endpoints.updateCue.method} ${endpoints.updateCue.path}`]: { label: 'A label' },
  [`${endpoints.updateCrate.method} ${endpoints.updateCrate.path}`]: { name: 'A name' },
  [`${endpoints.putCrateTracks.method} ${endpoints.putCrateTracks.path}`]: { track_ids: [parameters.id] },
  [`${endpoints.removeCrateTracks.method} ${endpoints.removeCrateTracks.path}`]: {
    track_ids: [parameters.id],
  },
  [`${endpoints.recordPlay.method} ${endpoints.recordPlay.path}`]: { source: 'player' },
  [`${endpoints.chooseSource.method} ${endpoints.chooseSource.path}`]: { candidate_id: 'nothing' },
  [`${endpoints.updateProject.method} ${endpoints.updateProject.path}`]: { name: 'A name' },
  [`${endpoints.addEditOperations.method} ${endpoints.addEditOperations.path}`]: {
    edits: [{ id: parameters.id, operation: 'split', params: { start_ms: 0 } }],
  },
  [`${endpoints.setProjectPosition.method} ${endpoints.setProjectPosition.path}`]: {
    position: 0,
    version: 0,
  },
  [`${endpoints.createMix.method} ${endpoints.createMix.path}`]: { rows: [{ source: 'mix' }] },
};

test('every endpoint of the contract is mounted once, and no other is mounted', async (t) => {
  const { app } = await openTestApp(t);
  const name = (spec: { method: string; path: string }) => `${spec.method} ${spec.path}`;
  assert.deepEqual(app.mountedEndpoints.map(name).sort(), Object.values(endpoints).map(name).sort());
});

test('an unauthenticated request gets 401 from every endpoint that is not public', async (t) => {
  const { app } = await openTestApp(t);
  for (const [index, spec] of Object.values(endpoints).entries()) {
    // Two addresses, because each has 60 requests per minute.
    const remoteAddress = `198.51.100.${index % 2}`;
    const reply = await app.inject({ method: spec.method, url: pathOf(spec, parameters), remoteAddress });
    assert.equal(reply.statusCode, spec.auth === 'none' ? 200 : 401, `${spec.method} ${spec.path}`);
    assert.match(String(reply.headers['x-ratelimit-limit']), /^\d+$/);
    assert.match(String(reply.headers['x-ratelimit-remaining']), /^\d+$/);
    assert.match(String(reply.headers['x-ratelimit-reset']), /^\d+$/);
  }
});

test('an unknown id is 404 on every endpoint with an id in its path', async (t) => {
  const { app, registerUser } = await openTestApp(t);
  // Callers with access to every endpoint: two, because each has 60 requests per minute.
  const { headers } = await registerUser('platform_admin');
  const other = await registerUser('platform_admin');
  const withId = Object.values(endpoints).filter((spec) => spec.path.includes('/:'));
  assert.ok(withId.length >= 10);
  for (const spec of withId) {
    const payload = bodies[`${spec.method} ${spec.path}`];
    const reply = await app.inject({ method: spec.method, url: pathOf(spec, parameters), headers, payload });
    assert.equal(reply.statusCode, 404, `${spec.method} ${spec.path}: ${reply.body}`);
    assert.equal(reply.json<{ code: string }>().code, 'NOT_FOUND');
    const nonsense = pathOf(spec, { id: 'no-id', track_id: 'no-id', catalog_id: 'no~id', name: 'no~id' });
    const reply2 = await app.inject({ method: spec.method, url: nonsense, headers: other.headers, payload });
    assert.equal(reply2.statusCode, 404, nonsense);
  }
});

test('a body with an unknown field is 422, and one that is not JSON is 400', async (t) => {
  const { app, context, registerUser } = await openTestApp(t);
  const user = await registerUser();
  // Sent as a browser where only a browser is allowed.
  const caller = { name: '', standing: 'owner', way: 'cookie', hasCsrf: true } as const;
  const inBrowser = await enrol(context, caller, { ...user, mark: '' }, '-');
  const withBody = Object.values(endpoints).filter((spec) => 'body' in spec && !spec.path.includes('/:'));
  assert.ok(withBody.length >= 4);
  for (const spec of withBody) {
    const url = pathOf(spec);
    const headers: Record<string, string> = spec.auth === 'cookie' ? inBrowser : { ...user.headers };
    const unknown = await app.inject({ method: spec.method, url, headers, payload: { nonsense: 1 } });
    assert.equal(unknown.statusCode, 422, url);
    const body = unknown.json<{ code: string; details: Record<string, string[]> }>();
    assert.equal(body.code, 'VALIDATION_ERROR');
    assert.deepEqual(body.details['nonsense'], ['is not a known field']);
    const broken = await app.inject({
      method: spec.method,
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: '{"url":',
    });
    assert.equal(broken.statusCode, 400, url);
    assert.equal(broken.json<{ code: string }>().code, 'BAD_REQUEST');
  }
});

test('every topic of the contract is served by exactly one feature', () => {
  const served = features.flatMap((feature) => feature.channels ?? []).map((handler) => handler.spec.topic);
  assert.deepEqual(
    served.sort(),
    Object.values(channels)
      .map((spec) => spec.topic)
      .sort(),
  );
  assert.deepEqual(topicParams(channels.libraryChannel, 'library:7'), { user_id: 7 });
  assert.equal(topicParams(channels.libraryChannel, 'library:x'), null);
  assert.equal(topicParams(channels.jobChannel, 'jobs:1:2'), null);
});

test('no job status follows a finished one, and every other status can still fail', () => {
  for (const [state, next] of Object.entries(jobTransitions)) {
    const isFinished = state === 'completed' || state === 'failed';
    assert.equal(next.length === 0, isFinished, state);
    if (!isFinished) assert.ok(next.includes('failed'), state);
  }
});
