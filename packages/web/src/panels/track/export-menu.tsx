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

/** What people ask for by name, and the stems that it has or lacks. */
const namedMixes: readonly {
  readonly words: string;
  readonly stem: StemType;
  readonly query: Readonly<Record<string, string>>;
}[] = [
  { words: 'Karaoke (no vocals)', stem: 'vocals', query: { without: 'vocals' } },
  { words: 'A cappella (only vocals)', stem: 'vocals', query: { only: 'vocals' } },
  { words: 'Drumless (no drums)', stem: 'drums', query: { without: 'drums' } },
];

/** Saves all stems of a track, the song without some of them, or what was found about it. Nothing where none is there. */
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
    words: `Download all stems (ZIP, ${format.toUpperCase()})`,
    address: addressOf(exportStems, { track_id }, { format }),
  }));
  const stemFile = {
    words: 'STEM file for DJ programs (.stem.mp4)',
    address: addressOf(exportStemFile, { track_id }, {}),
  };
  const mixes = namedMixes
    .filter(({ stem }) => stems.some(({ stem_type }) => stem_type === stem))
    .flatMap(({ words, query }) => mixChoices(track_id, words, query));
  const analysis = { words: 'Analysis (JSON)', address: addressOf(exportAnalysis, { track_id }) };
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
  words: string,
  query: Readonly<Record<string, string>>,
): DownloadChoice[] {
  const formats = exportFormats.filter((format) => exportFormatTable[format].isOfferedForMixes);
  return formats.map((format) => ({
    words: `${words}, ${format.toUpperCase()}`,
    address: addressOf(exportMix, { track_id }, { format, ...query }),
  }));
}

/** What there is of a stem's notes, and how they are made. */
export interface StemNotes {
  /** Null where nobody has listened for them. */
  readonly found: Transcription | null;
  readonly make: () => void;
}

/**
 * Saves one stem in a format of choice, the song without it, or its notes; those of drums, which have no pitch, are not
 * offered.
 */
export function StemExports({ stem, name, notes }: { stem: Stem; name: string; notes: StemNotes }) {
  const files = exportFormats.map((format) => ({
    words: `${name} as ${format.toUpperCase()}`,
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
    words: found ? `Transcribe ${name} again` : `Transcribe ${name}`,
    does: make,
  };
  if (!found) return [again];
  return [{ words: `Notes of ${name} as MIDI`, address: addressOf(exportMidi, { id: found.id }) }, again];
}
