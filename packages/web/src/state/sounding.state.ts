import { createStore } from 'zustand/vanilla';

/** Part of the page that can play: the preview of the library, the player of a track page, or the decks. */
export type SoundSource = 'preview' | 'track-page' | 'decks';

/** Something that plays. */
export interface Sounding {
  readonly by: SoundSource;
  readonly title: string;
}

/** A player of one song that wants to play, or plays. */
export interface PlayerSound {
  readonly title: string;
  /**
   * Starts playing, on an output other than the master if `outputId` is the id of one. Called only after a question;
   * {@link takeSound} lets its caller start by itself.
   */
  readonly start: (outputId: string | null) => void;
  readonly pause: () => void;
  /** Whether the player can use another output than the master. */
  readonly canUseHeadphones?: boolean;
}

/** Decks that play, and how to pause them. */
export interface DecksSound {
  readonly title: string;
  readonly pause: () => void;
  /** Id of the headphone output of the decks, or null. */
  readonly headphones: string | null;
}

/** A player that waits for the user's answer, because decks play. */
export interface PendingSound {
  readonly by: Exclude<SoundSource, 'decks'>;
  readonly sound: PlayerSound;
}

/** All that plays on this page. A player and decks play together only if the player uses the headphones. */
export interface Sounds {
  readonly player: (PendingSound & { readonly isOnHeadphones: boolean }) | null;
  readonly decks: DecksSound | null;
  readonly pending: PendingSound | null;
}

/** What plays on this page. */
export const sounds = createStore<Sounds>(() => ({ player: null, decks: null, pending: null }));

/** Returns what plays on the master output; null for nothing. */
export function soundingNow({ player, decks }: Sounds): Sounding | null {
  if (decks) return { by: 'decks', title: decks.title };
  return player && { by: player.by, title: player.sound.title };
}

/**
 * Reserves the output for a player before it plays, and pauses the other player. While decks play it returns false: the
 * player must not start, the user is asked, and {@link PlayerSound.start} is called after an answer that allows it.
 */
export function takeSound(by: PendingSound['by'], sound: PlayerSound): boolean {
  const { player, decks } = sounds.getState();
  if (player?.by === by && player.isOnHeadphones) {
    sounds.setState({ player: { by, sound, isOnHeadphones: true } });
    return true;
  }
  if (decks) {
    sounds.setState({ pending: { by, sound } });
    return false;
  }
  give(by, sound, false);
  return true;
}

/** Ends the sound of a player that was paused or closed, and its question. */
export function releaseSound(by: PendingSound['by']): void {
  const { player, pending } = sounds.getState();
  if (player?.by === by) sounds.setState({ player: null });
  if (pending?.by === by) sounds.setState({ pending: null });
}

/** Answers the question of {@link takeSound}. */
export function answerSound(answer: 'pause-decks' | 'headphones' | 'cancel'): void {
  const { pending, decks } = sounds.getState();
  sounds.setState({ pending: null });
  if (!pending || answer === 'cancel') return;
  const headphones = answer === 'headphones' ? (decks?.headphones ?? null) : null;
  if (headphones === null) decks?.pause();
  give(pending.by, pending.sound, headphones !== null);
  pending.sound.start(headphones);
}

/** Sets what the decks play, null for nothing. Decks that start pause a player on the master output. */
export function setDecksSound(decks: DecksSound | null): void {
  const before = sounds.getState();
  sounds.setState({ decks });
  const { player } = before;
  if (!decks || before.decks || !player || player.isOnHeadphones) return;
  sounds.setState({ player: null });
  player.sound.pause();
}

function give(by: PendingSound['by'], sound: PlayerSound, isOnHeadphones: boolean): void {
  const { player } = sounds.getState();
  sounds.setState({ player: { by, sound, isOnHeadphones }, pending: null });
  if (player && player.by !== by) player.sound.pause();
}
