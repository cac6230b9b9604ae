import type { BeatLookup } from '../../rhythm/grid/beat-lookup.ts';
import type { SectionName } from '../section-names.ts';
import type { CueEvidence } from './cue-evidence.ts';
import type { CueCandidate, CueGround } from './cue-plan.ts';

/** Phrase lengths at which a mix begins or ends, in bars. */
const MIX_BARS = [32, 16, 8] as const;
const LOOP_BARS = 4;
const PHRASE_BARS = 4;
/** Bars of a phrase that is numbered in labels. */
const NUMBERED_PHRASE_BARS = 8;
/** Fewest bars of a section that gets a loop. */
const LEAST_LOOPED_BARS = 8;
const MOST_LOOPS = 6;
/** Least change of energy that is a cue point, and the distance in bars within which no change is stronger. */
const ENERGY_CHANGE = 0.35;
const ENERGY_CHANGE_BARS = 4;
/** Seconds with, or without, vocals around a change, and their least mean probability. */
const VOCAL_SECONDS = 6;
const SUNG = 0.65;
const UNSUNG = 0.3;
const HALF = 0.5;

const sectionNames: readonly SectionName[] = [
  'intro',
  'verse',
  'build',
  'drop',
  'chorus',
  'breakdown',
  'bridge',
  'outro',
];

/** Section with the label of its cue point. */
interface NamedSection {
  readonly kind: SectionName;
  readonly label: string;
  readonly seconds: number;
}

/** Returns the sections in order; repeated names are numbered. */
export function namedSections({ sections = [] }: CueGround): NamedSection[] {
  const named = sections
    .toSorted((left, right) => left.start - right.start)
    .flatMap(({ start, label }) => {
      const kind = sectionNames.find((name) => name === label);
      return kind ? [{ kind, seconds: start }] : [];
    });
  const counts = new Map<SectionName, number>();
  return named.map(({ kind, seconds }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const title = kind.charAt(0).toUpperCase() + kind.slice(1);
    const isOnly = named.filter((other) => other.kind === kind).length === 1;
    return { kind, seconds, label: isOnly ? title : `${title} ${count}` };
  });
}

/** Returns the beginnings of the sections, snapped to beats, ascending. */
export function sectionCandidates(ground: CueGround, grid: BeatLookup): CueCandidate[] {
  const named = namedSections(ground);
  const firstBar = grid.barStarts[0] ?? 0;
  const second = named[1] ? grid.snap(named[1].seconds) : Number.POSITIVE_INFINITY;
  // Beats before the first whole bar are an upbeat: the first section begins with that bar, unless it ends before it.
  const first = firstBar < second ? firstBar : 0;
  return named.map(({ kind, label, seconds }, index) => ({
    kind,
    label,
    at: index === 0 ? first : grid.snap(seconds),
  }));
}

/** Returns the first beat, points to begin and end a mix, and loops, the most useful first. */
export function mixCandidates(
  grid: BeatLookup,
  sections: readonly CueCandidate[],
  evidence: CueEvidence,
): CueCandidate[] {
  const { barStarts, barOf, beatsPerBar } = grid;
  const candidates: CueCandidate[] = [{ kind: 'first_beat', label: 'First beat', at: 0 }];
  const barAt = (bar: number): number | undefined => (bar < 0 ? undefined : barStarts[bar]);
  const climax = sections.find(({ kind }) => kind === 'drop' || kind === 'chorus');
  const peak = climax ?? sections[1];
  for (const bars of MIX_BARS) {
    const into = peak && barAt((barOf[peak.at] ?? 0) - bars);
    if (into !== undefined) {
      const label = `Mix in, ${bars} bars before ${peak?.label.toLowerCase()}`;
      candidates.push({ kind: 'mix_in', label, at: into });
    }
    // A mix-out is counted from the end of the track, a mix-in begins with a phrase.
    const left = barStarts.length - bars;
    const phrase = left - (evidence.barsIntoSection(left) % PHRASE_BARS);
    const out = barAt(phrase);
    // Before the climax, or in the first half of a short track, nobody mixes out.
    const isLate = phrase >= barStarts.length / 2 && phrase > (climax ? (barOf[climax.at] ?? 0) : 0);
    if (out !== undefined && isLate) {
      candidates.push({ kind: 'mix_out', label: `Mix out, ${barStarts.length - phrase} bars left`, at: out });
    }
  }
  const named = new Set([...sections, ...candidates].map(({ at }) => at));
  const loops = sections.flatMap(({ kind, label, at }, index) => {
    if (index !== 0 && index !== sections.length - 1 && kind !== 'breakdown') return [];
    const first = barOf[at] ?? 0;
    const bars =
      (sections[index + 1] ? (barOf[sections[index + 1]?.at ?? 0] ?? 0) : barStarts.length) - first;
    if (bars < LEAST_LOOPED_BARS) return [];
    const parts = Array.from(
      { length: Math.floor(bars / LOOP_BARS) - 1 },
      (_, part) => first + LOOP_BARS * (part + 1),
    ).filter((bar) => !named.has(barStarts[bar] ?? 0));
    const unrest = (bar: number): number =>
      Math.abs(evidence.energyChangeAt(grid.beats[barStarts[bar] ?? 0] ?? 0));
    const calmest = parts.reduce(
      (best, bar) => (unrest(bar) <= unrest(best) ? bar : best),
      parts[0] ?? first,
    );
    return [
      {
        kind: 'loop' as const,
        label: `Loop ${LOOP_BARS} bars, ${label.toLowerCase()}`,
        at: barStarts[calmest] ?? at,
        loopBeats: LOOP_BARS * beatsPerBar,
      },
    ];
  });
  return [...candidates, ...loops.slice(0, MOST_LOOPS)];
}

