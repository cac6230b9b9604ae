import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { BeatGrid, RhythmAlternative } from '@stem-studio/contract/resources/beat-grid';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { useRef } from 'react';
import part from '../../ui/track-part.module.css';
import { useFocusRelease } from '../../ui/use-focus-release.ts';
import { GridAlternatives } from './grid-alternatives.tsx';
import { GridHeader } from './grid-header.tsx';
import { GridTools } from './grid-tools.tsx';
import { useGridControls } from './use-grid-controls.ts';
import { ZoomedGrid } from './zoomed-grid.tsx';

/** The beat grid of a track over its waveform, with the tools that edit it. */
export function GridPanel({
  grid,
  alternatives,
  player,
  peaks,
  durationSeconds,
}: {
  grid: BeatGrid;
  /** Other rhythms that the analysis finds possible, the most probable first. */
  alternatives: readonly RhythmAlternative[];
  player: SongPlayer | null;
  peaks: WaveformPeaks | null;
  durationSeconds: number;
}) {
  const controls = useGridControls(grid, player, durationSeconds);
  const section = useRef<HTMLElement>(null);
  useFocusRelease(section);
  return (
    <section ref={section} className={part['part']} aria-label="Beat grid" aria-busy={controls.isBusy}>
      <GridHeader grid={grid} controls={controls} />
      <ZoomedGrid
        grid={grid}
        editor={controls.editor}
        player={player}
        peaks={peaks}
        durationSeconds={durationSeconds}
      />
      <GridAlternatives grid={grid} alternatives={alternatives} onEdit={controls.edit} />
      <GridTools grid={grid} controls={controls} player={player} />
    </section>
  );
}
