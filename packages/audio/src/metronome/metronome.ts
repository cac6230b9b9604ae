import { Scope } from '../base/scope.ts';
import type { PlayerState } from '../player/player-state.ts';
import { planClicks } from './click-plan.ts';

/** Output for clicks: the page's audio context in the browser. */
export interface ClickOutput {
  /** Audio-clock time that is rendered now, in seconds. */
  renderedSeconds(): number;
  /** Audio-clock time that is audible now, in seconds. */
  audibleSeconds(): number;
  /** Sets the level of all clicks, linear. */
  setGain(gain: number): void;
  /** Schedules a click; the returned function cancels it. */
  click(atSeconds: number, isDownbeat: boolean): () => void;
  dispose(): void;
}

/** Beats for the metronome. */
export interface MetronomeBeats {
  /** Seconds of the song, ascending. */
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
}

/** What the metronome reads of a player. */
export interface ClickedPlayer {
  readonly state: {
    getState(): Pick<PlayerState, 'transport' | 'loop' | 'isLooping' | 'tempoPercent'>;
  };
  /** Audible position in seconds of the song. */
  positionSeconds(): number;
}

/** Interval between two checks for clicks to schedule. */
const CHECK_MS = 25;
/** How far ahead clicks are scheduled on the audio clock, so that a busy page stays in time. */
const AHEAD_SECONDS = 0.35;
/** A scheduled click no further than this from its target stays. */
const SAME_SECONDS = 0.008;
/** Two clicks closer than this are one. */
const APART_SECONDS = 0.06;

/**
 * Clicks on the beats of a song while it plays, on the audio clock.
 *
 * `audible position → next beats → audio-clock times → clicks → output`
 */
export class Metronome {
  readonly #scope = new Scope();
  readonly #player: ClickedPlayer;
  readonly #output: ClickOutput;
  #beats: readonly number[] = [];
  #downbeats: ReadonlySet<number> = new Set();
  #scheduled: { at: number; cancel: () => void }[] = [];

  constructor(player: ClickedPlayer, output: ClickOutput) {
    this.#player = player;
    this.#output = output;
    this.#scope.own(() => output.dispose());
    this.#scope.own(() => this.#cancel(() => true));
    this.#scope.every(CHECK_MS, () => this.update());
  }

  /** Sets the beats. */
  follow({ beats, downbeats }: MetronomeBeats): void {
    this.#beats = beats;
    this.#downbeats = new Set(downbeats);
    this.update();
  }

  /** Sets the level of the clicks, linear. */
  setGain(gain: number): void {
    this.#output.setGain(gain);
  }

  /** Schedules the next clicks and cancels those that are no longer due. */
  update(): void {
    const { transport, loop, isLooping, tempoPercent } = this.#player.state.getState();
    const rate = tempoPercent / 100;
    const scheduled = this.#output.renderedSeconds();
    const audible = this.#output.audibleSeconds();
    const clicks =
      transport === 'playing'
        ? planClicks(
            this.#beats,
            this.#downbeats,
            this.#player.positionSeconds(),
            (scheduled - audible + AHEAD_SECONDS) * rate,
            isLooping ? loop : null,
          )
        : [];
    const planned = clicks.map(({ afterSeconds, isDownbeat }) => ({
      at: audible + afterSeconds / rate,
      isDownbeat,
    }));
    this.#scheduled = this.#scheduled.filter(({ at }) => at > scheduled - 1);
    this.#cancel(
      ({ at }) => at > scheduled && !planned.some((click) => Math.abs(click.at - at) <= SAME_SECONDS),
    );
    for (const { at, isDownbeat } of planned) {
      if (at < scheduled || this.#scheduled.some((other) => Math.abs(other.at - at) < APART_SECONDS))
        continue;
      this.#scheduled.push({ at, cancel: this.#output.click(at, isDownbeat) });
    }
  }

  /** Stops the metronome. */
  dispose(): void {
    this.#scope.dispose();
  }

  #cancel(isUnwanted: (click: { at: number }) => boolean): void {
    for (const click of this.#scheduled) if (isUnwanted(click)) click.cancel();
    this.#scheduled = this.#scheduled.filter((click) => !isUnwanted(click));
  }
}
