import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { CrossfaderCurve, SyncUnit } from '@stem-studio/contract/resources/deck-session';
import type { EffectSetting } from '../effects/effect-kernel.ts';
import type { MicrophoneReport, MicrophoneSetting } from '../microphone/microphone-messages.ts';
import type { CaptureCommand, CaptureEvent, PadReport, SamplerCommand } from '../sampler/sampler-messages.ts';
import type { ChunkSamples } from '../sources/chunk.ts';

/** Channel strip of a deck: linear gains, equaliser bands as factors (0 is silence). */
export interface ChannelStripSetting {
  gain: number;
  low: number;
  mid: number;
  high: number;
  /** −1 … 1, 0 is off. */
  filter: number;
  volume: number;
  isCued: boolean;
}

/** Crossfader, master and headphones. */
export interface MasterSetting {
  /** −1 is deck A alone, 1 deck B alone. */
  crossfader: number;
  curve: CrossfaderCurve;
  volume: number;
  headphoneVolume: number;
  /** −1 is the cued decks alone, 1 the master alone. */
  headphoneMix: number;
}

/** A region of a song in sample frames, with fractions, because beats seldom fall on a whole frame. */
export interface FrameLoop {
  startFrame: number;
  endFrame: number;
}

/** Ways to stop a platter: `brake` slows it down from its speed, `spin_back` throws it backwards first. */
export type PlatterMotion = 'brake' | 'spin_back';

/** How and in which time a platter stops. */
export interface PlatterStop {
  motion: PlatterMotion;
  seconds: number;
}

/**
 * Commands to the DJ engine. `id` numbers the transport commands of a deck, so that a report can state the last one it
 * includes. `load` numbers the songs of a deck: chunks of earlier ones are ignored.
 */
export type DjEngineCommand =
  | {
      type: 'load';
      deck: DeckId;
      load: number;
      sampleRateHz: number;
      frames: number;
      /** Audio channels of each source: the song alone, or one source per stem. */
      sources: readonly { channels: number }[];
      /**
       * Other sources of the same song, as when its stems arrive: position, loop, grid and transport stay, and the
       * present sources play until the new ones can continue. Otherwise the deck is reset and paused, without a grid.
       */
      keepsPosition: boolean;
    }
  | { type: 'unload'; deck: DeckId }
  | { type: 'chunk'; deck: DeckId; load: number; source: number; index: number; samples: ChunkSamples }
  | { type: 'drop'; deck: DeckId; load: number; source: number; index: number }
  /** All beats of the song in seconds, ascending, and those that begin a bar; empty for none. */
  | { type: 'grid'; deck: DeckId; beats: Float64Array; downbeats: Float64Array }
  /** With `keepsPhase` a following deck starts on the leader's beat, at most half a beat from its position. */
  | { type: 'play'; deck: DeckId; keepsPhase: boolean; id: number }
  | { type: 'pause'; deck: DeckId; id: number }
  /** Moves to a position. With `keepsPhase` a playing deck moves to the nearest position in the same beat phase. */
  | { type: 'seek'; deck: DeckId; frame: number; keepsPhase: boolean; id: number }
  | { type: 'loop'; deck: DeckId; loop: FrameLoop | null; id: number }
  /** Loop of one source; without it the source is in sync with the others again. */
  | { type: 'source-loop'; deck: DeckId; source: number; loop: FrameLoop | null }
  /**
   * Advances a second position while the deck loops, jumps or is scratched; playback continues there when slip ends.
   */
  | { type: 'slip'; deck: DeckId; isOn: boolean; id: number }
  | { type: 'tempo'; deck: DeckId; rate: number; isKeyLocked: boolean; semitones: number }
  /** Holds the platter and turns it at `rate` (0 holds it still, negative is backwards); null releases it. */
  | { type: 'scratch'; deck: DeckId; rate: number | null }
  /** Stops the platter within some seconds, until a `scratch` releases it. */
  | ({ type: 'stop-platter'; deck: DeckId } & PlatterStop)
  /** Tempo factor around 1 while a jog wheel is nudged. */
  | { type: 'bend'; deck: DeckId; factor: number }
  /**
   * The deck whose tempo and beats the other follows; null for none. The follower keeps the `rate` of `tempo` while one
   * of them has no grid, and its last tempo while the leader is paused or scratched. With `keepsPhase` a playing
   * follower jumps onto the beat, or with the unit `bar` onto the same beat of the bar; otherwise its phase is corrected
   * gradually, onto the nearest beat.
   */
  | { type: 'sync'; leader: DeckId | null; keepsPhase: boolean; unit?: SyncUnit }
  | { type: 'source-gains'; deck: DeckId; gains: readonly number[] }
  | { type: 'strip'; deck: DeckId; strip: ChannelStripSetting }
  | { type: 'master'; master: MasterSetting }
  /** Slot of a deck's effects, 0 or 1. */
  | { type: 'effect'; deck: DeckId; slot: number; effect: EffectSetting }
  /** Effect on the master, synced to the beats that the metronome clicks. */
  | { type: 'master-effect'; effect: EffectSetting }
  | {
      type: 'metronome';
      isOn: boolean;
      volume: number;
      output: 'master' | 'headphones';
      leader: DeckId | null;
    }
  | { type: 'sampler'; command: SamplerCommand }
  | CaptureCommand
  | { type: 'microphone'; setting: MicrophoneSetting }
  /** Records the master output in chunks until it is turned off. */
  | { type: 'record'; isOn: boolean }
  /** Returns a recorded chunk to be filled again. */
  | { type: 'record-buffer'; samples: Float32Array<ArrayBuffer> };

