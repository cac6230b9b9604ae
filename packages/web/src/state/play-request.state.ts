import { createStore } from 'zustand/vanilla';
import { goTo } from './route.state.ts';

/** The track that the user asked to hear and that is not heard yet. */
export const playWish = createStore<{ trackId: string | null }>(() => ({ trackId: null }));

/** Opens a track and lets it sound as soon as it can; of the open one it is play or pause. */
export function playTrack(trackId: string): void {
  playWish.setState({ trackId });
  goTo({ track: trackId });
}

/** Whether `trackId` was wished for; the wish is fulfilled with that. */
export function takePlayWish(trackId: string): boolean {
  if (playWish.getState().trackId !== trackId) return false;
  playWish.setState({ trackId: null });
  return true;
}
