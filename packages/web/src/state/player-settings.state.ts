import { createStore } from 'zustand/vanilla';

/** Tempo and key of a stem player. */
export interface PlayerSettings {
  /** Tempo in percent of the recorded one. */
  readonly tempoPercent: number;
  /** Pitch shift in semitones. */
  readonly keySemitones: number;
}

/** Tempo and key as recorded. */
const asRecorded: PlayerSettings = { tempoPercent: 100, keySemitones: 0 };

/** Settings of the player of the open track, or null. */
export const playerSettings = createStore<{
  readonly trackId: string;
  readonly settings: PlayerSettings;
} | null>(() => null);

/** Sets tempo and key of the open track; null when its player is closed. */
export function setPlayerSettings(trackId: string, settings: PlayerSettings | null): void {
  const before = playerSettings.getState();
  const isSame =
    before?.trackId === trackId &&
    before.settings.tempoPercent === settings?.tempoPercent &&
    before.settings.keySemitones === settings.keySemitones;
  if (!isSame) playerSettings.setState(settings && { trackId, settings }, true);
}

/** Returns tempo and key as set on the page of a track; as recorded if it is not open. */
export function settingsOf(
  open: ReturnType<typeof playerSettings.getState>,
  trackId: string,
): PlayerSettings {
  return open?.trackId === trackId ? open.settings : asRecorded;
}
