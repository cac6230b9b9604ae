import type { Track } from '@stem-studio/contract/resources/track';
import { pickReference } from '../../state/reference.state.ts';
import { goTo } from '../../state/route.state.ts';
import { Button } from '../../ui/button.tsx';
import part from '../../ui/track-part.module.css';
import { RelatedList } from './related-list.tsx';

/** Tracks that fit the open one, as a section of its page. */
export function RelatedPanel({ track }: { track: Track }) {
  return (
    <section className={part['part']} aria-label="Mixes well with">
      <div className={part['head']}>
        <h3>Mixes well with</h3>
        <p>By key (Camelot wheel) and tempo (± 8 %).</p>
        <Button
          small
          onClick={() => {
            pickReference(track);
            goTo({ tab: 'library', isTall: false });
          }}
        >
          Show in library
        </Button>
      </div>
      <RelatedList track={track} onOpen={({ id }) => goTo({ track: id })} />
    </section>
  );
}
