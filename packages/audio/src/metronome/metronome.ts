import { Scope } from '../base/scope.ts';
import type { SongPlayer } from '../player/song-player.ts';
import { planClicks } from './click-plan.ts';

/** What makes the clicks: in the browser the page's audio context. */
export interface ClickOutput {
  /** The moment that is being scheduled now, in seconds of the audio clock. */
  renderedSeconds(): number;
  /** The moment that is heard now, which was scheduled a little earlier. */
  audibleSeconds(): number;
  /** Makes a click that is to be scheduled at a moment; the returned function takes it back. */
  click(atSeconds: number, isDownbeat: boolean): () => void;
  dispose(): void;
}

/** The beats that are clicked. */
export interface MetronomeBeats {
  /** Seconds of the song, ascending. */
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
}

/** How often it is looked what comes. */
const CHECK_MS = 25;
/** How far ahead clicks are handed to the audio clock: a page that is busy for a while stays in time. */
const AHEAD_SECONDS = 0.35;
/** A click nearer to its place than this is let be. */
const SAME_SECONDS = 0.008;
/** Two clicks nearer than this are one: what was heard a moment ago is not heard again. */
const APART_SECONDS = 0.06;

/**
 * Clicks on the beats of a song while it plays, on the clock of its sound.
 *
 * `place that is heard → beats to come → moments of the audio clock → clicks → output`
 */
export class Metronome {
  readonly #scope = new Scope();
  readonly #player: SongPlayer;
  readonly #output: ClickOutput;
  #beats: readonly number[] = [];
  #downbeats: ReadonlySet<number> = new Set();
  #scheduled: { at: number; cancel: () => void }[] = [];

  constructor(player: SongPlayer, output: ClickOutput) {
    this.#player = player;
    this.#output = output;
    this.#scope.own(() => output.dispose());
    this.#scope.own(() => this.#cancel(() => true));
    this.#scope.every(CHECK_MS, () => this.look());
  }

  /** Clicks on other beats from now on. */
  follow({ beats, downbeats }: MetronomeBeats): void {
    this.#beats = beats;
    this.#downbeats = new Set(downbeats);
    this.look();
  }

  /** Makes the clicks that come soon, and takes back those that do not come any more. */
  look(): void {
    const { transport, loop, isLooping, tempoPercent } = this.#player.state.getState();
    const rate = tempoPercent / 100;
    const scheduled = this.#output.renderedSeconds();
    const heard = this.#output.audibleSeconds();
    const clicks =
      transport === 'playing'
        ? planClicks(
            this.#beats,
            this.#downbeats,
            this.#player.positionSeconds(),
            (scheduled - heard + AHEAD_SECONDS) * rate,
            isLooping ? loop : null,
          )
        : [];
    const wanted = clicks.map(({ afterSeconds, isDownbeat }) => ({
      at: heard + afterSeconds / rate,
      isDownbeat,
    }));
    this.#scheduled = this.#scheduled.filter(({ at }) => at > scheduled - 1);
    this.#cancel(
      ({ at }) => at > scheduled && !wanted.some((click) => Math.abs(click.at - at) <= SAME_SECONDS),
    );
    for (const { at, isDownbeat } of wanted) {
      if (at < scheduled || this.#scheduled.some((other) => Math.abs(other.at - at) < APART_SECONDS))
        continue;
      this.#scheduled.push({ at, cancel: this.#output.click(at, isDownbeat) });
    }
  }

  /** Ends it: nothing clicks any more. */
  dispose(): void {
    this.#scope.dispose();
  }

  #cancel(isUnwanted: (click: { at: number }) => boolean): void {
    for (const click of this.#scheduled) if (isUnwanted(click)) click.cancel();
    this.#scheduled = this.#scheduled.filter((click) => !isUnwanted(click));
  }
}
