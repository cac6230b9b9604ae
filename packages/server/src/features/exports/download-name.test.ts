import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { attachment, downloadName } from './download-name.ts';

const nameOf = (artist: string, title: string) =>
  downloadName({ artist, title, part: 'vocals', extension: 'wav' });

test('a name contains artist, title and stem, in characters that every file system accepts', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['Artist', 'Title', 'Artist - Title (vocals).wav'],
    ['', 'Title', 'Title (vocals).wav'],
    ['', '', 'track (vocals).wav'],
    [' \t', '\u0000\u0007', 'track (vocals).wav'],
    ['AC/DC', 'Who? "Me": <A*B|C\\D>', 'AC_DC - Who_ _Me__ _A_B_C_D_ (vocals).wav'],
    ['Björk', 'Jóga', 'Björk - Jóga (vocals).wav'],
    ['Bjo\u0308rk', 'x', 'Björk - x (vocals).wav'],
    ['久石譲', 'Summer 🏖️', '久石譲 - Summer 🏖️ (vocals).wav'],
    ['a\r\nb', 'c\u2028d', 'a b - c d (vocals).wav'],
    ['', '..', 'track (vocals).wav'],
    ['', '.htaccess', 'htaccess (vocals).wav'],
    ['', '../../etc/passwd', '_.._etc_passwd (vocals).wav'],
    ['', 'CON', '_CON (vocals).wav'],
    ['', 'nul.txt', '_nul.txt (vocals).wav'],
    ['Com1', '', '_Com1 (vocals).wav'],
    ['', 'Control', 'Control (vocals).wav'],
    ['', 'evil\u202egpj.exe', 'evil gpj.exe (vocals).wav'],
    ['', 'half \ud83d', 'half \ufffd (vocals).wav'],
  ];
  for (const [artist, title, expected] of cases) assert.equal(nameOf(artist, title), expected);
});

test('a long title is truncated between whole characters; stem and extension stay', () => {
  const family = '👨‍👩‍👧‍👦';
  const name = nameOf('x', family.repeat(40));
  assert.ok(Buffer.byteLength(name) <= 137, String(Buffer.byteLength(name)));
  assert.match(name, /^x - (?:👨‍👩‍👧‍👦)+ \(vocals\)\.wav$/u);
});

test('for any metadata, the name is valid on Windows, macOS and Linux', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (artist, title) => {
      const name = nameOf(artist, title);
      assert.ok(Buffer.byteLength(name) <= 143);
      assert.ok(name.isWellFormed());
      assert.ok(!/[\\/:*?"<>|\p{Cc}]/u.test(name), name);
      assert.ok(!/^[.\s]|[.\s]$/.test(name), name);
      assert.match(
        attachment(name),
        /^attachment; filename="[ !#-[\]-~]*"(; filename\*=UTF-8''[\w.!~%-]+)?$/,
      );
    }),
  );
});

test('a name outside ASCII is sent twice, for old clients and in UTF-8', () => {
  assert.equal(attachment('A - B (vocals).wav'), 'attachment; filename="A - B (vocals).wav"');
  assert.equal(
    attachment("Jóga's 🏖 (x).wav"),
    `attachment; filename="Joga's _ (x).wav"; filename*=UTF-8''J%C3%B3ga%27s%20%F0%9F%8F%96%20%28x%29.wav`,
  );
  assert.equal(attachment('100%.wav'), `attachment; filename="100_.wav"; filename*=UTF-8''100%25.wav`);
});
