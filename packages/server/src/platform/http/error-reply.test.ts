import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestContext } from '../../testing/test-context.ts';
import { newId } from '../ids.ts';
import { toServiceError } from './error-reply.ts';

test('maps a write for a user who was deleted meanwhile to 401', async (t) => {
  const { db } = await openTestContext(t);
  const writing = db
    .insertInto('imports')
    .values({ id: newId(), user_id: 7, type: 'album', title: 'x', total: 0, created_at: new Date() })
    .execute();
  const error: unknown = await writing.catch((thrown: unknown) => thrown);
  const { status, message } = toServiceError(error, { maxUploadMb: 1, bodyBytes: 1 });
  assert.deepEqual([status, message], [401, 'this account has been deleted']);
});
