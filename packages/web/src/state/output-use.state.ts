import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { createStore } from 'zustand/vanilla';

/** Part of the page that can play: the preview of the library, the player of a track page, a recording, the editor, the decks. */
export type OutputUser = 'preview' | 'track-page' | 'recording' | 'editor' | 'decks';

/** Something that plays. */
export interface NowPlaying {
  readonly by: OutputUser;
  readonly title: string;
}

/** A player of one song that wants to play, or plays. */
export interface PlayerOutput {
  readonly title: string;
  /**
   * Starts playing, on an output other than the master if `outputId` is the id of one. Called only after a question;
   * {@link takeOutput} lets its caller start by itself.
   */
  readonly start: (outputId: string | null) => void;
  readonly pause: () => void;
  /** Whether the player can use another output than the master. */
  readonly canUseHeadphones?: boolean;
}

/** A deck that plays. */
export interface PlayingDeck {
  readonly deck: DeckId;
  readonly title: string;
  readonly pause: () => void;
}

/** Decks that play, and how to pause them. */
export interface DecksOutput {
  readonly title: string;
  readonly pause: () => void;
  /** The same deck by deck. */
  readonly playing?: readonly PlayingDeck[];
  /** Id of the headphone output of the decks, or null. */
  readonly headphones: string | null;
}

/** A player that waits for the user's answer, because decks play. */
export interface PendingOutput {
  readonly by: Exclude<OutputUser, 'decks'>;
  readonly output: PlayerOutput;
}

/** All that plays on this page. A player and decks play together only if the player uses the headphones. */
export interface OutputUse {
  readonly player: (PendingOutput & { readonly isOnHeadphones: boolean }) | null;
  readonly decks: DecksOutput | null;
  readonly pending: PendingOutput | null;
}

/** What plays on this page. */
export const outputUse = createStore<OutputUse>(() => ({ player: null, decks: null, pending: null }));

/** Returns what plays on the master output; null for nothing. */
export function nowPlaying({ player, decks }: OutputUse): NowPlaying | null {
  if (decks) return { by: 'decks', title: decks.title };
  return player && { by: player.by, title: player.output.title };
}

/**
 * Reserves the output for a player before it plays, and pauses the other player. While decks play it returns false: the
 * player must not start, the user is asked, and {@link PlayerOutput.start} is called after an answer that allows it.
 */
export function takeOutput(by: PendingOutput['by'], output: PlayerOutput): boolean {
  const { player, decks } = outputUse.getState();
  if (player?.by === by && player.isOnHeadphones) {
    outputUse.setState({ player: { by, output, isOnHeadphones: true } });
    return true;
  }
  if (decks) {
    outputUse.setState({ pending: { by, output } });
    return false;
  }
  give(by, output, false);
  return true;
}

/** Ends the output of a player that was paused or closed, and its question. */
export function releaseOutput(by: PendingOutput['by']): void {
  const { player, pending } = outputUse.getState();
  if (player?.by === by) outputUse.setState({ player: null });
  if (pending?.by === by) outputUse.setState({ pending: null });
}

/** Answers the question of {@link takeOutput}. */
export function answerOutputQuestion(answer: 'pause-decks' | 'headphones' | 'cancel'): void {
  const { pending, decks } = outputUse.getState();
  outputUse.setState({ pending: null });
  if (!pending || answer === 'cancel') return;
  const headphones = answer === 'headphones' ? (decks?.headphones ?? null) : null;
  if (headphones === null) decks?.pause();
  give(pending.by, pending.output, headphones !== null);
  pending.output.start(headphones);
}

/** Sets what the decks play, null for nothing. Decks that start pause a player on the master output. */
export function setDecksOutput(decks: DecksOutput | null): void {
  const before = outputUse.getState();
  outputUse.setState({ decks });
  const { player } = before;
  if (!decks || before.decks || !player || player.isOnHeadphones) return;
  outputUse.setState({ player: null });
  player.output.pause();
}

function give(by: PendingOutput['by'], output: PlayerOutput, isOnHeadphones: boolean): void {
  const { player } = outputUse.getState();
  outputUse.setState({ player: { by, output, isOnHeadphones }, pending: null });
  if (player && player.by !== by) player.output.pause();
}
