import { type CloudStemType, cloudStemTypes } from '@stem-studio/contract/resources/stem';
import type { CloudTrack, SplitOrder } from '../../cloudsep/index.ts';

/** One call of the cloud service that returns some of the stems. */
export interface CloudSplit {
  /** Identifies a call: the same name gives the same stems of the same audio. */
  readonly name: string;
  readonly order: SplitOrder;
  readonly stemTypes: readonly CloudStemType[];
  /** Number of stems for which the service charges the minutes of the audio. */
  readonly chargedStems: number;
  /** Maps the label of a file to its stem. */
  readonly labels: Readonly<Record<string, CloudStemType>>;
  /** Stems that the service omits where it does not detect them. */
  readonly mayBeAbsent: readonly CloudStemType[];
}

/** The service's names of stems. `vocals` and `backing_vocals` are separated by a call of their own. */
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

/** Stems that the service offers only by single calls. */
const singlesOnly: ReadonlySet<CloudStemType> = new Set(['synth', 'strings', 'wind']);

/** WAV, to avoid a second lossy encoding; the other values are the service's defaults. */
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

/** Returns the call for lead and backing vocals. It separates and charges both, whichever is wanted. */
function leadAndBacking(wanted: readonly CloudStemType[]): CloudSplit {
  return {
    name: 'lead_and_backing',
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

/** Returns the types in their listing order, without duplicates. */
export function inCloudOrder(types: readonly CloudStemType[]): CloudStemType[] {
  return cloudStemTypes.filter((type) => types.includes(type));
}

/**
 * Returns the calls that give these stems. Lead and backing vocals take one, synthesizer, strings and wind one each,
 * and all others together one.
 */
export function planSplits(types: readonly CloudStemType[]): CloudSplit[] {
  const wanted = inCloudOrder(types);
  const splits: CloudSplit[] = [];
  const hasBacking = wanted.includes('backing_vocals');
  const isVocal = (type: CloudStemType) => type === 'vocals' || type === 'backing_vocals';
  if (hasBacking) splits.push(leadAndBacking(wanted.filter(isVocal)));
  const rest = wanted.filter((type) => !(hasBacking && isVocal(type))) as NamedStem[];
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

/** Returns the price of a call for audio of this length, in minutes, rounded up to tenths. */
export function minutesOf(split: CloudSplit, durationSeconds: number): number {
  // The epsilon keeps binary rounding errors from adding a tenth.
  return Math.ceil((durationSeconds / 60) * split.chargedStems * 10 - 1e-6) / 10;
}

/** Returns the sum of minutes, without binary rounding errors. */
export function sumOfMinutes(minutes: readonly number[]): number {
  return Math.round(minutes.reduce((sum, one) => sum + one, 0) * 10) / 10;
}

/**
 * Returns the link to each stem of a finished call. It is null for a stem that the service omitted because it did not
 * detect it. A type missing from the map should have been returned but was not.
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
