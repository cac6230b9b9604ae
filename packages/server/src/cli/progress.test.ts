import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from './progress.ts';

function written(isTTY: boolean, columns = 80) {
  let text = '';
  const progress = createProgress({ isTTY, columns, write: (more: string) => void (text += more) });
  return { progress, text: () => text };
}

test("draws one bar that fits the terminal's width, and clears it at the end", () => {
  const { progress, text } = written(true, 40);
  progress.report(0, 'opening');
  progress.report(0.5, 'a stage with a name longer than the line');
  progress.report(0.5, 'a stage with a name longer than the line');
  progress.end();
  const [, first = '', second = '', last] = text().split('\r\u001b[2K');
  assert.equal(first, `${'░'.repeat(24)}   0 %  opening`);
  assert.equal(second, `${'█'.repeat(12)}${'░'.repeat(12)}  50 %  a stage`);
  assert.equal(last, '');
});

test('writes a line for every ten percent and every stage when the output is not a terminal', () => {
  const { progress, text } = written(false);
  for (const fraction of [0, 0.04, 0.1, 0.19, 0.2]) progress.report(fraction, 'separating');
  progress.report(0.2, 'finishing', 64.2);
  progress.report(0.2, 'finishing', 60);
  progress.end();
  const lines = ['0 % separating', '10 % separating', '20 % separating', '20 % finishing, 1:05 left', ''];
  assert.equal(text(), lines.join('\n'));
});
