import { trackBounds } from '@stem-studio/contract/limits';
import { Button } from '../../ui/button.tsx';
import styles from './edit-track-dialog.module.css';

const choices = Array.from({ length: trackBounds.rating.max + 1 }, (_, stars) => stars);

/** Rating of a form: none, or 1 to 5 stars. */
export function RatingField({
  rating,
  onChange,
}: {
  /** Stars, 0 for none; null where no choice is made. */
  rating: number | null;
  onChange: (stars: number) => void;
}) {
  return (
    <fieldset className={styles['rating']}>
      <legend>Rating</legend>
      {choices.map((stars) => (
        <Button
          key={stars}
          small
          aria-pressed={rating === stars}
          aria-label={stars === 0 ? 'No rating' : `${stars} stars`}
          onClick={() => onChange(stars)}
        >
          {stars === 0 ? 'None' : `${stars} ★`}
        </Button>
      ))}
    </fieldset>
  );
}
