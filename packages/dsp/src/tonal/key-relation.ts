import { camelotOf, keyAt } from './camelot.ts';

/**
 * Relation of a second key to a first one in the terms of DJs.
 *
 * `same`; `relative` major or minor; a step on the circle of fifths up (`8A` to `9A`) or down; an energy boost by a
 * whole tone (two steps up the wheel) or a semitone (seven); `clash`, which is everything else; `unknown` if one of
 * them is no key.
 */
export type KeyRelation =
  | 'same'
  | 'relative'
  | 'step_up'
  | 'step_down'
  | 'boost_tone'
  | 'boost_semitone'
  | 'clash'
  | 'unknown';

/** Relations of keys that are harmonically compatible: they share at least six of seven notes. */
export const compatibleRelations = [
  'same',
  'relative',
  'step_up',
  'step_down',
] as const satisfies readonly KeyRelation[];

/** Relations that raise the energy at a transition and are compatible only for a short time. */
export const boostRelations = ['boost_tone', 'boost_semitone'] as const satisfies readonly KeyRelation[];

const relationOfSteps: Readonly<Record<number, KeyRelation>> = {
  0: 'same',
  1: 'step_up',
  11: 'step_down',
  2: 'boost_tone',
  7: 'boost_semitone',
};

/**
 * Returns the relation of `to` to `from`, keys such as `A minor`; `unknown` if one of them is no key.
 *
 * @see https://mixedinkey.com/harmonic-mixing-guide/
 * @see Gebhardt, Davies, Seeber, "Psychoacoustic approaches for harmonic music mixing", Applied Sciences 6(5), 2016,
 *   section 2, on the limits of the wheel
 */
export function keyRelation(from: string, to: string): KeyRelation {
  const a = camelotOf(from);
  const b = camelotOf(to);
  if (a === '' || b === '') return 'unknown';
  const steps = (Number.parseInt(b, 10) - Number.parseInt(a, 10) + 12) % 12;
  if (a.at(-1) !== b.at(-1)) return steps === 0 ? 'relative' : 'clash';
  return relationOfSteps[steps] ?? 'clash';
}

/** Returns the keys that have one of `relations` to `key`; none for text that is no key. */
export function keysRelatedTo(key: string, relations: readonly KeyRelation[]): string[] {
  const keys: string[] = [];
  for (let number = 1; number <= 12; number++) {
    for (const ring of ['A', 'B'] as const) {
      const other = keyAt(number, ring);
      if (relations.includes(keyRelation(key, other))) keys.push(other);
    }
  }
  return keyRelation(key, key) === 'unknown' ? [] : keys;
}
