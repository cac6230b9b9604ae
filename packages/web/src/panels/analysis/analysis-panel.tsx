import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { Cue } from '@stem-studio/contract/resources/cue';
import { Fragment, useMemo, useState } from 'react';
import { ChartPlayhead } from '../../canvas/chart-playhead.ts';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import { createChartCursor } from '../../state/chart-cursor.state.ts';
import type { SongAnalysis } from '../../state/song-analysis.ts';
import { TimeChartFigure } from '../../ui/time-chart-figure.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useScope } from '../../ui/use-scope.ts';
import { analysisCharts, spelledChords } from './analysis-charts.ts';
import styles from './analysis-panel.module.css';
import { ChordSheet } from './chord-sheet.tsx';
import { FifthsFigure } from './fifths-figure.tsx';
import { FigureList } from './figure-list.tsx';
import { loudnessFigures, spectralFigures } from './figures.ts';

/** The analysis of a track: charts over time with a common cursor, and its figures. */
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
  /** The user's key, or else the detected one; empty for none. */
  musicalKey: string;
  player: SongPlayer | null;
}) {
  const charts = useMemo(() => analysisCharts(analysis, peaks, cues), [analysis, peaks, cues]);
  const chords = useMemo(() => spelledChords(analysis), [analysis]);
  const isNarrow = useIsNarrow();
  const [cursor] = useState(createChartCursor);
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
        {charts.map((chart) => (
          <Fragment key={chart.id}>
            <TimeChartFigure
              chart={chart}
              durationSeconds={durationSeconds}
              player={player}
              cursor={cursor}
              clock={clock}
            />
            {chart.id === 'chords' && isNarrow && <ChordSheet chords={chords} player={player} />}
          </Fragment>
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
