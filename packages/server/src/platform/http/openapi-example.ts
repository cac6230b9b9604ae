/** Parts of a JSON schema from which examples are generated. */
export interface JsonSchema {
  readonly [name: string]: unknown;
  /** One type name, or several of which one is `null`. */
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** Example values by field name, where the schema alone does not suggest one. */
const known: Readonly<Record<string, unknown>> = {
  url: 'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
  email: 'ada@example.org',
  title: 'Night Drive',
  artist: 'Ada Example',
  album: 'Evenings',
  key: 'A minor',
  camelot: '8A',
  color: '#35c4f0',
  label: 'Drop',
  bpm: 124,
  q: 'night',
  tag: 'warm',
  tags: ['warm', 'late'],
  bpm_min: '120',
  bpm_max: '128',
  fit_key: 'A minor',
  fit_bpm: '124',
  reasons: ['same key (8A)', '1.6 % faster'],
  catalog_id: '4uLU6hMCjMI75M1A2tKUQC',
  stems: 'vocals,drums',
  stem_types: 'vocals,drums',
  onset_threshold: 0.5,
  frame_threshold: 0.3,
  minimum_note_ms: 128,
  pitch: 60,
  velocity: 90,
  track_title: 'Night Drive',
  range: { start: 30, end: 60 },
  start_ms: 4000,
  end_ms: 8000,
};

const texts: Readonly<Record<string, string>> = {
  uuid: '0198c5a0-7c1e-7b3a-9d52-3f1a6b7c8d9e',
  'date-time': '2026-01-31T18:30:00.000Z',
  uri: 'https://example.org/',
};

/** Returns the schema types that a value matches. */
function kindsOf(value: unknown): string[] {
  if (Array.isArray(value)) return ['array'];
  return typeof value === 'number' ? ['number', 'integer'] : [typeof value];
}

/** Returns an example value that matches a schema. Deterministic. Fields get values that suit their names. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  if ('const' in schema) return schema['const'];
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return exampleOf(choice, name);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  const named = known[name];
  if (named !== undefined && kindsOf(named).includes(type ?? '')) return named;
  if ('default' in schema) return schema['default'];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([field, inner]) => [field, exampleOf(inner, field)]),
      );
    case 'array':
      return schema.items ? [exampleOf(schema.items, name)] : [];
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? Number.POSITIVE_INFINITY);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return (
        texts[schema.format ?? ''] ??
        (/guid|[0-9a-f]{8}/i.test(schema.pattern ?? '') ? texts['uuid'] : 'text')
      );
    default:
      return {};
  }
}
