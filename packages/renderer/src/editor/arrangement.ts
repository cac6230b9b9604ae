import { endOf } from '@stem-studio/contract/projects/clip-parts';
import { warpOf } from '@stem-studio/contract/projects/warp';
import type { FadeCurve } from '@stem-studio/contract/resources/edit-operation';
import { newReverb, type ReverbSettings } from '@stem-studio/contract/resources/lane-effects';
import type { Clip, Lane, ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { FADE_SECONDS } from '../gain/fade-curve.ts';
import { type LaneSetting, laneSetting } from './lane-setting.ts';
import { reverbFrames } from './shared-reverb.ts';
import { type ArrangedWarp, arrangeWarp } from './warp-map.ts';

/** Fade at an end of a clip; without frames there is none. */
export interface ArrangedFade {
  readonly frames: number;
  readonly curve: FadeCurve;
}

/** Clip in sample frames. */
export interface ArrangedClip {
  /** Index of its source. */
  readonly source: number;
  /** First frame on the timeline. */
  readonly startFrame: number;
  /** Frame after its last one on the timeline. */
  readonly endFrame: number;
  /** Frame of the timeline at which the source, or its warp, would begin: their frame = timeline frame − offset. */
  readonly offsetFrames: number;
  /** Other tempo, pitch or direction; null for the source as it was recorded. */
  readonly warp: ArrangedWarp | null;
  /** Linear gain. */
  readonly gain: number;
  /** Gain from which the fade-in starts, where the clip continues the one before it with another gain; else 0. */
  readonly gainBefore: number;
  readonly fadeIn: ArrangedFade;
  readonly fadeOut: ArrangedFade;
}

/** Lane of clips with its channel strip. */
export interface ArrangedLane extends LaneSetting {
  readonly id: string;
  /** By `startFrame`; at most two overlap. */
  readonly clips: readonly ArrangedClip[];
}

/** What a project plays, in sample frames. */
export interface Arrangement {
  readonly lanes: readonly ArrangedLane[];
  /** Frames to the end of the last clip. */
  readonly frames: number;
  /** Frames for which the reverb rings after it. */
  readonly tailFrames: number;
  readonly reverb: ReverbSettings;
}

/** An arrangement without lanes. */
export const emptyArrangement: Arrangement = { lanes: [], frames: 0, tailFrames: 0, reverb: newReverb };

const noFade: ArrangedFade = { frames: 0, curve: 'linear' };

/**
 * Returns a project in sample frames.
 *
 * - Positions are rounded to frames. The offset of a clip against its source is rounded as a whole, so that the parts of
 *   a split clip continue each other sample by sample.
 * - A clip that continues the one before it (same source, same offset) has no fade there; another gain is reached in
 *   5 ms.
 * - Clips that overlap are crossfaded over the overlap: with equal power, or linearly where both play the same samples.
 *   A fade that was set stays.
 * - Every other end within a source gets a fade of 5 ms, so that no cut clicks. The beginning and the end of a source
 *   stay as they are: a project without operations plays the sum of its stems, sample by sample.
 *
 * @param sources stems in the order of the renderer's sources; clips of other ones are omitted
 * @spec Editor playback
 */
export function arrangeProject(
  state: ProjectState,
  sources: readonly StemType[],
  sampleRateHz: number,
): Arrangement {
  const isSoloing = state.lanes.some((lane) => lane.is_soloed);
  const lengths = sources.map((source) => {
    const length = state.sources.find((one) => one.source === source)?.length_ms;
    return length === undefined ? Number.POSITIVE_INFINITY : Math.floor((length * sampleRateHz) / 1000);
  });
  const reader = { warps: state.warps, sources, lengths, rateHz: sampleRateHz };
  const lanes = state.lanes.map(
    (lane): ArrangedLane => ({
      id: lane.id,
      ...laneSetting(lane, isSoloing),
      clips: arrangeClips(lane, reader),
    }),
  );
  const frames = lanes.reduce((end, { clips }) => Math.max(end, clips.at(-1)?.endFrame ?? 0), 0);
  const isSending = lanes.some(({ leftGain, rightGain, send }) => send * (leftGain + rightGain) > 0);
  const tailFrames = isSending ? reverbFrames(state.reverb, sampleRateHz) : 0;
  return { lanes, frames, tailFrames, reverb: state.reverb };
}

/** What clips refer to, in frames. */
interface ClipContext {
  readonly warps: ProjectState['warps'];
  readonly sources: readonly StemType[];
  /** Frames of each source. */
  readonly lengths: readonly number[];
  readonly rateHz: number;
}

type Span = Pick<ArrangedClip, 'source' | 'startFrame' | 'endFrame' | 'offsetFrames' | 'gain' | 'warp'> & {
  readonly clip: Clip;
};

function arrangeClips({ clips }: Lane, context: ClipContext): ArrangedClip[] {
  const { sources, lengths, rateHz } = context;
  const framesOf = (ms: number) => Math.round((ms * rateHz) / 1000);
  const spans = clips.flatMap((clip): Span[] => {
    const source = sources.indexOf(clip.source);
    if (source < 0) return [];
    return [
      {
        source,
        startFrame: framesOf(clip.start_ms),
        endFrame: framesOf(endOf(clip)),
        offsetFrames: framesOf(clip.start_ms - clip.from_ms),
        gain: clip.volume / 100,
        warp: warpOfClip(clip, source, context),
        clip,
      },
    ];
  });
  const declick: ArrangedFade = { frames: Math.floor(FADE_SECONDS * rateHz), curve: 's_curve' };
  return spans.map((span, index): ArrangedClip => {
    const { clip, source, startFrame, endFrame, offsetFrames, gain, warp } = span;
    const before = spans[index - 1];
    const after = spans[index + 1];
    const joinsBefore = before !== undefined && continues(before, span);
    const isSourceStart = !warp && startFrame - offsetFrames <= 0;
    const isSourceEnd = !warp && endFrame - offsetFrames >= (lengths[source] ?? 0) - 1;
    const startFade = joinsBefore
      ? before.gain === gain
        ? noFade
        : declick
      : isSourceStart
        ? noFade
        : declick;
    const endFade = (after !== undefined && continues(span, after)) || isSourceEnd ? noFade : declick;
    return {
      source,
      startFrame,
      endFrame,
      offsetFrames,
      gain,
      warp,
      gainBefore: joinsBefore ? before.gain : 0,
      fadeIn: fadeOf(clip.fade_in, framesOf) ?? overlapFade(before, span) ?? startFade,
      fadeOut: fadeOf(clip.fade_out, framesOf) ?? overlapFade(span, after) ?? endFade,
    };
  });
}

function warpOfClip(
  clip: Clip,
  source: number,
  { warps, lengths, rateHz }: ClipContext,
): ArrangedWarp | null {
  const { semitones, is_reversed: isReversed } = clip;
  const sourceFrames = lengths[source] ?? 0;
  return arrangeWarp({ source, warp: warpOf({ warps }, clip), semitones, isReversed, sourceFrames }, rateHz);
}

function fadeOf(
  { length_ms, curve }: Clip['fade_in'],
  framesOf: (ms: number) => number,
): ArrangedFade | null {
  return length_ms > 0 ? { frames: framesOf(length_ms), curve } : null;
}

/** Returns whether `next` plays on where `clip` ends, without a fade of either. */
function continues(clip: Span, next: Span): boolean {
  return (
    clip.endFrame === next.startFrame &&
    clip.source === next.source &&
    clip.offsetFrames === next.offsetFrames &&
    clip.warp?.key === next.warp?.key &&
    clip.clip.fade_out.length_ms === 0 &&
    next.clip.fade_in.length_ms === 0
  );
}

/** Returns the fade of both clips over their overlap; null if they do not overlap. */
function overlapFade(clip: Span | undefined, next: Span | undefined): ArrangedFade | null {
  if (!clip || !next || clip.endFrame <= next.startFrame) return null;
  const isSame =
    clip.source === next.source &&
    clip.offsetFrames === next.offsetFrames &&
    clip.warp?.key === next.warp?.key;
  return { frames: clip.endFrame - next.startFrame, curve: isSame ? 'linear' : 'equal_power' };
}
