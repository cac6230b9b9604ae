import { endOf } from '@stem-studio/contract/projects/clip-parts';
import { sourceMsAt, warpOf } from '@stem-studio/contract/projects/warp';
import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';
import type { BeatTime, DawStem } from './daw-content.ts';
import { element, type XmlElement } from './xml.ts';

/** What a clip refers to. */
export interface ClipContext {
  readonly stem: DawStem;
  readonly state: ProjectState;
  readonly time: BeatTime;
  /** Clip before it on its lane. */
  readonly before: Clip | undefined;
  /** Clip after it on its lane. */
  readonly after: Clip | undefined;
}

/** Returns the time by which two clips that follow each other overlap, in ms: their crossfade. */
function overlapOf(clip: Clip | undefined, next: Clip | undefined): number {
  return clip && next ? Math.max(0, Math.min(endOf(clip), endOf(next)) - next.start_ms) : 0;
}

function audio({ stem }: ClipContext, algorithm: 'raw' | 'stretch'): XmlElement {
  const { path, seconds, sampleRateHz, channels } = stem;
  return element('Audio', { algorithm, channels, duration: seconds, sampleRate: sampleRateHz }, [
    element('File', { path }),
  ]);
}

/** A value that a clip has from its start to its end. */
function constant(expression: 'gain' | 'transpose', unit: 'linear' | 'semitones', value: number): XmlElement {
  return element('Points', { unit }, [
    element('Target', { expression }),
    element('RealPoint', { time: 0, value, interpolation: 'hold' }),
  ]);
}

/** Returns the content of a clip with its gain and transposition, where it has them. */
function expressed(content: XmlElement, { volume, semitones }: Clip): XmlElement {
  const points = [
    ...(volume === 100 ? [] : [constant('gain', 'linear', volume / 100)]),
    ...(semitones === 0 ? [] : [constant('transpose', 'semitones', semitones)]),
  ];
  return points.length === 0 ? content : element('Lanes', {}, [content, ...points]);
}

/**
 * Returns the time of the stem at a time since the start of a clip, in ms. A reversed clip plays the same part forwards,
 * because the format has no direction: reversing it restores it.
 */
function stemMsOf(clip: Clip, { state, stem }: ClipContext): (sinceStartMs: number) => number {
  const warp = warpOf(state, clip);
  if (!clip.is_reversed) return (ms) => sourceMsAt(warp, clip.from_ms + ms);
  const lengthMs =
    state.sources.find(({ source }) => source === clip.source)?.length_ms ?? stem.seconds * 1000;
  return (ms) => lengthMs - sourceMsAt(warp, clip.from_ms + clip.length_ms - ms);
}

/** Returns the times since the start of a clip at which its tempo or that of the project changes, in ms. */
function cornersOf(clip: Clip, { state, time }: ClipContext): number[] {
  const corners = (warpOf(state, clip)?.points ?? []).map(({ at_ms }) => {
    const since = at_ms - clip.from_ms;
    return clip.is_reversed ? clip.length_ms - since : since;
  });
  const tempos = time.tempoChangesMs.map((ms) => ms - clip.start_ms);
  const inside = [...corners, ...tempos].filter((ms) => ms > 0 && ms < clip.length_ms);
  return [0, ...new Set(inside.toSorted((one, other) => one - other)), clip.length_ms];
}

/** A stretched clip: its content is in quarter notes from its start, with a warp at each change of tempo. */
function warpedContent(clip: Clip, context: ClipContext): XmlElement {
  const { beatAt } = context.time;
  const stemMs = stemMsOf(clip, context);
  return element('Warps', { timeUnit: 'beats', contentTimeUnit: 'seconds' }, [
    audio(context, 'stretch'),
    ...cornersOf(clip, context).map((ms) =>
      element('Warp', {
        time: beatAt(clip.start_ms + ms) - beatAt(clip.start_ms),
        contentTime: stemMs(ms) / 1000,
      }),
    ),
  ]);
}

/**
 * Returns a clip of the arrangement. Stems that are not stretched are counted in seconds, so that their tempo does not
 * follow that of the project. A crossfade with the clip before begins earlier than the clip: its fade-in is negative.
 */
export function clipElement(clip: Clip, context: ClipContext): XmlElement {
  const { beatAt } = context.time;
  const overlapMs = overlapOf(context.before, clip);
  const fadeOut = Math.max(clip.fade_out.length_ms, overlapOf(clip, context.after));
  const nominalMs = clip.start_ms + overlapMs;
  const isWarped = warpOf(context.state, clip) !== undefined;
  const playStart = isWarped
    ? beatAt(nominalMs) - beatAt(clip.start_ms)
    : stemMsOf(clip, context)(overlapMs) / 1000;
  const fadeIn = overlapMs > 0 ? -overlapMs : clip.fade_in.length_ms;
  const attributes = {
    time: beatAt(nominalMs),
    duration: beatAt(endOf(clip)) - beatAt(nominalMs),
    contentTimeUnit: isWarped ? 'beats' : 'seconds',
    playStart,
    fadeTimeUnit: 'seconds',
    fadeInTime: fadeIn / 1000,
    fadeOutTime: fadeOut / 1000,
    name: context.stem.source.replaceAll('_', ' '),
  };
  const content = isWarped ? warpedContent(clip, context) : audio(context, 'raw');
  return element('Clip', attributes, [expressed(content, clip)]);
}
