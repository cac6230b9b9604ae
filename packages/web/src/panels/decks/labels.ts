import { bandFactor } from '@stem-studio/audio/deck/strip-setting';
import { otherDeck } from '@stem-studio/contract/decks/deck-session-state';
import { canFollow } from '@stem-studio/contract/decks/settle-lead';
import type { DeckId, DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import { camelotOf, PITCH_CLASSES } from '@stem-studio/dsp/tonal/camelot';

/** A signed number with a true minus: `+1.25`, `−3`, `0`. */
export function signed(value: number, decimals = 0): string {
  const text = Math.abs(value).toFixed(decimals);
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}

/** What an equaliser's knob does: `−∞ dB` to `+6.0 dB`. */
export function bandText(knob: number): string {
  const factor = bandFactor(knob, false);
  return factor === 0 ? '−∞ dB' : `${signed(20 * Math.log10(factor), 1)} dB`;
}

/** What the one-knob filter does: which it is, and how far it is closed. */
export function filterText(knob: number): string {
  if (knob === 0) return 'off';
  return `${knob < 0 ? 'low-pass' : 'high-pass'} ${Math.round(Math.abs(knob) * 100)} %`;
}

/** A share as percent. */
export function percentText(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Where the crossfader stands: `A 40 %` leans to deck A, `middle` to none. */
export function crossfaderText(position: number): string {
  const percent = Math.round(Math.abs(position) * 100);
  if (percent === 0) return 'middle';
  return `${percent} % to ${position < 0 ? 'A' : 'B'}`;
}

/** What the headphones hear: the cued decks, the master, or how much of each. */
export function headphoneMixText(mix: number): string {
  if (mix <= -1) return 'cued decks alone';
  if (mix >= 1) return 'master alone';
  return `${Math.round(((mix + 1) / 2) * 100)} % master`;
}

/** How many semitones higher a song sounds: by its key, and by its tempo where the key is not locked. */
export function soundingSemitones(keySemitones: number, tempoPercent: number, isKeyLocked: boolean): number {
  return keySemitones + (isKeyLocked ? 0 : 12 * Math.log2(1 + tempoPercent / 100));
}

/** The key that a song sounds in so many semitones higher, to the nearest key; empty where it has none. */
export function soundingKey(key: string, semitones: number): { key: string; camelot: string } {
  const [tonic = '', mode = ''] = key.split(' ');
  const at = (PITCH_CLASSES as readonly string[]).indexOf(tonic);
  if (at < 0) return { key: '', camelot: '' };
  const shifted = (((at + Math.round(semitones)) % 12) + 12) % 12;
  const name = `${PITCH_CLASSES[shifted]} ${mode}`;
  return { key: name, camelot: camelotOf(name) };
}

/** What the switch for sync does, and why it cannot where the deck has nothing to follow. */
export function syncText(session: DeckSessionState, deck: DeckId): string {
  const name = `Sync deck ${deck.toUpperCase()}`;
  const own = session.decks[deck];
  const other = session.decks[otherDeck(deck)];
  if (own.is_synced || canFollow(session, deck)) return name;
  const letter = otherDeck(deck).toUpperCase();
  if (other.track_id === null) return `${name}: nothing to follow on deck ${letter}`;
  if (own.track_id !== null && own.track_bpm === null) return `${name}: its song has no beats`;
  if (other.track_bpm === null) return `${name}: the song on deck ${letter} has no beats`;
  return `${name}: it plays alone and leads`;
}
