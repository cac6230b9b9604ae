import { Scope } from '../base/scope.ts';
import type { SongPlayer } from '../player/song-player.ts';
import { planClicks } from './click-plan.ts';

/** What makes the clicks: in the browser the page's audio context. */
export interface ClickOutput {
  /** The moment that is being made now, in seconds of the audio clock. */
  madeSeconds(): number;
  /** The moment that is heard now, which was made a little earlier. */
  heardSeconds(): number;
  /** Makes a click that is to be made at a moment; the returned function takes it back. */
  click(atSeconds: number, isOne: boolean): () => void;
  dispose(): void;
}

/** The beats that are clicked. */
export interface ClickedBeats {
  /** Seconds of the song, ascending. */
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
}

/** How often it is looked what comes. */
const LOOK_MS = 25;
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
  #ones: ReadonlySet<number> = new Set();
  #made: { at: number; takeBack: () => void }[] = [];

  constructor(player: SongPlayer, output: ClickOutput) {
    this.#player = player;
    this.#output = output;
    this.#scope.own(() => output.dispose());
    this.#scope.own(() => this.#takeBack(() => true));
    this.#scope.every(LOOK_MS, () => this.look());
  }

  /** Clicks on other beats from now on. */
  follow({ beats, downbeats }: ClickedBeats): void {
    this.#beats = beats;
    this.#ones = new Set(downbeats);
    this.look();
  }

  /** Makes the clicks that come soon, and takes back those that do not come any more. */
  look(): void {
    const { transport, loop, isLooping, tempoPercent } = this.#player.state.getState();
    const rate = tempoPercent / 100;
    const made = this.#output.madeSeconds();
    const heard = this.#output.heardSeconds();
    const clicks =
      transport === 'playing'
        ? planClicks(
            this.#beats,
            this.#ones,
            this.#player.positionSeconds(),
            (made - heard + AHEAD_SECONDS) * rate,
            isLooping ? loop : null,
          )
        : [];
    const wanted = clicks.map(({ afterSeconds, isOne }) => ({ at: heard + afterSeconds / rate, isOne }));
    this.#made = this.#made.filter(({ at }) => at > made - 1);
    this.#takeBack(({ at }) => at > made && !wanted.some((click) => Math.abs(click.at - at) <= SAME_SECONDS));
    for (const { at, isOne } of wanted) {
      if (at < made || this.#made.some((other) => Math.abs(other.at - at) < APART_SECONDS)) continue;
      this.#made.push({ at, takeBack: this.#output.click(at, isOne) });
    }
  }

  /** Ends it: nothing clicks any more. */
  dispose(): void {
    this.#scope.dispose();
  }

  #takeBack(isUnwanted: (click: { at: number }) => boolean): void {
    for (const click of this.#made) if (isUnwanted(click)) click.takeBack();
    this.#made = this.#made.filter((click) => !isUnwanted(click));
  }
}
