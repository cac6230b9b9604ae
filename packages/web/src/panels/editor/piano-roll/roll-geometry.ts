/** Highest pitch of MIDI, in the top row. */
const TOP_PITCH = 127;
/** Number of rows. */
export const ROWS = 128;
/** Heights of a row that can be chosen, in pixels. */
export const rowHeights = [6, 8, 11, 14, 18, 24] as const;

/** Rows of a piano roll. */
export interface RollGeometry {
  /** Height of a row in pixels. */
  readonly rowPx: number;
  /** Distance of the top of the visible part from the first row, in pixels. */
  readonly scrollPx: number;
}

/** Returns the pitch at a distance from the top of the visible part. */
export function pitchAt({ rowPx, scrollPx }: RollGeometry, y: number): number {
  return Math.min(TOP_PITCH, Math.max(0, TOP_PITCH - Math.floor((y + scrollPx) / rowPx)));
}

/** Returns the distance of the row of a pitch from the top of the visible part, in pixels. */
export function topOf({ rowPx, scrollPx }: RollGeometry, pitch: number): number {
  return (TOP_PITCH - pitch) * rowPx - scrollPx;
}

/** Returns the scroll position at which pitches are in the middle of a visible part. */
export function centredPx(lowest: number, highest: number, rowPx: number, heightPx: number): number {
  const middle = (TOP_PITCH - (lowest + highest) / 2 + 0.5) * rowPx;
  return Math.min(ROWS * rowPx - heightPx, Math.max(0, middle - heightPx / 2));
}
