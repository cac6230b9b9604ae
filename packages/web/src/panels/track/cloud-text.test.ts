import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canPay, cloudRemarks, priceText, quotaText, submitText } from './cloud-text.ts';

const split = (is_paid: boolean) => ({ stem_types: ['drums' as const], minutes: 1, is_paid });
const price = (price_minutes: number, ...paid: boolean[]) => ({
  price_minutes,
  key: 'own' as const,
  splits: paid.map(split),
});
const quota = (remaining_minutes: number) => ({
  quota_minutes: remaining_minutes + 10,
  used_minutes: 10,
  remaining_minutes,
});

test('shows the price, and what is already paid', () => {
  assert.equal(priceText(undefined), 'Loading price…');
  assert.equal(priceText(price(9.5, false)), 'Costs 9.5 minutes');
  assert.equal(priceText(price(1, false, true)), 'Costs 1 minute; partly paid already');
  assert.equal(priceText(price(0, true)), 'Free: already paid');
  assert.deepEqual(
    [1, 9.5, 0].map((minutes) => submitText(price(minutes, false))),
    ['Separate for 1 minute', 'Separate for 9.5 minutes', 'Separate'],
  );
});

test('shows remaining minutes, their key, and when they are not enough', () => {
  assert.equal(quotaText(price(5, false), quota(20)), '20 of 30 minutes left on your key');
  assert.equal(
    quotaText({ ...price(25, false), key: 'system' }, quota(20)),
    "Not enough minutes: 20 of 30 minutes left on this studio's key",
  );
  assert.deepEqual(
    [canPay(price(20, false), quota(20)), canPay(price(20.1, false), quota(20))],
    [true, false],
  );
  assert.equal(canPay(price(20, false), undefined), true);
});

test('shows the level of the residual, and warnings', () => {
  assert.deepEqual(cloudRemarks({ residual_db: null, warnings: [] }), []);
  assert.deepEqual(cloudRemarks({ residual_db: -30.5, warnings: ['wind: none'] }), [
    'Separated in the cloud. Residual: −30.5 dB.',
    'wind: none',
  ]);
});
