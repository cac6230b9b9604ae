import type { CrossfaderCurve, DeckId } from '@stem-studio/contract/resources/deck-session';
import type { ChunkSamples } from '../sources/chunk.ts';

/** A deck's strip as the kernel takes it: linear gains, the equaliser's bands as factors (0 is silence). */
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

/** What both strips run into. */
export interface MasterSetting {
  /** −1 is deck A alone, 1 deck B alone. */
  crossfader: number;
  curve: CrossfaderCurve;
  volume: number;
  headphoneVolume: number;
  /** −1 hears the cued decks alone, 1 the master alone. */
  headphoneMix: number;
}

/** A stretch of a song in sample frames of it; parts of one count, since beats seldom fall on a whole one. */
export interface FrameLoop {
  startFrame: number;
  endFrame: number;
}

/**
 * What the page tells the booth. `id` counts the commands of a deck's transport, so that a report can say which of them
 * it knows of. `load` numbers the songs of a deck: a chunk of an earlier one is dropped.
 */
export type DjEngineCommand =
  | {
      type: 'load';
      deck: DeckId;
      load: number;
      sampleRateHz: number;
      frames: number;
      /** Audio channels of each source: the song alone, or one source a stem. */
      sources: readonly { channels: number }[];
      /**
       * The same song in other sources, as when its stems come: place, loop, grid and transport stay, and what sounds goes
       * on until the new sources have enough to go on from there. Else the deck begins anew, paused, without a grid.
       */
      keepsPosition: boolean;
    }
  | { type: 'unload'; deck: DeckId }
  | { type: 'chunk'; deck: DeckId; load: number; source: number; index: number; samples: ChunkSamples }
  | { type: 'drop'; deck: DeckId; load: number; source: number; index: number }
  /** Times of all beats of the song in seconds, ascending, and which of them begin a bar; empty for none. */
  | { type: 'grid'; deck: DeckId; beats: Float64Array; downbeats: Float64Array }
  /** `keepsPhase` starts a deck that follows on the leader's beat, by at most half a beat before or after its place. */
  | { type: 'play'; deck: DeckId; keepsPhase: boolean; id: number }
  | { type: 'pause'; deck: DeckId; id: number }
  /** Goes to a place, playing or not. A playing deck with `keepsPhase` goes to the place nearest to it in the same part of a beat. */
  | { type: 'seek'; deck: DeckId; frame: number; keepsPhase: boolean; id: number }
  | { type: 'loop'; deck: DeckId; loop: FrameLoop | null; id: number }
  /** The loop of one source alone; it comes back in step with the others when it is taken away. */
  | { type: 'source-loop'; deck: DeckId; source: number; loop: FrameLoop | null }
  /** Plays on unheard while the deck loops, is scratched or jumps about, and goes on from there when it ends. */
  | { type: 'slip'; deck: DeckId; isOn: boolean; id: number }
  | { type: 'tempo'; deck: DeckId; rate: number; isKeyLocked: boolean; semitones: number }
  /** Moves by hand: a platter clamped and turned at `rate` (0 holds still, negative is backwards); null lets go. */
  | { type: 'scratch'; deck: DeckId; rate: number | null }
  /** Faster or slower for as long as a jog wheel is nudged: a factor around 1. */
  | { type: 'bend'; deck: DeckId; factor: number }
  /**
   * The deck whose tempo and beats the other follows, each by its own grid; null for none. `rate` of `tempo` holds for
   * the follower while one of them has no grid; while the leader stands or is scratched, the follower keeps its pace.
   * `keepsPhase` brings a playing follower onto the beat by a jump; else it is correction there.
   */
  | { type: 'sync'; leader: DeckId | null; keepsPhase: boolean }
  | { type: 'source-gains'; deck: DeckId; gains: readonly number[] }
  | { type: 'strip'; deck: DeckId; strip: ChannelStripSetting }
  | { type: 'master'; master: MasterSetting }
  | {
      type: 'metronome';
      isOn: boolean;
      volume: number;
      output: 'master' | 'headphones';
      leader: DeckId | null;
    }
  /** Sends what leaves the limiter in pieces until told to stop. */
  | { type: 'record'; isOn: boolean }
  /** A piece of a recording that was taken note of comes back to be filled again. */
  | { type: 'record-buffer'; samples: Float32Array<ArrayBuffer> };

/** The commands that one deck carries out by itself. */
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
      | 'bend'
      | 'source-gains';
  }
>;

/** What a deck is doing: `buffering` wants to play and waits for samples. */
export type DeckTransport = 'empty' | 'paused' | 'playing' | 'buffering' | 'ended';

/** One deck in a report. */
export interface DeckReport {
  transport: DeckTransport;
  load: number;
  /** Place in sample frames of the song that leaves the mixer at the report's time. */
  frame: number;
  /** Seconds of the song that pass in a second of sound, now; negative when scratched backwards. */
  rate: number;
  /** `id` of the last command of the transport that was carried out. */
  commandId: number;
  /** Where the deck would be without its loops, jumps and hand, while it slips; else null. */
  slipFrame: number | null;
  /** Distance to the leader's beat in beats of the deck, −0.5 … 0.5, above 0 when ahead; null while it follows none. */
  phaseError: number | null;
  /** Highest absolute sample after the fader since the last report, left and right. */
  peaks: readonly [number, number];
  /** The same of each source before the strip. */
  sourcePeaks: readonly number[];
}

/** What the booth tells the page, some forty times a second. */
export interface DjEngineReport {
  type: 'report';
  /** Moment of the audio context at which the frames of the decks leave the mixer, in seconds. */
  timeSeconds: number;
  decks: Readonly<Record<DeckId, DeckReport>>;
  masterPeaks: readonly [number, number];
  /** Lowest gain of the limiter since the last report; 1 when it did nothing. */
  limiterGain: number;
}

/** A piece of a recording: what left the limiter, interleaved, left first. */
export interface DjEngineRecording {
  type: 'recording';
  samples: Float32Array<ArrayBuffer>;
  isLast: boolean;
}

/** What comes out of the booth beside sound. */
export type DjEngineEvent = DjEngineReport | DjEngineRecording;