/** Returns downbeats at which the key changes, vocals begin or end, or the energy changes within a section. */
export function transitionCandidates(
  ground: CueGround,
  grid: BeatLookup,
  sections: readonly CueCandidate[],
  evidence: CueEvidence,
): CueCandidate[] {
  const { beats, barStarts, barOf } = grid;
  const changes = barStarts.map((at) => evidence.energyChangeAt(beats[at] ?? 0));
  const sectionBars = sections.map(({ at }) => barOf[at] ?? 0);
  const isFree = (bar: number): boolean =>
    sectionBars.every((other) => Math.abs(other - bar) >= ENERGY_CHANGE_BARS);
  const energy = changes
    .map((change, bar) => ({ change, bar, size: Math.abs(change) }))
    .filter(({ size, bar }) => {
      const about = changes.slice(Math.max(0, bar - ENERGY_CHANGE_BARS), bar + ENERGY_CHANGE_BARS + 1);
      return size >= ENERGY_CHANGE && isFree(bar) && about.every((other) => Math.abs(other) <= size);
    })
    .toSorted((left, right) => right.size - left.size || left.bar - right.bar)
    .map(({ change, bar }): CueCandidate => {
      const label = change > 0 ? 'Energy rises' : 'Energy falls';
      return { kind: 'transition', label, at: barStarts[bar] ?? 0 };
    });
  const keys = (ground.keys ?? []).slice(1).map(({ start, key }): CueCandidate => {
    return { kind: 'transition', label: `Key changes to ${key}`, at: grid.snap(start) };
  });
  return [...keys, ...vocalChanges(ground, grid), ...energy];
}

/** Returns the beats at which vocals begin or end for a while. */
function vocalChanges({ vocal_curve: curve = [] }: CueGround, grid: BeatLookup): CueCandidate[] {
  const changes: CueCandidate[] = [];
  const meanOf = (from: number, to: number): number =>
    curve.slice(from, to).reduce((sum, value) => sum + value, 0) / VOCAL_SECONDS;
  let isSung = meanOf(0, VOCAL_SECONDS) >= SUNG;
  for (let second = VOCAL_SECONDS; second + VOCAL_SECONDS <= curve.length; second++) {
    const after = meanOf(second, second + VOCAL_SECONDS);
    if (isSung ? after > UNSUNG : after < SUNG) continue;
    if ((curve[second] ?? 0) >= HALF === isSung) continue;
    isSung = !isSung;
    changes.push({
      kind: 'transition',
      label: isSung ? 'Voice enters' : 'Voice leaves',
      at: grid.snap(second),
    });
  }
  return changes;
}

/** Returns the beginnings of phrases within their section, by length: 32, 16 and 8 bars. */
export function phraseCandidates(
  grid: BeatLookup,
  sections: readonly CueCandidate[],
  evidence: CueEvidence,
): CueCandidate[][] {
  const labelOf = barLabels(grid, sections, evidence);
  return [32, 16, 8].map((bars) => barsOf(grid, evidence, labelOf, bars, 'phrase'));
}

/** Returns the remaining candidates: every fourth, second and single bar, then every beat. */
export function plainCandidates(
  grid: BeatLookup,
  sections: readonly CueCandidate[],
  evidence: CueEvidence,
): CueCandidate[][] {
  const labelOf = barLabels(grid, sections, evidence);
  const beats = grid.beats.map((_, at): CueCandidate => {
    const bar = grid.barOf[at] ?? -1;
    const inBar = bar < 0 ? at : at - (grid.barStarts[bar] ?? 0);
    return { kind: 'beat', label: `Bar ${bar + 1}, beat ${inBar + 1}`, at };
  });
  return [
    barsOf(grid, evidence, labelOf, 4, 'phrase'),
    barsOf(grid, evidence, labelOf, 2, 'bar'),
    barsOf(grid, evidence, labelOf, 1, 'bar'),
    beats,
  ];
}

type BarLabel = (bar: number, kind: 'phrase' | 'bar') => string;

/**
 * Returns a function for the labels of bars: `Bar 33 · phrase 5`, `Bar 37 · middle of phrase 5`, `Chorus 2 · bar 3`. A
 * phrase has eight bars and begins with its section.
 */
function barLabels(
  { barOf, barStarts }: BeatLookup,
  sections: readonly CueCandidate[],
  evidence: CueEvidence,
): BarLabel {
  const phraseOf: number[] = [];
  let phrase = 0;
  for (let bar = 0; bar < barStarts.length; bar++) {
    if (evidence.barsIntoSection(bar) % NUMBERED_PHRASE_BARS === 0) phrase += 1;
    phraseOf.push(phrase);
  }
  const sectionAt = (bar: number): CueCandidate | undefined =>
    sections.findLast(({ at }) => (barOf[at] ?? 0) <= bar);
  return (bar, kind) => {
    const into = evidence.barsIntoSection(bar);
    const section = sectionAt(bar);
    if (kind === 'bar' && section) return `${section.label} · bar ${into + 1}`;
    const isMiddle = kind === 'phrase' && into % NUMBERED_PHRASE_BARS !== 0;
    return `Bar ${bar + 1} · ${isMiddle ? 'middle of ' : ''}phrase ${phraseOf[bar] ?? 1}`;
  };
}

function barsOf(
  { barStarts }: BeatLookup,
  evidence: CueEvidence,
  labelOf: BarLabel,
  bars: number,
  kind: 'phrase' | 'bar',
): CueCandidate[] {
  return barStarts.flatMap((at, bar) =>
    evidence.barsIntoSection(bar) % bars === 0 ? [{ kind, label: labelOf(bar, kind), at }] : [],
  );
}
