import assert from 'node:assert/strict';

/** Asserts that a number differs from the expected one by at most `within`; the message states both. */
export function near(got: number | undefined, wanted: number, within: number): void {
  assert.ok(
    got !== undefined && Math.abs(got - wanted) <= within,
    `${got} must be ${wanted} within ${within}`,
  );
}
