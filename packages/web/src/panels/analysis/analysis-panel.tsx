import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { Cue } from '@stem-studio/contract/resources/cue';
import { useMemo, useState } from 'react';
import { ChartPlayhead } from '../../canvas/chart-playhead.ts';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import { createChartCursor } from '../../state/chart-cursor.state.ts';
import type { SongAnalysis } from '../../state/song-analysis.ts';
import { TimeChartFigure } from '../../ui/time-chart-figure.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { analysisCharts } from './analysis-charts.ts';
import styles from './analysis-panel.module.css';
import { FifthsFigure } from './fifths-figure.tsx';
import { FigureList } from './figure-list.tsx';
import { loudnessFigures, spectralFigures } from './figures.ts';

/** What was found in a song, as pictures: all over the same time, read at the same place. */
export function AnalysisPanel({
  analysis,
  peaks,
  cues,
  durationSeconds,
  musicalKey,
  player,
}: {
  analysis: SongAnalysis;
  peaks: DrawablePeaks | null;
  cues: readonly Cue[];
  durationSeconds: number;
  /** The key that holds: the user's, or the one that was found; empty for none. */
  musicalKey: string;
  player: SongPlayer | null;
}) {
  const pictures = useMemo(() => analysisCharts(analysis, peaks, cues), [analysis, peaks, cues]);
  const [reading] = useState(createChartCursor);
  const clock = useMemo(() => new ChartPlayhead(durationSeconds), [durationSeconds]);
  useScope(
    (scope) => {
      if (player) clock.follow(scope, player);
    },
    [player, clock],
  );
  const hasTonality = musicalKey !== '' || (analysis.features?.chroma?.length ?? 0) > 0;
  return (
    <section className={styles['analysis']} aria-label="Analysis">
      <h3 className="visually-hidden">Analysis</h3>
      <div className={styles['overTime']}>
        {pictures.map((picture) => (
          <TimeChartFigure
            key={picture.id}
            picture={picture}
            durationSeconds={durationSeconds}
            player={player}
            reading={reading}
            clock={clock}
          />
        ))}
      </div>
      <div className={styles['whole']}>
        {hasTonality && <FifthsFigure analysis={analysis} musicalKey={musicalKey} />}
        <FigureList title="Character" figures={loudnessFigures(analysis)} />
        <FigureList title="Spectrum" figures={spectralFigures(analysis)} />
      </div>
    </section>
  );
}
