import type { z } from 'zod';
import { en } from 'zod/locales';

const { localeError } = en();
const plural = (count: number | bigint, one: string) => `${count} ${one}${Number(count) === 1 ? '' : 's'}`;

/** Texts for the types of JSON, after "must be". */
const typeTexts: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
};

/** Texts for the formats of text, after "must be". */
const formatTexts: Readonly<Record<string, string>> = {
  uuid: 'an id in the form of a UUID',
  guid: 'an id in the form of a UUID',
  email: 'an email address',
  url: 'a web address',
  datetime: 'a date and time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  base64: 'Base64',
  json_string: 'JSON',
};

/** Returns the rest of a sentence about a size, such as "must be at least 1" or "must have at most 50 characters". */
function sizeText(
  origin: string,
  limit: number | bigint,
  bound: 'min' | 'max',
  isInclusive: boolean,
): string {
  const least = bound === 'min';
  if (origin === 'string' || origin === 'array' || origin === 'set' || origin === 'map') {
    if (least && isInclusive && Number(limit) === 1) return 'must not be empty';
    const unit = origin === 'string' ? 'character' : origin === 'array' ? 'entry' : 'element';
    const count = plural(limit, unit).replace('entrys', 'entries');
    return `must have ${isInclusive ? '' : least ? 'more than ' : 'fewer than '}${isInclusive ? (least ? 'at least ' : 'at most ') : ''}${count}`;
  }
  if (isInclusive) return `must be ${least ? 'at least' : 'at most'} ${limit}`;
  return `must be ${least ? 'more than' : 'less than'} ${limit}`;
}

const valueText = (value: unknown) => (typeof value === 'string' ? value : String(value));

function ruleText(issue: z.core.$ZodIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.message.endsWith('received undefined')) return 'is required';
      return `must be ${typeTexts[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return sizeText(issue.origin, issue.minimum, 'min', issue.inclusive ?? true);
    case 'too_big':
      return sizeText(issue.origin, issue.maximum, 'max', issue.inclusive ?? true);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value': {
      const values = issue.values.map(valueText);
      return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
    }
    case 'invalid_format': {
      const text = formatTexts[issue.format];
      return text === undefined ? 'has the wrong form' : `must be ${text}`;
    }
    case 'invalid_union': {
      const rules = issue.errors.flatMap((alternative) => alternative.slice(0, 1).map(issueText));
      const known = [...new Set(rules)].filter((rule) => rule.startsWith('must be '));
      return known.length > 0
        ? `must be ${known.map((rule) => rule.slice('must be '.length)).join(' or ')}`
        : 'is not valid';
    }
    case 'unrecognized_keys':
      return 'has unknown fields';
    case 'invalid_key':
    case 'invalid_element':
      return 'is not valid';
    case 'custom':
      return null;
  }
}

/**
 * Returns the rule that a value violates as the rest of a sentence that starts with the field: "must be at least 1".
 * A message that the schema states itself is kept.
 */
export function issueText(issue: z.core.$ZodIssue): string {
  const usual = localeError(issue as z.core.$ZodRawIssue);
  const usualText = typeof usual === 'string' ? usual : usual?.message;
  // Without the input, the usual message of a wrong type names another received type.
  const isUsual = issue.message === usualText || issue.message.startsWith('Invalid input: expected ');
  const text = isUsual ? ruleText(issue) : null;
  if (text !== null) return text;
  return issue.message === 'Invalid input' ? 'is not valid' : issue.message;
}
