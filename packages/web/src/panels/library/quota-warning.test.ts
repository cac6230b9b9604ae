import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Usage } from '@stem-studio/contract/resources/usage';
import { quotaWarning } from './quota-warning.ts';

const GB = 2 ** 30;

function usage(some: Partial<Usage>): Usage {
  return {
    storage: { used_bytes: GB, expected_bytes: 0, limit_bytes: 50 * GB },
    tracks: { used: 10, limit: null },
    queued_jobs: { used: 0, limit: null },
    stem_sets: { used: 3, limit: 1000 },
    ...some,
  };
}

test('returns null while no quota is nearly used up', () => {
  assert.equal(quotaWarning(usage({})), null);
  assert.equal(
    quotaWarning(usage({ storage: { used_bytes: 9 * GB, expected_bytes: 0, limit_bytes: null } })),
    null,
  );
});

test('names the quota nearest to its limit, queued jobs included', () => {
  const storage = { used_bytes: 40 * GB, expected_bytes: 6 * GB, limit_bytes: 50 * GB };
  assert.equal(quotaWarning(usage({ storage })), '46 of 50 GB of your storage used.');
  assert.equal(
    quotaWarning(usage({ storage, tracks: { used: 100, limit: 100 } })),
    '100 of 100 tracks used. Delete tracks to add more.',
  );
});

test('advises what to delete when a quota is used up', () => {
  const storage = { used_bytes: 50 * GB, expected_bytes: 0, limit_bytes: 50 * GB };
  assert.equal(
    quotaWarning(usage({ storage })),
    '50 of 50 GB of your storage used. Delete tracks or stems to free space.',
  );
  assert.equal(
    quotaWarning(usage({ stem_sets: { used: 5000, limit: 5000 } })),
    '5,000 of 5,000 separations used. Delete stems to separate more tracks.',
  );
});
