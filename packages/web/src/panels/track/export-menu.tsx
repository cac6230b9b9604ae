import {
  exportAnalysis,
  exportMidi,
  exportMix,
  exportStem,
  exportStemFile,
  exportStems,
} from '@stem-studio/contract/endpoints/exports';
import { exportFormats } from '@stem-studio/contract/export-formats';
import type { Transcription } from '@stem-studio/contract/resources/notes';
import type { Stem, StemType } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import { useQueryClient } from '@tanstack/react-query';
import { addressOf } from '../../client/call.ts';
import { requestMix } from '../../state/mix-requests.state.ts';
import { type PlayerSettings, playerSettings, settingsOf } from '../../state/player-settings.state.ts';
import {
  mixFileAddress,
  mixFileName,
  mixFormats,
  mixText,
  settingsQuery,
  vocalMixFiles,
} from '../../state/vocal-mixes.ts';
import { type DownloadChoice, DownloadMenu } from '../../ui/download-menu.tsx';
import { useStore } from '../../ui/use-store.ts';
import type { Comparison } from './comparison.ts';

/**
 * Downloads of a track: all stems, mixes with some of them, and the analysis. They are those of the selected separation,
 * at the tempo and key of the player. A track that is not separated yet is separated first. Nothing without audio.
 */
export function TrackExports({
  track,
  stems,
  comparison,
  hasAnalysis,
}: {
  track: Track;
  stems: readonly Stem[];
  comparison: Comparison;
  hasAnalysis: boolean;
}) {
  const client = useQueryClient();
  const settings = useStore(playerSettings, (open) => settingsOf(open, track.id));
  if (!track.audio) return null;
  const { id: track_id } = track;
  const analysis = { label: 'Analysis (JSON)', address: addressOf(exportAnalysis, { track_id }) };
  const analyses = hasAnalysis ? [analysis] : [];
  const menuLabel = 'Download stems or analysis';
  if (stems.length === 0) {
    const requests = vocalMixFiles(settings).map((file) => ({
      label: mixFileName(file),
      does: () => void requestMix(client, track, file),
    }));
    return <DownloadMenu label={menuLabel} groups={[requests, analyses]} />;
  }
  const { selected } = comparison;
  const job_id = selected?.job_id === track.stems_job_id ? undefined : selected?.job_id;
  const zips = exportFormats.map((format) => ({
    label: `Download all stems (ZIP, ${format.toUpperCase()})`,
    address: addressOf(exportStems, { track_id }, { format, job_id }),
  }));
  const stemFile = {
    label: 'STEM file for DJ programs (.stem.mp4)',
    address: addressOf(exportStemFile, { track_id }, { job_id }),
  };
  const has = (type: StemType) => stems.some(({ stem_type }) => stem_type === type);
  const vocalMixes = has('vocals')
    ? vocalMixFiles(settings).map((file) => ({
        label: mixFileName(file),
        address: mixFileAddress(track_id, file, job_id),
      }))
    : [];
  const drumless = has('drums')
    ? mixChoices(
        track_id,
        'Drumless (no drums)',
        { without: 'drums', job_id, ...settingsQuery(settings) },
        settings,
      )
    : [];
  return (
    <DownloadMenu label={menuLabel} groups={[[...zips, stemFile], [...vocalMixes, ...drumless], analyses]} />
  );
}

/** Returns the download choices of a mix. */
function mixChoices(
  track_id: string,
  name: string,
  query: object,
  settings: PlayerSettings,
): DownloadChoice[] {
  return mixFormats.map((format) => ({
    label: mixText(name, format, settings),
    address: addressOf(exportMix, { track_id }, { format, ...query }),
  }));
}

/** Existing notes of a stem, and how to transcribe it. */
export interface StemNotes {
  /** Null if the stem was not transcribed. */
  readonly found: Transcription | null;
  readonly make: () => void;
}

/**
 * Downloads of one stem in several formats, of the song without it at the tempo and key of the player, and of its
 * notes; not of notes of drums, which have no pitch.
 */
export function StemExports({ stem, name, notes }: { stem: Stem; name: string; notes: StemNotes }) {
  const settings = useStore(playerSettings, (open) => settingsOf(open, stem.track_id));
  const files = exportFormats.map((format) => ({
    label: `${name} as ${format.toUpperCase()}`,
    address: addressOf(exportStem, { id: stem.id }, { format }),
  }));
  return (
    <DownloadMenu
      label={`Download ${name}`}
      groups={[
        files,
        mixChoices(
          stem.track_id,
          `Without ${name}`,
          { without: stem.stem_type, job_id: stem.processing_job_id, ...settingsQuery(settings) },
          settings,
        ),
        stem.stem_type === 'drums' ? [] : notesChoices(name, notes),
      ]}
    />
  );
}

function notesChoices(name: string, { found, make }: StemNotes): DownloadChoice[] {
  const again: DownloadChoice = {
    label: found ? `Transcribe ${name} to MIDI again` : `Transcribe ${name} to MIDI`,
    does: make,
  };
  if (!found) return [again];
  return [{ label: `Notes of ${name} as MIDI`, address: addressOf(exportMidi, { id: found.id }) }, again];
}
