import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageQuery } from '@stem-studio/contract/envelope';
import { bpm, tags } from '@stem-studio/contract/resources/track';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { parseFields } from './parse-input.ts';

const schema = z.strictObject({
  ...pageQuery,
  bpm: bpm.optional(),
  tags: tags.optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  mode: z.enum(['a', 'b']).optional(),
  kind: z.literal('one').optional(),
  id: z.uuid().optional(),
  when: z.iso.datetime().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  own: z.string().max(3, 'must be short').optional(),
  name: z.string().max(1).optional(),
  step: z.number().multipleOf(5).optional(),
  many: z.array(z.string()).min(2).optional(),
  needed: z.boolean(),
});

/** Returns the sentence of the error for a body that has one mistake. */
function sentenceFor(body: object): string {
  try {
    parseFields(schema, { needed: true, ...body }, 'body');
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error.message;
  }
  return 'accepted';
}

test('states the violated rule of each kind of mistake as a sentence', () => {
  const sentences: readonly [object, string][] = [
    [{ page: '0' }, 'page must be at least 1'],
    [{ page_size: '101' }, 'page_size must be at most 100'],
    [{ page: 'x' }, 'page must be a whole number'],
    [{ bpm: 19 }, 'bpm must be at least 20'],
    [{ bpm: 'fast' }, 'bpm must be a number'],
    [{ tags: 'late' }, 'tags must be a list'],
    [{ tags: [''] }, 'tags.0 must not be empty'],
    [{ tags: ['x'.repeat(51)] }, 'tags.0 must have at most 50 characters'],
    [{ tags: Array.from({ length: 51 }, (_, index) => String(index)) }, 'tags must have at most 50 entries'],
    [{ many: ['a'] }, 'many must have at least 2 entries'],
    [{ name: 'ab' }, 'name must have at most 1 character'],
    [{ ratio: 0 }, 'ratio must be more than 0'],
    [{ ratio: 1 }, 'ratio must be less than 1'],
    [{ mode: 'c' }, 'mode must be one of a, b'],
    [{ kind: 'two' }, 'kind must be one'],
    [{ id: '7' }, 'id must be an id in the form of a UUID'],
    [{ when: 'now' }, 'when must be a date and time such as 2026-01-31T12:00:00Z'],
    [{ either: true }, 'either must be text or a number'],
    [{ own: 'long' }, 'own must be short'],
    [{ step: 7 }, 'step must be a multiple of 5'],
    [{ needed: undefined }, 'needed is required'],
    [{ needed: 'yes' }, 'needed must be true or false'],
    [{ more: 1 }, 'more is not a known field'],
  ];
  for (const [body, sentence] of sentences) assert.equal(sentenceFor(body), sentence);
});
