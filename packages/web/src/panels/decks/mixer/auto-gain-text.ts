import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import { signed } from '../labels.ts';

/** Name of a deck's auto-gain: its gain in dB, or why it has none; empty while it is off or the deck is empty. */
export function autoGainText(
  { track_id, loudness_lufs, auto_gain_db }: Pick<DeckState, 'track_id' | 'loudness_lufs' | 'auto_gain_db'>,
  isOn: boolean,
): { readonly short: string; readonly long: string } {
  if (track_id === null || !isOn) return { short: '', long: '' };
  if (loudness_lufs === null) return { short: 'n/m', long: 'Auto-gain: loudness not measured' };
  const db = signed(auto_gain_db, 1);
  return { short: db, long: `Auto-gain ${db} dB (track ${signed(loudness_lufs, 1)} LUFS)` };
}
