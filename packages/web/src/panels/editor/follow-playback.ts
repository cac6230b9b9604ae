import type { Scope } from '@stem-studio/audio/base/scope';
import type { LoudnessReading } from '@stem-studio/renderer/editor/live-loudness';
import type { EditorModel } from './editor-model.ts';
import type { EditorPlayback } from './editor-playback.ts';

/** Share of the level that a meter keeps from one frame to the next. */
const METER_FALL = 0.85;
/** Lowest level that a meter shows, in dB. */
const METER_FLOOR_DB = -48;
/** Part of the window at which the page follows the playhead. */
const FOLLOW_AT = 0.95;

/** Returns the part of a meter that is filled at a peak, 0 to 1. */
function meterPart(peak: number): number {
  if (peak <= 0) return 0;
  return Math.min(1, Math.max(0, 1 - (20 * Math.log10(peak)) / METER_FLOOR_DB));
}

/** Loudness below which nothing is shown: no sound has been measured yet. */
const QUIET_LUFS = -69;
const lufsText = (lufs: number) =>
  lufs < QUIET_LUFS ? '—' : `${lufs < 0 ? '−' : ''}${Math.abs(lufs).toFixed(1)}`;

/** Writes the loudness where it has changed. */
function showLoudness(page: HTMLElement, loudness: LoudnessReading | undefined): void {
  const shown = page.querySelector<HTMLElement>('[data-loudness]');
  if (!shown || !loudness) return;
  const text = `${lufsText(loudness.shortTerm)} · ${lufsText(loudness.integrated)} LUFS`;
  if (shown.textContent !== text) shown.textContent = text;
}

/**
 * Shows playhead, loop and meters in each frame until `scope` ends, and scrolls with the playhead while it plays.
 *
 * @param root element with the meters (`data-meter`), the playhead and the loop
 */
export function followPlayback(
  scope: Scope,
  root: HTMLElement,
  model: EditorModel,
  playback: EditorPlayback,
): void {
  const meters = new Map<string, number>();
  const page = root.parentElement ?? root;
  scope.onAnimationFrame(() => {
    const { fromSeconds, spanSeconds } = model.view.window;
    const playhead = root.querySelector<HTMLElement>('[data-editor-playhead]');
    const loopBox = root.querySelector<HTMLElement>('[data-editor-loop]');
    const width = playhead?.parentElement?.clientWidth ?? 0;
    const xOf = (ms: number) => (spanSeconds > 0 ? ((ms / 1000 - fromSeconds) / spanSeconds) * width : 0);
    const positionMs = playback.positionMs();
    if (playhead) {
      playhead.hidden = !playback.isPlaying && Math.abs(positionMs - model.selection.cursorMs) < 1;
      playhead.style.transform = `translateX(${Math.round(xOf(positionMs))}px)`;
    }
    if (playback.isPlaying && spanSeconds > 0) {
      const part = (positionMs / 1000 - fromSeconds) / spanSeconds;
      if (part < 0 || part > FOLLOW_AT) model.view.scrollTo(Math.max(0, positionMs / 1000));
    }
    const { loop } = playback.shown.getState();
    if (loopBox) {
      loopBox.hidden = loop === null;
      if (loop) {
        const left = Math.round(xOf(loop.startMs));
        loopBox.style.transform = `translateX(${left}px)`;
        loopBox.style.width = `${Math.max(1, Math.round(xOf(loop.endMs)) - left)}px`;
      }
    }
    const levels = playback.levels();
    showLoudness(page, levels?.loudness);
    for (const meter of page.querySelectorAll<HTMLElement>('[data-meter]')) {
      const name = meter.dataset['meter'] ?? '';
      const peak = (name === 'master' ? levels?.master : levels?.lanes.get(name)) ?? 0;
      const shown = Math.max(peak, (meters.get(name) ?? 0) * METER_FALL);
      if (shown === meters.get(name)) continue;
      meters.set(name, shown < 1e-4 ? 0 : shown);
      meter.style.setProperty('--level', meterPart(shown).toFixed(3));
      meter.dataset['over'] = String(shown > 1);
    }
  });
}
