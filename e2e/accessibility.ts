import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Number of elements that are printed for a violated rule. */
const shownElements = 3;

/**
 * Fails if the page violates a rule of axe. Labels that differ from the visible text are violations too: who controls the
 * computer by speech says what is visible.
 *
 * @param where state of the page, for the message
 * @see https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md
 */
export async function assertAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      rules: { 'label-content-name-mismatch': { enabled: true } },
    }),
  );
  const lines = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n  ${nodes
        .slice(0, shownElements)
        .map(({ html }) => html.slice(0, 200))
        .join('\n  ')}`,
  );
  assert.deepEqual(lines, [], where);
}
