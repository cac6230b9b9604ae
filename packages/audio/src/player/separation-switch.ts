import type { StemType } from '@stem-studio/contract/resources/stem';
import type { StemTone } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import type { Scope } from '../base/scope.ts';
import { StemSet, type StemSetOptions, type StemSetSource } from './stem-set.ts';

/** Sets of stems that are kept loaded, so that switching between them is immediate. */
const KEPT_SETS = 3;
/** Memory for the samples of each set but the first. */
const MEMORY_BYTES = 256 * 1024 * 1024;

/** The parts of a stem player that a switch uses. */
export interface SwitchPlayer extends Pick<StemSetOptions, 'fetchRange' | 'post'> {
  readonly scope: Scope;
  /** Returns faders, pan and equaliser of stems. */
  stripsOf(types: readonly StemType[]): { gains: number[]; tones: StemTone[] };
  /** Returns the position and the active loop in sample frames. */
  position(): { frame: number; loop: { startFrame: number; endFrame: number } | null };
  isPlaying(): boolean;
  /** Another set plays or will play. `error` says why one could not be opened; empty if it could. */
  onChange(error: string): void;
  /** A chunk of the current set has arrived. */
  onProgress(): void;
  /** The current set could not be loaded further. */
  onFailure(error: unknown): void;
}

/**
 * Switches a stem player between separations of one song. A set is opened when it is first selected. The current one
 * plays until the stem mixer has enough of the other, which it then crossfades to at the same position.
 */
export class SeparationSwitch {
  /** The set that plays. */
  current: StemSet;
  /** Id of the set that will play, or null. */
  pendingId: string | null = null;
  readonly #player: SwitchPlayer;
  /** Opened sets by id, the least recently played first. */
  readonly #sets = new Map<string, StemSet>();
  readonly #opening = new Map<string, Promise<StemSet>>();
  readonly #releases = new Map<string, () => void>();
  readonly #songFrames: number;
  #nextGroup = 1;

  constructor(first: StemSet, player: SwitchPlayer) {
    this.current = first;
    this.#player = player;
    this.#songFrames = first.frames;
    this.#keep(first);
  }

  /** Selects a separation; selecting the current one again cancels a pending switch. */
  async select(source: StemSetSource): Promise<void> {
    const { id } = source;
    if (id === (this.pendingId ?? this.current.id)) return;
    if (id === this.current.id) {
      this.pendingId = null;
      this.postSelection();
      this.#player.onChange('');
      return;
    }
    this.pendingId = id;
    this.#player.onChange('');
    try {
      const set = this.#sets.get(id) ?? (await this.#openOnce(source));
      if (this.#player.scope.isDisposed || this.pendingId !== id) return;
      this.postSelection();
      // A mixer that is silent switches at once, and one whose output is suspended reports nothing.
      if (!this.#player.isPlaying()) this.#enter(set);
    } catch (error) {
      if (!this.#player.scope.isDisposed && this.pendingId === id) this.#abandon(error);
    }
  }

  /** Notes which group the mixer plays. Returns whether its levels are those of the current set. */
  follow(group: number): boolean {
    const pending = this.#sets.get(this.pendingId ?? '');
    if (pending && group === pending.group) this.#enter(pending);
    return group === this.current.group;
  }

  /** Sends the selected set and its faders to the mixer, if it is open. */
  postSelection(): void {
    const set = this.pendingId === null ? this.current : this.#sets.get(this.pendingId);
    if (!set) return;
    this.#player.post({ type: 'select', group: set.group, ...this.#player.stripsOf(set.types) });
  }

  /** Moves the loaders of all sets. */
  moveTo(frame: number, loop: { startFrame: number; endFrame: number } | null, isJump: boolean): void {
    for (const set of this.#sets.values()) set.loader.moveTo(frame, loop, isJump);
  }

  #openOnce(source: StemSetSource): Promise<StemSet> {
    const { id } = source;
    const known = this.#opening.get(id);
    if (known) return known;
    const opening = this.#open(source).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  async #open(source: StemSetSource): Promise<StemSet> {
    const { fetchRange, post, scope } = this.#player;
    const group = this.#nextGroup++;
    const set: StemSet = await StemSet.open(source, scope, {
      fetchRange,
      group,
      songFrames: this.#songFrames,
      memoryBytes: MEMORY_BYTES,
      post,
      onProgress: () => {
        if (set === this.current) this.#player.onProgress();
      },
      onFailure: (error) => this.#fail(set, error),
    });
    if (scope.isDisposed) return set;
    const { sampleRateHz } = this.current;
    if (set.sampleRateHz !== sampleRateHz)
      throw new RangeError(
        `its stems must have ${sampleRateHz} Hz as the others (got ${set.sampleRateHz} Hz)`,
      );
    post({ type: 'open', group, stems: set.shapes });
    this.#keep(set);
    const { frame, loop } = this.#player.position();
    set.loader.moveTo(frame, loop, true);
    set.loader.fill();
    return set;
  }

  #keep(set: StemSet): void {
    this.#sets.set(set.id, set);
    const release = this.#player.scope.own(() => set.loader.close());
    this.#releases.set(set.id, release);
  }

  #enter(set: StemSet): void {
    this.current = set;
    this.pendingId = null;
    this.#sets.delete(set.id);
    this.#sets.set(set.id, set);
    for (const [id, { group }] of this.#sets) {
      if (this.#sets.size <= KEPT_SETS) break;
      this.#discard(id, group);
    }
    this.#player.onChange('');
  }

  #fail(set: StemSet, error: unknown): void {
    if (set === this.current) {
      this.#player.onFailure(error);
      return;
    }
    this.#discard(set.id, set.group);
    if (set.id === this.pendingId) this.#abandon(error);
  }

  #abandon(error: unknown): void {
    this.pendingId = null;
    this.postSelection();
    this.#player.onChange(error instanceof Error ? error.message : String(error));
  }

  #discard(id: string, group: number): void {
    this.#releases.get(id)?.();
    this.#releases.delete(id);
    this.#sets.delete(id);
    this.#player.post({ type: 'discard', group });
  }
}