/** Commands that concern one deck only. */
export type DeckCommand = Extract<
  DjEngineCommand,
  {
    type:
      | 'load'
      | 'unload'
      | 'chunk'
      | 'drop'
      | 'grid'
      | 'pause'
      | 'seek'
      | 'loop'
      | 'source-loop'
      | 'slip'
      | 'tempo'
      | 'scratch'
      | 'stop-platter'
      | 'bend'
      | 'source-gains';
  }
>;

/** Transport of a deck: `buffering` waits for samples. */
export type DeckTransport = 'empty' | 'paused' | 'playing' | 'buffering' | 'ended';

/** State of a deck in a report. */
export interface DeckReport {
  transport: DeckTransport;
  load: number;
  /** Position in sample frames that leaves the mixer at the report's time. */
  frame: number;
  /** Present seconds of the song per second of output; negative when scratched backwards. */
  rate: number;
  /** `id` of the last transport command that was carried out. */
  commandId: number;
  /** Position without loops, jumps and scratching, while slip is on; else null. */
  slipFrame: number | null;
  /** Distance to the leader's beat in own beats, −0.5 … 0.5, above 0 when ahead; null while the deck follows none. */
  phaseError: number | null;
  /** Peak sample after the fader since the last report, left and right. */
  peaks: readonly [number, number];
  /** The same of each source before the channel strip. */
  sourcePeaks: readonly number[];
}

/** State of the engine, sent some forty times a second. */
export interface DjEngineReport {
  type: 'report';
  /** Audio-clock time at which the reported positions leave the mixer, in seconds. */
  timeSeconds: number;
  decks: Readonly<Record<DeckId, DeckReport>>;
  masterPeaks: readonly [number, number];
  /** Lowest gain of the limiter since the last report; 1 when it was idle. */
  limiterGain: number;
  /** Pads of the sampler. */
  pads: readonly PadReport[];
  microphone: MicrophoneReport;
}

/** A chunk of the recorded master output, interleaved, left first. */
export interface DjEngineRecording {
  type: 'recording';
  samples: Float32Array<ArrayBuffer>;
  isLast: boolean;
}

/** Messages of the engine. */
export type DjEngineEvent = DjEngineReport | DjEngineRecording | CaptureEvent;
