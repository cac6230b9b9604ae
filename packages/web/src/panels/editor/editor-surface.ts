import type { LivePeaks } from '@stem-studio/audio/player/song-player';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { TimeWindow } from '../../state/time-view.ts';
import type { Selection } from './selection.ts';

/** What the lanes of the editor show; read again in each frame. */
export interface EditorScene {
  readonly state: ProjectState;
  readonly selection: Selection;
}

/** Source of what the canvas shows. */
export interface EditorCanvasSource {
  scene: () => EditorScene;
  window: () => TimeWindow;
  /** Waveform of a stem; null while none of it has arrived. */
  peaks: (source: StemType) => LivePeaks | null;
  /** Samples of a stem in blocks of `CHUNK_FRAMES`; null while they are read. */
  samples: (source: StemType, block: number) => Float32Array | null;
  /** Number of blocks that have arrived. */
  samplesVersion: () => number;
  /** Sample rate of the stems, in Hz. */
  sampleRateHz: () => number;
}

/** Colours of what is drawn. */
export interface Colours {
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly panel: string;
  readonly loop: string;
  readonly selected: string;
  readonly font: string;
  /** Colour of a stem. */
  readonly stem: (name: string) => string;
}

/** Drawing surface and the position of what is drawn on it. */
export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly colours: Colours;
  readonly source: EditorCanvasSource;
  width: number;
  height: number;
  window: TimeWindow;
}

/** Returns the position of a time on the canvas, in px. */
export const xOf = ({ window, width }: Surface, ms: number): number =>
  window.spanSeconds > 0 ? ((ms / 1000 - window.fromSeconds) / window.spanSeconds) * width : 0;
