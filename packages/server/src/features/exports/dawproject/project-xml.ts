import type { ProjectState } from '@stem-studio/contract/resources/project';
import { type TempoMap, TICKS_PER_QUARTER } from '@stem-studio/dsp/notes/midi/tempo-map';
import { releaseVersion } from '../../../platform/release-version.ts';
import { clipElement } from './clip-xml.ts';
import { type BeatTime, beatTimeOf, type DawContent } from './daw-content.ts';
import { element, type XmlAttributes, type XmlElement } from './xml.ts';

const nameOf = (laneId: string) => {
  const text = laneId.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const bpmOf = ({ microsecondsPerQuarter }: TempoMap['tempos'][number]) => 60e6 / microsecondsPerQuarter;

function transport({ tempos, signatures }: TempoMap): XmlElement {
  const [tempo] = tempos;
  const [signature] = signatures;
  return element('Transport', {}, [
    element('Tempo', {
      max: 666,
      min: 1,
      unit: 'bpm',
      value: tempo ? bpmOf(tempo) : 120,
      id: 'tempo',
      name: 'Tempo',
    }),
    element('TimeSignature', {
      denominator: signature?.denominator ?? 4,
      numerator: signature?.numerator ?? 4,
      id: 'signature',
    }),
  ]);
}

/** Parameters of a channel strip, in the order of the schema. */
function channel(
  id: string,
  { volume, pan, isMuted }: { readonly volume: number; readonly pan: number; readonly isMuted: boolean },
  attributes: XmlAttributes,
  { devices = [], sends = [] }: { readonly devices?: XmlElement[]; readonly sends?: XmlElement[] } = {},
): XmlElement {
  return element('Channel', { audioChannels: 2, ...attributes, id: `${id}-channel` }, [
    ...(devices.length > 0 ? [element('Devices', {}, devices)] : []),
    element('Mute', { value: isMuted, id: `${id}-mute`, name: 'Mute' }),
    element('Pan', {
      max: 1,
      min: 0,
      unit: 'normalized',
      value: (pan + 100) / 200,
      id: `${id}-pan`,
      name: 'Pan',
    }),
    ...(sends.length > 0 ? [element('Sends', {}, sends)] : []),
    element('Volume', {
      max: 2,
      min: 0,
      unit: 'linear',
      value: volume / 100,
      id: `${id}-volume`,
      name: 'Volume',
    }),
  ]);
}

type Lane = ProjectState['lanes'][number];

/** Bands of the equaliser of a lane: below 250 Hz, up to 2.5 kHz, above it. */
const bands = [
  { type: 'lowShelf', hz: 250, gain: 'low_db' },
  { type: 'bell', hz: 790, gain: 'mid_db' },
  { type: 'highShelf', hz: 2500, gain: 'high_db' },
] as const;

function devicesOf({ eq, compressor }: Lane, id: string): XmlElement[] {
  const devices: XmlElement[] = [];
  if (bands.some(({ gain }) => eq[gain] !== 0))
    devices.push(
      element(
        'Equalizer',
        { deviceName: 'Equaliser', deviceRole: 'audioFX', loaded: true, id: `${id}-eq` },
        bands.map(({ type, hz, gain }) =>
          element('Band', { type }, [
            element('Freq', { unit: 'hertz', value: hz }),
            element('Gain', { unit: 'decibel', value: eq[gain] }),
          ]),
        ),
      ),
    );
  if (compressor) {
    const { attack_ms, makeup_db, ratio, release_ms, threshold_db } = compressor;
    devices.push(
      element(
        'Compressor',
        { deviceName: 'Compressor', deviceRole: 'audioFX', loaded: true, id: `${id}-compressor` },
        [
          element('Attack', { unit: 'seconds', value: attack_ms / 1000 }),
          element('OutputGain', { unit: 'decibel', value: makeup_db }),
          element('Ratio', { unit: 'linear', value: ratio }),
          element('Release', { unit: 'seconds', value: release_ms / 1000 }),
          element('Threshold', { unit: 'decibel', value: threshold_db }),
        ],
      ),
    );
  }
  return devices;
}

const plain = { volume: 100, pan: 0, isMuted: false };

function structure({ lanes }: ProjectState): XmlElement {
  const hasReverb = lanes.some(({ reverb_send }) => reverb_send > 0);
  const tracks = lanes.flatMap((lane, index) => {
    const id = `lane${index}`;
    const { volume, pan, is_muted: isMuted, is_soloed: solo, reverb_send } = lane;
    const sends =
      reverb_send > 0
        ? [
            element('Send', { destination: 'reverb-channel', type: 'post' }, [
              element('Volume', { max: 1, min: 0, unit: 'linear', value: reverb_send / 100 }),
            ]),
          ]
        : [];
    const strip = channel(
      id,
      { volume, pan, isMuted },
      { destination: 'master-channel', role: 'regular', solo },
      { devices: devicesOf(lane, id), sends },
    );
    const track = { contentType: 'audio', loaded: true, id, name: nameOf(lane.id) };
    const notes = { contentType: 'notes', loaded: true, id: `${id}-notes`, name: `${nameOf(lane.id)} notes` };
    return [
      element('Track', track, [strip]),
      ...(lane.notes.length > 0
        ? [
            element('Track', notes, [
              channel(notes.id, plain, { destination: 'master-channel', role: 'regular', solo: false }),
            ]),
          ]
        : []),
    ];
  });
  const busses = [
    ...(hasReverb ? [{ id: 'reverb', name: 'Reverb', role: 'effect', destination: 'master-channel' }] : []),
    { id: 'master', name: 'Master', role: 'master' },
  ];
  return element('Structure', {}, [
    ...tracks,
    ...busses.map(({ id, name, ...attributes }) =>
      element('Track', { contentType: 'audio', loaded: true, id, name }, [
        channel(id, plain, { ...attributes, solo: false }),
      ]),
    ),
  ]);
}

function notesElement({ notes }: Lane, { beatAt }: BeatTime): XmlElement {
  const endMs = Math.max(...notes.map(({ start_ms, length_ms }) => start_ms + length_ms));
  const content = element(
    'Notes',
    {},
    notes.map(({ start_ms, length_ms, pitch, velocity }) =>
      element('Note', {
        time: beatAt(start_ms),
        duration: beatAt(start_ms + length_ms) - beatAt(start_ms),
        channel: 0,
        key: pitch,
        vel: velocity / 127,
        rel: 0,
      }),
    ),
  );
  return element('Clip', { time: 0, duration: beatAt(endMs), playStart: 0 }, [content]);
}

function automation(
  name: string,
  target: string,
  unit: string | undefined,
  points: XmlElement[],
): XmlElement {
  const timeline = { timeUnit: 'beats', unit, id: `${target}-automation` };
  return element(name, timeline, [element('Target', { parameter: target }), ...points]);
}

function arrangement({ state, stems, map, markers }: DawContent, time: BeatTime): XmlElement {
  const stemOf = new Map(stems.map((stem) => [stem.source, stem]));
  const lanes = state.lanes.flatMap((lane, index) => {
    const clips = lane.clips.flatMap((clip, at) => {
      const stem = stemOf.get(clip.source);
      return stem
        ? [clipElement(clip, { stem, state, time, before: lane.clips[at - 1], after: lane.clips[at + 1] })]
        : [];
    });
    return [
      element('Lanes', { track: `lane${index}`, id: `lane${index}-timeline` }, [
        element('Clips', { id: `lane${index}-clips` }, clips),
      ]),
      ...(lane.notes.length > 0
        ? [
            element('Lanes', { track: `lane${index}-notes`, id: `lane${index}-notes-timeline` }, [
              element('Clips', { id: `lane${index}-notes-clips` }, [notesElement(lane, time)]),
            ]),
          ]
        : []),
    ];
  });
  const { tempos, signatures } = map;
  return element('Arrangement', { id: 'arrangement' }, [
    element('Lanes', { timeUnit: 'beats', id: 'timeline' }, lanes),
    ...(markers.length > 0
      ? [
          element(
            'Markers',
            { timeUnit: 'beats', id: 'markers' },
            markers.map(({ ms, label }) => element('Marker', { time: time.beatAt(ms), name: label })),
          ),
        ]
      : []),
    ...(tempos.length > 1
      ? [
          automation(
            'TempoAutomation',
            'tempo',
            'bpm',
            tempos.map((tempo) =>
              element('RealPoint', {
                time: tempo.tick / TICKS_PER_QUARTER,
                value: bpmOf(tempo),
                interpolation: 'hold',
              }),
            ),
          ),
        ]
      : []),
    ...(signatures.length > 1
      ? [
          automation(
            'TimeSignatureAutomation',
            'signature',
            undefined,
            signatures.map(({ tick, numerator, denominator }) =>
              element('TimeSignaturePoint', { time: tick / TICKS_PER_QUARTER, numerator, denominator }),
            ),
          ),
        ]
      : []),
  ]);
}

/**
 * Returns `project.xml` of a DAWproject: a track for each lane with its channel strip, clips, notes and sends, the
 * markers, and the tempo, which is automated where it drifts. Positions are in quarter notes.
 *
 * @see https://github.com/bitwig/dawproject (Project.xsd, version 1.0)
 */
export function projectXml(content: DawContent): XmlElement {
  return element('Project', { version: '1.0' }, [
    element('Application', { name: 'Stem Studio', version: releaseVersion }),
    transport(content.map),
    structure(content.state),
    arrangement(content, beatTimeOf(content.map)),
  ]);
}
