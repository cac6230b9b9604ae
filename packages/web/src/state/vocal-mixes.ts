import { exportMix, type MixPart } from '@stem-studio/contract/endpoints/exports';
import { type ExportFormat, exportFormats, exportFormatTable } from '@stem-studio/contract/export-formats';
import { addressOf } from '../client/call.ts';
import type { PlayerSettings } from './player-settings.state.ts';

/** Formats that the menus offer for mixes. */
export const mixFormats: readonly ExportFormat[] = exportFormats.filter(
  (format) => exportFormatTable[format].isOfferedForMixes,
);

/** Names of the mixes with and without singing. */
export const vocalMixNames: Readonly<Record<MixPart, string>> = {
  instrumental: 'Karaoke (no vocals)',
  a_cappella: 'A cappella (only vocals)',
};

/** A mix of a track to download. */
export interface MixFile {
  readonly part: MixPart;
  readonly format: ExportFormat;
  readonly settings: PlayerSettings;
}

/** Every vocal mix in every offered format, at a tempo and key. */
export function vocalMixFiles(settings: PlayerSettings): MixFile[] {
  return (Object.keys(vocalMixNames) as MixPart[]).flatMap((part) =>
    mixFormats.map((format) => ({ part, format, settings })),
  );
}

/** Returns the name of a mix for menus: `Karaoke (no vocals), WAV, tempo 90 %, key +2`. */
export function mixFileName({ part, format, settings }: MixFile): string {
  return mixText(vocalMixNames[part], format, settings);
}

/** Returns a mix with its format, and with tempo and key where they are changed, as text for menus. */
export function mixText(
  name: string,
  format: ExportFormat,
  { tempoPercent, keySemitones }: PlayerSettings,
): string {
  const changes = [
    ...(tempoPercent === 100 ? [] : [`tempo ${tempoPercent} %`]),
    ...(keySemitones === 0 ? [] : [`key ${keySemitones > 0 ? '+' : '−'}${Math.abs(keySemitones)}`]),
  ];
  return [name, format.toUpperCase(), ...changes].join(', ');
}

/** Returns the query of a mix at a tempo and key; both are omitted where they are as recorded. */
export function settingsQuery({ tempoPercent, keySemitones }: PlayerSettings): {
  tempo?: number;
  key?: number;
} {
  return {
    ...(tempoPercent !== 100 && { tempo: tempoPercent }),
    ...(keySemitones !== 0 && { key: keySemitones }),
  };
}

/**
 * Returns the address of a mix.
 *
 * @param jobId separation to use; undefined for the default one
 */
export function mixFileAddress(trackId: string, { part, format, settings }: MixFile, jobId?: string): string {
  return addressOf(
    exportMix,
    { track_id: trackId },
    { format, part, job_id: jobId, ...settingsQuery(settings) },
  );
}
