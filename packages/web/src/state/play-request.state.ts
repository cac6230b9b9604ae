import { createStore } from 'zustand/vanilla';
import { goTo } from './route.state.ts';

/** The track whose playback was requested and has not started yet, or null. */
export const playRequest = createStore<{ trackId: string | null }>(() => ({ trackId: null }));

/** Opens a track and plays it as soon as its player is ready; toggles playback if it is open already. */
export function playTrack(trackId: string): void {
  playRequest.setState({ trackId });
  goTo({ track: trackId });
}

/** Whether playback of a track was requested; clears the request. */
export function takePlayRequest(trackId: string): boolean {
  if (playRequest.getState().trackId !== trackId) return false;
  playRequest.setState({ trackId: null });
  return true;
}
