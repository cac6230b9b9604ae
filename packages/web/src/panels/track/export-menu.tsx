import {
  exportAnalysis,
  exportMidi,
  exportMix,
  exportStem,
  exportStemFile,
  exportStems,
} from '@stem-studio/contract/endpoints/exports';
import { exportFormats, exportFormatTable } from '@stem-studio/contract/export-formats';
import type { Transcription } from '@stem-studio/contract/resources/notes';
import type { Stem, StemType } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import { addressOf } from '../../client/call.ts';
import { type DownloadChoice, DownloadMenu } from '../../ui/download-menu.tsx';

/** Common mixes by name, and the stems that each contains or lacks. */
const namedMixes: readonly {
  readonly label: string;
  readonly stem: StemType;
  readonly query: Readonly<Record<string, string>>;
}[] = [
  { label: 'Karaoke (no vocals)', stem: 'vocals', query: { without: 'vocals' } },
  { label: 'A cappella (only vocals)', stem: 'vocals', query: { only: 'vocals' } },
  { label: 'Drumless (no drums)', stem: 'drums', query: { without: 'drums' } },
];

/** Downloads of a track: all stems, mixes without some of them, and the analysis. Nothing if none is available. */
export function TrackExports({
  track,
  stems,
  hasAnalysis,
}: {
  track: Track;
  stems: readonly Stem[];
  hasAnalysis: boolean;
}) {
  const { id: track_id, stems_job_id } = track;
  if (stems_job_id === null && !hasAnalysis) return null;
  const zips = exportFormats.map((format) => ({
    label: `Download all stems (ZIP, ${format.toUpperCase()})`,
    address: addressOf(exportStems, { track_id }, { format }),
  }));
  const stemFile = {
    label: 'STEM file for DJ programs (.stem.mp4)',
    address: addressOf(exportStemFile, { track_id }, {}),
  };
  const mixes = namedMixes
    .filter(({ stem }) => stems.some(({ stem_type }) => stem_type === stem))
    .flatMap(({ label, query }) => mixChoices(track_id, label, query));
  const analysis = { label: 'Analysis (JSON)', address: addressOf(exportAnalysis, { track_id }) };
  return (
    <DownloadMenu
      label="Download stems or analysis"
      groups={[stems_job_id === null ? [] : [...zips, stemFile], mixes, hasAnalysis ? [analysis] : []]}
    />
  );
}

/** Returns the download choices of a mix. */
function mixChoices(
  track_id: string,
  label: string,
  query: Readonly<Record<string, string>>,
): DownloadChoice[] {
  const formats = exportFormats.filter((format) => exportFormatTable[format].isOfferedForMixes);
  return formats.map((format) => ({
    label: `${label}, ${format.toUpperCase()}`,
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
 * Downloads of one stem in several formats, of the song without it, and of its notes; not of notes of drums, which
 * have no pitch.
 */
export function StemExports({ stem, name, notes }: { stem: Stem; name: string; notes: StemNotes }) {
  const files = exportFormats.map((format) => ({
    label: `${name} as ${format.toUpperCase()}`,
    address: addressOf(exportStem, { id: stem.id }, { format }),
  }));
  return (
    <DownloadMenu
      label={`Download ${name}`}
      groups={[
        files,
        mixChoices(stem.track_id, `Without ${name}`, { without: stem.stem_type }),
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
