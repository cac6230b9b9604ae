import { crateBounds } from '@stem-studio/contract/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeCrate, createSmartCrate } from '../../state/crate-actions.ts';
import { goTo } from '../../state/route.state.ts';
import { type CrateDraft, draftCrate } from '../../state/sidebar.state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './sidebar.module.css';

/** Dialog that creates a smart crate from a search, or edits name and search of one. */
export function CrateDialog({ draft }: { draft: CrateDraft }) {
  const client = useQueryClient();
  const [name, setName] = useState(draft.kind === 'edit' ? draft.crate.name : '');
  const [query, setQuery] = useState(draft.kind === 'edit' ? (draft.crate.query ?? '') : draft.query);
  const isComplete = name.trim() !== '' && query.trim() !== '';
  const save = async () => {
    draftCrate(null);
    if (draft.kind === 'edit') {
      const { crate } = draft;
      const change = {
        ...(name.trim() !== crate.name && { name: name.trim() }),
        ...(query.trim() !== crate.query && { query: query.trim() }),
      };
      if (Object.keys(change).length > 0) await changeCrate(client, crate, change);
      return;
    }
    const crate = await createSmartCrate(client, name.trim(), query.trim());
    if (crate) goTo({ source: { kind: 'crate', id: crate.id } });
  };
  return (
    <Dialog
      title={draft.kind === 'edit' ? 'Edit smart crate' : 'Save search as crate'}
      onClose={() => draftCrate(null)}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) void save();
        }}
      >
        <Field
          label="Name"
          value={name}
          maxLength={crateBounds.name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Search"
          value={query}
          maxLength={crateBounds.query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <p className={styles['note']}>The crate always lists the tracks that the search finds.</p>
        <div className={styles['answers']}>
          <Button onClick={() => draftCrate(null)}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!isComplete}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
