import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicOf, topicParams } from './channel.ts';
import { libraryChannel } from './events/library.ts';

test('accepts only the spelling under which a topic is published', () => {
  const topic = topicOf(libraryChannel, { user_id: 7 });
  assert.equal(topic, 'library:7');
  assert.deepEqual(topicParams(libraryChannel, topic), { user_id: 7 });
  for (const other of ['library:07', 'library:0x7', 'library:7.0', 'library: 7', 'library:7\n', 'library:+7'])
    assert.equal(topicParams(libraryChannel, other), null, JSON.stringify(other));
});
