import { beatLengths, type ControlId } from '@stem-studio/contract/controls';
import { crossfaderCurves, type DeckId } from '@stem-studio/contract/resources/deck-session';
import type { Desk } from './control-target.ts';
import { stemLoopLength } from './stem-loop-length.ts';

/**
 * Where a control stands: what is turned in its own unit, a switch as 1 or 0; what is only pressed stands at 0.
 */
export function controlValue(desk: Pick<Desk, 'decks' | 'state'>, id: ControlId): number {
  const { decks, state } = desk;
  const [room, name, control = '', part, last] = id.split('.');
  const session = decks.session.getState();
  if (room === 'mixer') return mixerValue(session.mixer, name ?? '');
  const deck = session.decks[name as DeckId];
  const { strip } = deck;
  if (control === 'stem') {
    const stem = deck.stems.find((one) => one.stem_type === part);
    if (!stem) return 0;
    if (last === 'volume') return stem.volume;
    if (last === 'mute') return Number(stem.is_muted);
    if (last === 'solo') return Number(stem.is_soloed);
    if (last === 'loop_length') return lengthPlace(stemLoopLength(desk, name as DeckId, stem.stem_type));
    return Number((last === 'loop' || last === 'loop_toggle') && stem.loop?.active === true);
  }
  const { loopBeats, jumpBeats } = state.getState().lengths[name as DeckId];
  const values: Readonly<Record<string, number | boolean>> = {
    ...strip,
    gain: strip.gain_db,
    headphones: strip.is_cued,
    tempo: deck.tempo_percent,
    key: deck.key_semitones,
    play: deck.is_playing,
    sync: deck.is_synced,
    key_lock: deck.is_key_locked,
    quantize: deck.is_quantized,
    slip: deck.is_slipping,
    loop_toggle: deck.loop?.active === true,
    loop_length: lengthPlace(loopBeats),
    jump_length: lengthPlace(jumpBeats),
  };
  return Number(values[control] ?? 0);
}

function lengthPlace(beats: number): number {
  return beatLengths.findIndex((length) => length === beats);
}

function mixerValue(mixer: ReturnType<Desk['decks']['session']['getState']>['mixer'], name: string): number {
  const values: Readonly<Record<string, number | boolean>> = {
    crossfader: mixer.crossfader,
    crossfader_curve: crossfaderCurves.indexOf(mixer.crossfader_curve),
    master_volume: mixer.master_volume,
    headphone_volume: mixer.headphone_volume,
    headphone_mix: mixer.headphone_mix,
    metronome_volume: mixer.metronome_volume,
    master_sync: mixer.is_master_synced,
    metronome: mixer.is_metronome_on,
    deck_a: mixer.active_deck === 'a',
    deck_b: mixer.active_deck === 'b',
  };
  return Number(values[name] ?? 0);
}
