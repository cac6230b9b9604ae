import type { Track } from '@stem-studio/contract/resources/track';
import { pickReference } from '../../state/reference.state.ts';
import { goTo } from '../../state/route.state.ts';
import { Button } from '../../ui/button.tsx';
import part from '../../ui/track-part.module.css';
import { RelatedList } from './related-list.tsx';

/** What goes with the open track, as a part of its page. */
export function RelatedPanel({ track }: { track: Track }) {
  return (
    <section className={part['part']} aria-label="Goes with">
      <div className={part['head']}>
        <h3>Goes with</h3>
        <p>By key on the wheel of fifths, and by what a pitch fader reaches of its tempo.</p>
        <Button
          small
          onClick={() => {
            pickReference(track);
            goTo({ tab: 'library', isTall: false });
          }}
        >
          Show in the library
        </Button>
      </div>
      <RelatedList track={track} onOpen={({ id }) => goTo({ track: id })} />
    </section>
  );
}
