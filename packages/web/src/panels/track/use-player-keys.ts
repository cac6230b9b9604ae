import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../ui/is-typing.ts';
import { keepsSpace } from '../../ui/pointer-focus.ts';
import { actionOfKey, perform } from './player-keys.ts';

/** Handles the keys of the player anywhere on the page, except in text fields, dialogs, and on buttons reached by keyboard. */
export function usePlayerKeys(
  player: SongPlayer | null,
  beats: readonly number[],
  page: {
    readonly toggle: () => void;
    readonly listKeys: () => void;
    readonly compare: (step: number) => void;
  },
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    const row = target?.closest<HTMLElement>('[data-row]')?.dataset['row'];
    const action = actionOfKey(event, row === undefined ? null : Number(row));
    if (!action) return;
    if (action.do === 'toggle' && keepsSpace(event)) return;
    if (target instanceof HTMLInputElement && ['skip', 'start', 'tempo'].includes(action.do)) return;
    event.preventDefault();
    if (action.do === 'list-keys') page.listKeys();
    else if (action.do === 'toggle') page.toggle();
    else if (action.do === 'compare') page.compare(action.step);
    else if (player) perform(player, action, beats);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
