import type { TransportState } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { Scope } from '../base/scope.ts';
import { planEvents } from '../clock/event-plan.ts';
import type { LoopRegion } from '../clock/playback-clock.ts';
import type { PlayableNote } from './playable-note.ts';

/** Output for notes: a synthesiser in the page's audio context in the browser. */
export interface NoteOutput {
  /** Audio-clock time that is rendered now, in seconds. */
  renderedSeconds(): number;
  /** Audio-clock time that is audible now, in seconds. */
  audibleSeconds(): number;
  /** Schedules a note; the returned function ends it. */
  play(
    note: Pick<PlayableNote, 'pitch' | 'velocity'>,
    atSeconds: number,
    durationSeconds: number,
  ): () => void;
  dispose(): void;
}

/** Playback that notes accompany: a player of a song, or of a project of the editor. */
export interface NoteTransport {
  readonly state: {
    getState(): {
      readonly transport: TransportState;
      readonly loop: LoopRegion | null;
      readonly isLooping: boolean;
      readonly tempoPercent: number;
    };
  };
  /** Audible position, in seconds. */
  positionSeconds(): number;
}

/** Interval between two checks for notes to schedule. */
const CHECK_MS = 25;
/** How far ahead notes are scheduled on the audio clock, so that a busy page stays in time. */
const AHEAD_SECONDS = 0.35;
/** A scheduled note no further than this from its target stays. */
const SAME_SECONDS = 0.02;
/** A position further than this from the expected one is a jump. */
const JUMP_SECONDS = 0.15;

interface ScheduledNote {
  readonly index: number;
  readonly at: number;
  readonly end: number;
  readonly cancel: () => void;
}

/**
 * Plays notes together with a song or a project, on the audio clock.
 *
 * `audible position → next notes → audio-clock times → synthesiser → output`
 */
export class NotePlayer {
  readonly #scope = new Scope();
  readonly #player: NoteTransport;
  readonly #output: NoteOutput;
  readonly #notes: readonly PlayableNote[];
  readonly #starts: readonly number[];
  #scheduled: ScheduledNote[] = [];
  #last: { readonly position: number; readonly audible: number } | null = null;

  /** @param notes in any order */
  constructor(player: NoteTransport, output: NoteOutput, notes: readonly PlayableNote[]) {
    this.#player = player;
    this.#output = output;
    this.#notes = notes.toSorted((a, b) => a.startSeconds - b.startSeconds);
    this.#starts = this.#notes.map(({ startSeconds }) => startSeconds);
    this.#scope.own(() => output.dispose());
    this.#scope.own(() => this.#cancel(() => true));
    this.#scope.every(CHECK_MS, () => this.update());
  }

  /** Schedules the next notes, and ends those that are no longer due. */
  update(): void {
    const { transport, loop, isLooping, tempoPercent } = this.#player.state.getState();
    const rate = tempoPercent / 100;
    const rendered = this.#output.renderedSeconds();
    const audible = this.#output.audibleSeconds();
    const position = this.#player.positionSeconds();
    const isPlaying = transport === 'playing';
    let expected = this.#last ? this.#last.position + (audible - this.#last.audible) * rate : position;
    const isRoundLoop = isLooping && loop && (this.#last?.position ?? 0) < loop.endSeconds;
    if (isRoundLoop && expected >= loop.endSeconds) expected -= loop.endSeconds - loop.startSeconds;
    if (!isPlaying || Math.abs(position - expected) > JUMP_SECONDS) this.#cancel(() => true);
    this.#last = isPlaying ? { position, audible } : null;
    if (!isPlaying) return;
    const planned = planEvents(
      this.#starts,
      position,
      (rendered - audible + AHEAD_SECONDS) * rate,
      isLooping ? loop : null,
    ).map(({ index, afterSeconds }) => ({ index, at: audible + afterSeconds / rate }));
    const isSame = (one: { index: number; at: number }, other: { index: number; at: number }) =>
      one.index === other.index && Math.abs(one.at - other.at) <= SAME_SECONDS;
    this.#scheduled = this.#scheduled.filter(({ end }) => end > audible);
    this.#cancel((note) => note.at > rendered && !planned.some((next) => isSame(next, note)));
    for (const next of planned) {
      const note = this.#notes[next.index];
      if (!note || next.at < rendered || this.#scheduled.some((other) => isSame(other, next))) continue;
      const duration = (note.endSeconds - note.startSeconds) / rate;
      const cancel = this.#output.play(note, next.at, duration);
      this.#scheduled.push({ ...next, end: next.at + duration, cancel });
    }
  }

  /** Ends all notes and stops following the song. */
  dispose(): void {
    this.#scope.dispose();
  }

  #cancel(isUnwanted: (note: ScheduledNote) => boolean): void {
    const kept: ScheduledNote[] = [];
    for (const note of this.#scheduled) {
      if (isUnwanted(note)) note.cancel();
      else kept.push(note);
    }
    this.#scheduled = kept;
  }
}
