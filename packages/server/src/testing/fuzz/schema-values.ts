import * as fc from 'fast-check';
import type { JsonSchema } from '../../platform/http/openapi-example.ts';
import { hostileText, hostileValue } from './hostile-values.ts';

/** Kinds of records that have ids. `@own:track` in a request stands for the id of one of the caller's tracks. */
export const idKinds = [
  'track',
  'deleted',
  'download',
  'processing',
  'analysis',
  'waiting',
  'failed',
  'import',
  'stem',
  'notes',
  'hearing',
  'user',
] as const;
/** One of {@link idKinds}. */
export type IdKind = (typeof idKinds)[number];

/** Generates the name of an id in a request: an id of the caller's own record or of another user's. */
export function idText(likely: readonly IdKind[] = ['track']): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.oneof({ weight: 6, arbitrary: fc.constant('own') }, { weight: 2, arbitrary: fc.constant('other') }),
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...likely) },
        { weight: 1, arbitrary: fc.constantFrom(...idKinds) },
      ),
    )
    .map(([whose, kind]) => `@${whose}:${kind}`);
}

const urls = fc.constantFrom(
  '@catalog:track',
  '@catalog:track',
  '@catalog:album',
  'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
  'https://open.spotify.com/intl-de/album/1DFixLWuPkv3KT3TnV35m3?si=x',
  'spotify:playlist:37i9dQZF1DXcBWIGoYBM5M',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/hostname',
  'https://open.spotify.com@evil.example/track/1',
  'catalog:track:nothing',
  'javascript:alert(1)',
);

/** Values of fields that a schema alone does not suggest. */
const named: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  url: urls,
  track_id: idText(['track']),
  job_id: idText(['processing']),
  stem_id: idText(['stem']),
  import_id: idText(['import']),
  candidate_id: fc.constantFrom('first', 'nothing'),
  q: fc.constantFrom('a', 'song', 'night drive', '%', '_', '\\'),
  task_id: fc.oneof(idText(['processing', 'waiting']), fc.constantFrom('nothing', "'")),
  stem_types: fc.constantFrom('vocals', 'vocals,wind', 'drums,,', 'everything'),
  stems: fc.constantFrom('vocals', 'vocals,drums', 'drums,,', 'everything'),
  without: fc.constantFrom('vocals', 'vocals,drums', 'drums,,', 'everything'),
  only: fc.constantFrom('vocals', 'vocals,drums', 'drums,,', 'everything'),
  tag: fc.constantFrom('warm', 'late'),
  status: fc.constantFrom('queued', 'queued,processing', 'failed', 'active', 'deactivated'),
  key: fc.constantFrom('A minor', 'F# major', ''),
  version: fc.constantFrom(0, 0, 1, 7),
  at_seconds: fc.constantFrom(0, 0.5, 59, 86_400),
};

/** Generates values for a schema, within the supported keywords; most of them are valid. */
export function valueFor(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valueFor(choice, name)));
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  const known = named[name];
  if (type === 'string' || type === undefined) return known ?? textFor(schema);
  if (type === 'integer') return known ?? fc.integer(boundsOf(schema));
  if (type === 'number') return known ?? fc.double({ ...boundsOf(schema), noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(valueFor(schema.items ?? {}), { minLength: 1, maxLength: 4 });
  return objectFor(schema);
}

function boundsOf(schema: JsonSchema): { min: number; max: number } {
  const reach = 2 ** 31 - 1;
  return { min: Math.max(-reach, schema.minimum ?? 0), max: Math.min(reach, schema.maximum ?? 1000) };
}

function textFor(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'uuid' || schema.format === 'guid') return idText();
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  return fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 40) });
}

function objectFor(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const required = (schema['required'] as string[] | undefined) ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valueFor(value, key)]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
  });
}

/** Generates objects with one error: a field that is invalid, missing, unknown, or wrapped. */
export function nearlyFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(nearlyFor));
  return fc
    .tuple(objectFor(schema), fc.nat(20), fc.nat(3), hostileValue, hostileText)
    .map(([object, which, how, value, text]) => {
      const keys = Object.keys(schema.properties ?? {});
      const key = keys[which % Math.max(1, keys.length)] ?? text;
      const { [key]: before, ...rest } = object;
      if (how === 0) return rest;
      if (how === 1) return { ...object, [text.slice(0, 100)]: value };
      return { ...rest, [key]: how === 2 ? value : [before] };
    });
}
