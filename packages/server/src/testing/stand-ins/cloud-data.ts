/** Licence keys that the stand-in accepts. */
export const standInKeys = {
  rich: 'stand-in-license-rich',
  poor: 'stand-in-license-poor',
} as const;

/** Initial minutes of the keys. */
export const standInMinutes: Readonly<Record<string, number>> = {
  [standInKeys.rich]: 600,
  [standInKeys.poor]: 0.05,
};

/**
 * Amplitude of each stem relative to the song, by its label. Together they leave 0.03 of the song: a residual of
 * 20·log₁₀ 0.03 = −30.5 dB.
 */
export const standInParts: Readonly<Record<string, number>> = {
  vocals: 0.24,
  'vocals@0': 0.2,
  'vocals@1': 0.04,
  drum: 0.16,
  bass: 0.14,
  electric_guitar: 0.1,
  acoustic_guitar: 0.09,
  piano: 0.08,
  synthesizer: 0.07,
  strings: 0.05,
  wind: 0.04,
};

/** Residual of a song without all ten stems of the stand-in, in dB. */
export const standInResidualDb = -30.5;

const together = ['vocals', 'drum', 'piano', 'bass', 'electric_guitar', 'acoustic_guitar'];
const alone = [...together, 'synthesizer', 'strings', 'wind'];
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A split request of the protocol. */
export interface StandInOrder {
  readonly sourceId: string;
  readonly idempotencyKey: string | null;
  /** Labels of the stems in the reply. */
  readonly labels: readonly string[];
  /** Number of stems that are charged. */
  readonly charged: number;
}

function wrong(field: string, msg: string): { detail: unknown } {
  return { detail: [{ loc: ['body', 'split_input', field], msg, type: 'value_error' }] };
}

/** Parses a split request as strictly as the real service. Returns the validation error if it is invalid. */
export function readOrder(path: string, body: unknown): StandInOrder | { readonly refusal: unknown } {
  const { source_id, presets, idempotency_key = null } = (body ?? {}) as Record<string, unknown>;
  if (typeof source_id !== 'string') return { refusal: wrong('source_id', 'Field required') };
  if (idempotency_key !== null && !(typeof idempotency_key === 'string' && uuid4.test(idempotency_key)))
    return { refusal: wrong('idempotency_key', 'Input should be a valid UUID of version 4') };
  const given = (presets ?? {}) as Record<string, unknown>;
  const base = { sourceId: source_id, idempotencyKey: idempotency_key };
  if (!['wav', 'flac', 'mp3', 'aac', 'ogg', null].includes(given['encoder_format'] as string | null))
    return { refusal: wrong('encoder_format', 'Input should be a known format') };
  if (path === 'multistem') {
    const list = given['stem_list'];
    const isFine =
      Array.isArray(list) &&
      list.length >= 1 &&
      list.length <= 6 &&
      list.every((one) => together.includes(one));
    if (!isFine) return { refusal: wrong('stem_list', 'Input should be 1 to 6 known stems') };
    return { ...base, labels: list as string[], charged: list.length };
  }
  const stem = given['stem'];
  if (typeof stem !== 'string' || !alone.includes(stem))
    return { refusal: wrong('stem', 'Input should be a known stem') };
  const isLeadBack = given['multivocal'] === 'lead_back';
  if (isLeadBack && stem !== 'vocals') return { refusal: wrong('multivocal', 'Only for vocals') };
  return {
    ...base,
    labels: isLeadBack ? ['vocals@0', 'vocals@1'] : [stem],
    charged: isLeadBack ? 2 : 1,
  };
}
