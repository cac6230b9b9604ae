import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, trustedHtml } from './html.ts';

test('escapes every value for elements and quoted attributes', () => {
  const nasty = `<script>"'&`;
  const page = html`<p title="${nasty}">${nasty}</p>`;
  assert.equal(page.text, '<p title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</p>');
});

test('keeps nested HTML, concatenates lists, and renders nothing for empty values', () => {
  const lines = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  assert.equal(
    html`<ul>${lines}</ul>${null}${false}${undefined}${0}`.text,
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  );
  assert.equal(html`${trustedHtml('<br>')}`.text, '<br>');
});
