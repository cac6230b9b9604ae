import assert from 'node:assert/strict';

/** Asserts that a number is another one, or not further from it than `within`; tells both where it is. */
export function near(got: number | undefined, wanted: number, within: number): void {
  assert.ok(
    got !== undefined && Math.abs(got - wanted) <= within,
    `${got} must be ${wanted} within ${within}`,
  );
}
