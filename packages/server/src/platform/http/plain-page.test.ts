import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { field } from './form-fields.ts';
import { html } from './html.ts';
import { plainPage } from './plain-page.ts';

/** Returns the custom properties of the first `:root` block of a stylesheet. */
function tokensIn(css: string): Map<string, string> {
  const block = /:root\s*\{([^}]*)\}/.exec(css)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? '', match[2] ?? '']),
  );
}

test('uses the colours and sizes of the app on the pages of the service', () => {
  const ours = tokensIn(readFileSync(new URL('tokens.css', import.meta.url), 'utf8'));
  const studio = tokensIn(
    readFileSync(new URL('../../../../web/src/styles/tokens.css', import.meta.url), 'utf8'),
  );
  assert.ok(ours.size > 20, `found only ${ours.size} tokens`);
  for (const [name, value] of ours) assert.equal(value, studio.get(name), name);
});

test('defines every token that the pages use', () => {
  const known = tokensIn(readFileSync(new URL('tokens.css', import.meta.url), 'utf8'));
  const css = ['plain-page.css', 'plain-layouts.css']
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n');
  const used = new Set(Array.from(css.matchAll(/var\((--[\w-]+)\)/g), (match) => match[1] ?? ''));
  assert.deepEqual([...used].sort(), [...known.keys()].sort());
});

test('escapes external text on the page', () => {
  const page = plainPage({ title: '<script>', body: html`<p>${'"><img src=x onerror=1>'}</p>` }).text;
  assert.ok(!page.includes('<script>'));
  assert.ok(!page.includes('<img'));
});

test('keeps the value of a field, but never a password', () => {
  const email = field({
    name: 'user[email]',
    label: 'Email',
    type: 'email',
    autocomplete: 'username',
    value: 'a"b',
  });
  assert.match(email.text, /value="a&quot;b"/);
  const typed = 'gravel ocean tuesday';
  const password = field({
    name: 'user[password]',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    value: typed,
  });
  assert.ok(!password.text.includes(typed));
});

test('shows errors beside their field and associates them with it', () => {
  const { text } = field({
    name: 'user[email]',
    label: 'Email',
    type: 'email',
    autocomplete: 'username',
    hint: 'A hint.',
    errors: ['must be an email address'],
  });
  assert.match(text, /aria-describedby="user-email-hint user-email-error"/);
  assert.match(text, /aria-invalid="true"/);
  assert.match(text, /id="user-email-error">Email must be an email address\./);
});
