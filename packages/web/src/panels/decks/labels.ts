import { otherDeck } from '@stem-studio/contract/decks/deck-session-state';
import { canFollow } from '@stem-studio/contract/decks/settle-lead';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import { camelotOf, PITCH_CLASSES } from '@stem-studio/dsp/tonal/camelot';
import { bandFactor } from '@stem-studio/renderer/dj-engine/channel-strip-setting';

/** Formats a signed number with a minus sign: `+1.25`, `−3`, `0`. */
export function signed(value: number, decimals = 0): string {
  const text = Math.abs(value).toFixed(decimals);
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}

/** Formats the gain of an equaliser band: `−∞ dB` to `+6.0 dB`. */
export function bandText(knob: number): string {
  const factor = bandFactor(knob, false);
  return factor === 0 ? '−∞ dB' : `${signed(20 * Math.log10(factor), 1)} dB`;
}

/** Formats the filter: its type, and how far it is closed. */
export function filterText(knob: number): string {
  if (knob === 0) return 'off';
  return `${knob < 0 ? 'low-pass' : 'high-pass'} ${Math.round(Math.abs(knob) * 100)} %`;
}

/** Formats a ratio as percent. */
export function percentText(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

/** Formats the crossfader position: `40 % to A`, `middle`. */
export function crossfaderText(position: number): string {
  const percent = Math.round(Math.abs(position) * 100);
  if (percent === 0) return 'middle';
  return `${percent} % to ${position < 0 ? 'A' : 'B'}`;
}

/** Formats the headphone mix: cued decks, master, or the part of the master. */
export function headphoneMixText(mix: number): string {
  if (mix <= -1) return 'cue only';
  if (mix >= 1) return 'master only';
  return `${Math.round(((mix + 1) / 2) * 100)} % master`;
}

/** Returns the pitch shift of a track in semitones: by its key shift, and by its tempo unless the key is locked. */
export function soundingSemitones(keySemitones: number, tempoPercent: number, isKeyLocked: boolean): number {
  return keySemitones + (isKeyLocked ? 0 : 12 * Math.log2(1 + tempoPercent / 100));
}

/** Returns the nearest key after a pitch shift in semitones; empty for a track without a key. */
export function soundingKey(key: string, semitones: number): { key: string; camelot: string } {
  const [tonic = '', mode = ''] = key.split(' ');
  const at = (PITCH_CLASSES as readonly string[]).indexOf(tonic);
  if (at < 0) return { key: '', camelot: '' };
  const shifted = (((at + Math.round(semitones)) % 12) + 12) % 12;
  const name = `${PITCH_CLASSES[shifted]} ${mode}`;
  return { key: name, camelot: camelotOf(name) };
}

/** Label of the sync switch, with the reason if the deck has nothing to follow. */
export function syncText(session: DeckSessionState, deck: DeckId): string {
  const name = `Sync deck ${deck.toUpperCase()}`;
  const own = session.decks[deck];
  const other = session.decks[otherDeck(deck)];
  if (own.is_synced || canFollow(session, deck)) return name;
  const letter = otherDeck(deck).toUpperCase();
  if (other.track_id === null) return `${name}: no track on deck ${letter}`;
  if (own.track_id !== null && own.track_bpm === null) return `${name}: its track has no beats`;
  if (other.track_bpm === null) return `${name}: the track on deck ${letter} has no beats`;
  return `${name}: it is the tempo leader`;
}
