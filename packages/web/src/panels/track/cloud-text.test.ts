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

test('the price is said before it is spent, and what is paid already', () => {
  assert.equal(priceText(undefined), 'Asking for the price…');
  assert.equal(priceText(price(9.5, false)), 'Costs 9.5 minutes');
  assert.equal(priceText(price(1, false, true)), 'Costs 1 minute; some of it is paid already');
  assert.equal(priceText(price(0, true)), 'Costs nothing: it is paid already');
  assert.deepEqual(
    [1, 9.5, 0].map((minutes) => submitText(price(minutes, false))),
    ['Separate for 1 minute', 'Separate for 9.5 minutes', 'Separate'],
  );
});

test('what is left is said with whose key it is, and when it does not suffice', () => {
  assert.equal(quotaText(price(5, false), quota(20)), '20 of 30 minutes are left on your key');
  assert.equal(
    quotaText({ ...price(25, false), key: 'system' }, quota(20)),
    "Too few: 20 of 30 minutes are left on this studio's key",
  );
  assert.deepEqual(
    [canPay(price(20, false), quota(20)), canPay(price(20.1, false), quota(20))],
    [true, false],
  );
  assert.equal(canPay(price(20, false), undefined), true);
});

test('what the stems leave out is told with its level, and what was not as asked', () => {
  assert.deepEqual(cloudRemarks({ residual_db: null, warnings: [] }), []);
  assert.deepEqual(cloudRemarks({ residual_db: -30.5, warnings: ['wind: none'] }), [
    'These stems come from the cloud. What is in the song and in none of them: −30.5 dB.',
    'wind: none',
  ]);
});
