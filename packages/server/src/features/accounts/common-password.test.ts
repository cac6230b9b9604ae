import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommonPassword } from './common-password.ts';

const email = 'mira.holt@example.org';

test('the most common passwords of twelve characters and more are rejected', () => {
  const common = [
    '123456789012',
    '1234567890123',
    '0987654321098',
    '111111111111',
    '121212121212',
    'aaaaaaaaaaaaa',
    'abcabcabcabc',
    'password1234',
    'Password123!',
    'P@ssw0rd1234',
    'passwordpassword',
    'password12345678',
    'mypassword123',
    'qwertyuiop12',
    'qwertyuiop[]',
    'qwerty123456',
    'qwertyqwerty',
    '1qaz2wsx3edc',
    '1q2w3e4r5t6y',
    'q1w2e3r4t5y6',
    'zaq12wsxcde3',
    'qazwsxedcrfv',
    'asdfghjkl123',
    'azertyuiop123',
    'abcdefghijkl',
    'abcdefgh1234',
    'abc123abc123',
    'iloveyou1234',
    'iloveyou2024',
    'Welcome2025!',
    'letmein12345',
    'administrator',
    'admin1234567',
    'superman12345',
    'football2020',
    'liverpool123',
    'changeme1234',
    'sunshine1234',
    'trustno1trustno1',
    '123qweasdzxc',
    'йцукенгшщзхъ',
    'stemstudio123',
  ];
  for (const password of common) assert.equal(isCommonPassword(password, email), true, password);
});

test('a common password, and any single word, with a year is rejected', () => {
  for (const password of [
    'February2026',
    'Sommer2024!!',
    'Wednesday2024',
    'Christmas2024',
    '2024!Halloween',
    'Volkswagen2020',
    'kangaroo-1998',
    '!!Snowball2024',
    'Frühling2024!',
    'Été2024été2024',
    'Covid19covid19',
    'hippopotamus1998',
  ])
    assert.equal(isCommonPassword(password, email), true, password);
  for (const password of ['gravel ocean tuesday 1998', 'kangaroo 1998 umbrella gate', 'hV7-2024-pq0zK'])
    assert.equal(isCommonPassword(password, email), false, password);
});

test("a password made of the user's email address is rejected", () => {
  for (const password of ['mira.holt@example.org', 'miraholt1234', 'Mira.Holt2024', 'holtmira1985!']) {
    assert.equal(isCommonPassword(password, email), true, password);
  }
});

test('passphrases and random passwords are accepted', () => {
  const good = [
    'correct horse battery staple',
    'kV9#tqLw2!xZ',
    'the-drummer-was-late-again',
    'gravel ocean tuesday',
    'x7Jq-pm2R-8sLd',
    'Zwölf Boxkämpfer jagen',
    'sunshine over the gravel pit',
    '0f8c2a9be417d6',
  ];
  for (const password of good) assert.equal(isCommonPassword(password, email), false, password);
});
