import * as fc from 'fast-check';

/** Strings that have broken services before, or that resemble other types. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    'NaN',
    '-1',
    '0',
    '1e309',
    '99999999999999999999',
    '0x10',
    '１２',
    "' or 1=1 --",
    '%',
    '%%%_\\',
    '../../../../etc/hostname',
    '..\\..\\x',
    '<script>alert(1)</script>',
    '{{7*7}}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an attacker might send it.
    '${7*7}',
    '\r\nx-injected: yes',
    '\u202e\u0000\u200d\ufeff',
    'ﷺ'.repeat(20),
    '🏳️‍🌈'.repeat(10),
    'A\u0301'.repeat(30),
    '2026-02-30T25:61:61Z',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'a,b,,c',
    'queued,queued,,',
    '&&&===',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(2000, 70_000).map((length) => 'long '.repeat(length / 5)),
);

/** Values of a wrong type, or oversized ones of a right type. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      0,
      -0,
      -1,
      0.1,
      1e308,
      Number.MAX_SAFE_INTEGER,
      2 ** 31,
      2 ** 63,
      [],
      {},
      [[[[]]]],
      [null],
      { length: 1 },
      { toJSON: 1 },
      { $ne: null },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.array(fc.string({ maxLength: 60 }), { minLength: 40, maxLength: 120 }) },
);

/** Bodies that are invalid JSON, or JSON that no program writes. */
export const brokenJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '{"url":',
    '[1,]',
    "{'url': 1}",
    '\ufeff{}',
    'nul',
    '1e999',
    '{"a":1}{"b":2}',
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{}}}',
    '{"url":"\u0000"}',
    '"\\ud800"',
    '[]',
    'null',
    '"text"',
    '-0',
    '['.repeat(50_000),
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    `{"track_id":"x"${',"track_id":"y"'.repeat(2000)}}`,
    `{"url":"${'a'.repeat(1_100_000)}"}`,
  ),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

/** Segments of a path, encoded as in the address. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%00',
    '%ED%A0%80',
    '%',
    '%zz',
    '%2e%2e',
    '%2F',
    '%252e',
    '..',
    '*',
    ';',
    '~',
    '%C0%AF',
    '__proto__',
    'constructor',
    '-1',
    '0',
    '01',
    '1e3',
    '999999999999',
    'x'.repeat(3000),
    '%F0%9F%92%A5',
    '%EF%BC%91',
  ),
  hostileText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 2000))),
);

/** Values of a query, encoded as in the address. */
export const hostileQueryValue: fc.Arbitrary<string> = fc.oneof(
  hostileText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 4000))),
  fc.constantFrom('%00', '%ED%A0%80', '%', '%zz', '+', '%2B', '1&page=2', 'a=b=c', '[]', '%5B%5D', '1%00'),
);
