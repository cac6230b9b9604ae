import { pitchClasses } from '@stem-studio/contract/resources/track';
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react';
import { keyText, pitchText } from '../../base/key-text.ts';
import { openChartCanvas } from '../../canvas/chart-canvas.ts';
import { circleKeyAt, circleKeys, meanChroma, pitchClassOf } from '../../canvas/circle-of-fifths.ts';
import { drawFifths } from '../../canvas/draw-fifths.ts';
import type { SongAnalysis } from '../../state/song-analysis.ts';
import { buttonClass } from '../../ui/button.tsx';
import chart from '../../ui/chart-figure.module.css';
import { DataTable } from '../../ui/data-table.tsx';
import { useScope } from '../../ui/use-scope.ts';
import styles from './analysis-panel.module.css';

/** Circle of fifths: the key of the track among all keys, and the strength of each pitch class as a wedge. */
export function FifthsFigure({ analysis, musicalKey }: { analysis: SongAnalysis; musicalKey: string }) {
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isTable, setIsTable] = useState(false);
  const [shown, setShown] = useState<number | null>(null);
  const chroma = useMemo(() => meanChroma(analysis.features?.chroma ?? []), [analysis]);
  const found = circleKeys.findIndex(({ name }) => name === musicalKey);
  useScope(
    (scope) => {
      if (canvas.current)
        openChartCanvas(scope, canvas.current, 0, (surface) => drawFifths(surface, chroma, found, shown));
    },
    [chroma, found, shown],
  );
  const summary =
    found < 0
      ? 'No key found'
      : `${keyText(circleKeys[found]?.name ?? '')} · ${circleKeys[found]?.camelot}${sureText(analysis.key_confidence)}`;
  const text = shown === null ? summary : textOfKey(shown, chroma, musicalKey);
  const showAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const radius = box.width / 2;
    setShown(
      circleKeyAt((event.clientX - box.left - radius) / radius, (event.clientY - box.top - radius) / radius),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = shown ?? Math.max(0, found);
    const ring = at < 12 ? 0 : 12;
    const next = {
      ArrowRight: ring + ((at + 1) % 12),
      ArrowLeft: ring + ((at + 11) % 12),
      ArrowUp: at % 12,
      ArrowDown: 12 + (at % 12),
      Home: Math.max(0, found),
      Escape: null,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setShown(next);
  };
  return (
    <figure className={chart['figure']} data-chart="fifths">
      <figcaption className={chart['caption']}>
        <h4 id={id}>Key</h4>
        <p className={chart['reading']} data-readout>
          {text}
        </p>
        <button
          type="button"
          className={buttonClass({ look: 'quiet', small: true })}
          aria-expanded={isTable}
          aria-label="Key as a table"
          onClick={() => setIsTable(!isTable)}
        >
          Table
        </button>
      </figcaption>
      <div
        className={styles['circle']}
        role="slider"
        tabIndex={0}
        aria-labelledby={id}
        aria-valuemin={1}
        aria-valuemax={24}
        aria-valuenow={(shown ?? Math.max(0, found)) + 1}
        aria-valuetext={text}
        onPointerMove={showAt}
        onPointerDown={showAt}
        onPointerLeave={(event) => event.pointerType !== 'touch' && setShown(null)}
        onBlur={() => setShown(null)}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
      {isTable && (
        <DataTable
          caption="Key"
          table={{
            columns: ['Pitch', 'Strength', 'Major key', 'Minor key'],
            rows: pitchClasses.map((pitch, index) => [
              pitchText(pitch, musicalKey),
              chroma ? `${Math.round((chroma[index] ?? 0) * 100)} %` : '–',
              camelotText(`${pitch} major`),
              camelotText(`${pitch} minor`),
            ]),
          }}
        />
      )}
    </figure>
  );
}

function camelotText(name: string): string {
  return circleKeys.find((key) => key.name === name)?.camelot ?? '';
}

function textOfKey(index: number, chroma: readonly number[] | null, musicalKey: string): string {
  const key = circleKeys[index];
  const pitch = pitchClassOf(key?.name ?? '');
  if (!key || pitch === null) return '';
  const strength = chroma
    ? ` · ${pitchText(pitchClasses[pitch] ?? '', musicalKey)} strength ${Math.round((chroma[pitch] ?? 0) * 100)} %`
    : '';
  return `${keyText(key.name)} · ${key.camelot}${strength}`;
}

function sureText(confidence: number | undefined): string {
  return confidence === undefined ? '' : ` · ${Math.round(confidence * 100)} % confidence`;
}
