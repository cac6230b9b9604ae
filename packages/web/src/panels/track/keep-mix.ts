import type { Scope } from '@stem-studio/audio/base/scope';
import type { EqBand, PlayerRow, PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type KeptMix, type KeptRow, keptOf, readMix, writeMix } from '../../state/kept-mixes.ts';
import { readLevels, writeLevels } from '../../state/listening-levels.ts';

/** Pause after a change before it is stored, in ms: a moving fader changes with every frame. */
const WRITE_DELAY_MS = 400;

/**
 * Restores how the player of a track was left, and stores its changes in this browser: tempo, key and the rows of the
 * track, and the master fader, the metronome's volume and the count-in of the listener.
 */
export function keepMix(scope: Scope, player: SongPlayer, trackId: string): void {
  const before = readMix(trackId);
  restoreLevels(player);
  if (before) {
    player.setTempo(before.tempoPercent);
    player.setKey(before.keySemitones);
  }
  const restored = new Set<PlayerRow['type']>();
  const restoreRows = () => {
    for (const [index, { type }] of player.state.getState().rows.entries()) {
      if (restored.has(type)) continue;
      restored.add(type);
      const kept = before?.rows.find((row) => row.type === type);
      if (kept) setRow(player, index, kept);
    }
  };
  restoreRows();

  let kept: KeptMix | null = before;
  let state = player.state.getState();
  let cancel: (() => void) | null = null;
  const write = () => {
    cancel?.();
    cancel = null;
    writeMix(trackId, kept);
    const { masterVolume, metronome, countInBars } = state;
    writeLevels({ masterVolume, metronomeGain: metronome.gain, countInBars });
  };
  scope.own(
    player.state.subscribe((next) => {
      // Another separation may have rows that were not shown yet.
      if (next.rows !== state.rows) restoreRows();
      const current = player.state.getState();
      if (!differ(current, state)) return;
      state = current;
      kept = keptOf(kept, current);
      cancel?.();
      cancel = scope.after(WRITE_DELAY_MS, write);
    }),
  );
  const writeNow = () => {
    if (cancel) write();
  };
  scope.listen(globalThis, 'pagehide', writeNow);
  scope.own(writeNow);
}

/** Whether two states differ in what is kept. */
function differ(one: PlayerState, other: PlayerState): boolean {
  return (
    one.rows !== other.rows ||
    one.tempoPercent !== other.tempoPercent ||
    one.keySemitones !== other.keySemitones ||
    one.masterVolume !== other.masterVolume ||
    one.metronome.gain !== other.metronome.gain ||
    one.countInBars !== other.countInBars
  );
}

function restoreLevels(player: SongPlayer): void {
  const levels = readLevels();
  if (!levels) return;
  player.setMasterVolume(levels.masterVolume);
  player.setMetronome({ isOn: false, gain: levels.metronomeGain });
  player.setCountIn(levels.countInBars);
}

const bands: readonly EqBand[] = ['low', 'mid', 'high'];

/** Sets volume, pan, equaliser and mute of a row where they differ. */
export function setRow(player: SongPlayer, index: number, wanted: KeptRow): void {
  const row = player.state.getState().rows[index];
  if (!row) return;
  if (row.volume !== wanted.volume) player.setVolume(index, wanted.volume);
  if (row.pan !== wanted.pan) player.setPan(index, wanted.pan);
  for (const band of bands) if (row.eq[band] !== wanted.eq[band]) player.setEq(index, band, wanted.eq[band]);
  if (row.isMuted !== wanted.isMuted) player.toggleMute(index);
}
