import type { GridEdit, RhythmAlternative } from '@stem-studio/contract/resources/beat-grid';
import { bpmText } from '../../base/format.ts';

const factorLabels = {
  '2': 'Double',
  '1/2': 'Half',
  '3/2': '×1½',
  '2/3': '×⅔',
  '3': 'Triple',
  '1/3': 'Third',
} as const;

/** Returns the text of the button of an alternative: `Half a beat later`, `Double`, `3/4`. */
export function alternativeLabel(alternative: RhythmAlternative): string {
  if (alternative.change === 'metre') return alternative.time_signature;
  if (alternative.change === 'multiply') return factorLabels[alternative.factor];
  const { beats } = alternative;
  if (beats < 0.42) return 'A third of a beat later';
  return beats > 0.58 ? 'Two thirds of a beat later' : 'Half a beat later';
}

/** Returns the tooltip of an alternative: its tempo if it is another one, and how probable it is. */
export function alternativeTitle(alternative: RhythmAlternative, tempo: number, percent: number): string {
  const probability = percent < 1 ? 'less than 1 % probable' : `${percent} % probable`;
  if (alternative.change !== 'multiply') return probability;
  const [over = 1, under = 1] = alternative.factor.split('/').map(Number);
  return `${bpmText((tempo * over) / under)} BPM, ${probability}`;
}

/** Returns the edit of the detected grid that leads to an alternative. */
export function alternativeEdit(alternative: RhythmAlternative): GridEdit {
  switch (alternative.change) {
    case 'shift':
      return { edit: 'shift_beats', beats: alternative.beats };
    case 'multiply':
      return { edit: 'multiply', factor: alternative.factor };
    case 'metre':
      return { edit: 'set_time_signature', time_signature: alternative.time_signature };
  }
}
