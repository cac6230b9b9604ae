/** The open track. */
export function TrackPanel({ trackId }: { trackId: string; playWish: { current: string | null } }) {
  return <section aria-label="Player">{trackId}</section>;
}
