import { type CloudStemType, cloudStemTypes } from '@stem-studio/contract/resources/stem';
import type { CloudTrack, SplitOrder } from '../../cloudsep/index.ts';

/** One call of the cloud service that gives some of the stems. */
export interface CloudSplit {
  /** Tells calls apart: the same name gives the same stems of the same sound. */
  readonly name: string;
  readonly order: SplitOrder;
  readonly stemTypes: readonly CloudStemType[];
  /** For so many stems the service takes the minutes of the sound. */
  readonly chargedStems: number;
  /** Label of a file to the stem that it is. */
  readonly labels: Readonly<Record<string, CloudStemType>>;
  /** Stems that the service leaves out where it hears nothing of them. */
  readonly mayBeAbsent: readonly CloudStemType[];
}

/** The service's words for stems; `vocals` and `backing_vocals` apart come by a call of their own. */
const wordFor: Readonly<Record<Exclude<CloudStemType, 'backing_vocals'>, string>> = {
  vocals: 'vocals',
  drums: 'drum',
  bass: 'bass',
  electric_guitar: 'electric_guitar',
  acoustic_guitar: 'acoustic_guitar',
  piano: 'piano',
  synth: 'synthesizer',
  strings: 'strings',
  wind: 'wind',
};

type NamedStem = keyof typeof wordFor;

/** What the service gives by single calls only. */
const singlesOnly: ReadonlySet<CloudStemType> = new Set(['synth', 'strings', 'wind']);

/** WAV, so that nothing is lost a second time; the rest is what the service takes where nothing is said. */
const presets = { encoder_format: 'wav', extraction_level: 'deep_extraction', dereverb_enabled: false };

function named(types: readonly NamedStem[]): Record<string, CloudStemType> {
  return Object.fromEntries(types.map((type) => [wordFor[type], type]));
}

function single(type: NamedStem): CloudSplit {
  return {
    name: type,
    order: { path: 'stem_separator', presets: { ...presets, stem: wordFor[type] } },
    stemTypes: [type],
    chargedStems: 1,
    labels: named([type]),
    mayBeAbsent: [],
  };
}

/** Lead and backing voices are divided together, whichever of them is wanted, and both are charged. */
function voices(wanted: readonly CloudStemType[]): CloudSplit {
  return {
    name: 'voices',
    order: {
      path: 'stem_separator',
      presets: { ...presets, stem: wordFor.vocals, multivocal: 'lead_back' },
    },
    stemTypes: wanted,
    chargedStems: 2,
    labels: { 'vocals@0': 'vocals', 'vocals@1': 'backing_vocals' },
    mayBeAbsent: ['backing_vocals'],
  };
}

/** The types in the order in which they are listed everywhere, each once. */
export function inCloudOrder(types: readonly CloudStemType[]): CloudStemType[] {
  return cloudStemTypes.filter((type) => types.includes(type));
}

/**
 * The calls that give these stems: lead and backing voices by one, synthesizer, strings and wind by one each, all others
 * together by one.
 */
export function planSplits(types: readonly CloudStemType[]): CloudSplit[] {
  const wanted = inCloudOrder(types);
  const splits: CloudSplit[] = [];
  const hasBacking = wanted.includes('backing_vocals');
  const isVoice = (type: CloudStemType) => type === 'vocals' || type === 'backing_vocals';
  if (hasBacking) splits.push(voices(wanted.filter(isVoice)));
  const rest = wanted.filter((type) => !(hasBacking && isVoice(type))) as NamedStem[];
  const together = rest.filter((type) => !singlesOnly.has(type));
  if (together.length > 0) {
    splits.push({
      name: together.join('+'),
      order: {
        path: 'multistem',
        presets: { ...presets, stem_list: together.map((type) => wordFor[type]) },
      },
      stemTypes: together,
      chargedStems: together.length,
      labels: named(together),
      mayBeAbsent: [],
    });
  }
  return [...splits, ...rest.filter((type) => singlesOnly.has(type)).map(single)];
}

/** What a call costs of a sound of this length, in tenths of minutes, rounded up. */
export function minutesOf(split: CloudSplit, durationSeconds: number): number {
  // Tenths that binary fractions make a hair too large are no tenth more.
  return Math.ceil((durationSeconds / 60) * split.chargedStems * 10 - 1e-6) / 10;
}

/** Minutes added up, without the crumbs of binary fractions. */
export function sumOfMinutes(minutes: readonly number[]): number {
  return Math.round(minutes.reduce((sum, one) => sum + one, 0) * 10) / 10;
}

/**
 * Where each stem of a finished call lies; null for one that the service left out because it heard nothing of it. A type
 * that is missing from the answer was not given although it should have been.
 */
export function linksOf(split: CloudSplit, tracks: readonly CloudTrack[]): Map<CloudStemType, string | null> {
  const links = new Map<CloudStemType, string | null>();
  for (const [label, type] of Object.entries(split.labels)) {
    if (!split.stemTypes.includes(type)) continue;
    const track = tracks.find((one) => one.type === 'stem' && one.label === label);
    if (track) links.set(type, track.url);
    else if (split.mayBeAbsent.includes(type)) links.set(type, null);
  }
  return links;
}
