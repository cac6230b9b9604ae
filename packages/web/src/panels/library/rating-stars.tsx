import type { Track } from '@stem-studio/contract/resources/track';
import styles from './row-cells.module.css';

const STARS = 5;

/** Rating of a track in its row. A click sets it to the star, a click on the last lit star clears it. */
export function RatingStars({
  track,
  onRate,
}: {
  track: Track;
  onRate: (track: Track, stars: number) => void;
}) {
  const { rating, title } = track;
  return (
    <button
      type="button"
      className={styles['stars']}
      tabIndex={-1}
      aria-label={`Rating of ${title}: ${rating} of ${STARS} stars`}
      onClick={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect();
        const star = Math.min(STARS, Math.max(1, Math.ceil(((event.clientX - left) / width) * STARS)));
        onRate(track, star === rating ? 0 : star);
      }}
    >
      <span className={styles['lit']} aria-hidden="true">
        {'★'.repeat(rating)}
      </span>
      <span aria-hidden="true">{'★'.repeat(STARS - rating)}</span>
    </button>
  );
}
