import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './edit-track-dialog.module.css';
import { withTyped } from './track-draft.ts';

/** Tags as chips: Enter or a comma adds one, Backspace in the empty field removes the last. */
export function TagField({
  label = 'Tags',
  tags,
  error,
  onChange,
}: {
  label?: string;
  tags: readonly string[];
  error: string;
  onChange: (tags: string[]) => void;
}) {
  const [typed, setTyped] = useState('');
  const add = () => {
    if (typed.trim() !== '') onChange(withTyped(tags, typed));
    setTyped('');
  };
  return (
    <div>
      <Field
        label={label}
        placeholder="Type a tag, then Enter"
        value={typed}
        error={error}
        onBlur={add}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if ((event.key === 'Enter' && typed.trim() !== '') || event.key === ',') {
            event.preventDefault();
            add();
          } else if (event.key === 'Backspace' && typed === '') onChange(tags.slice(0, -1));
        }}
      />
      <ul className={styles['tags']} aria-label={label === 'Tags' ? 'Tags of this track' : 'Tags to add'}>
        {tags.map((tag) => (
          <li key={tag} className={styles['chip']}>
            {tag}
            <button
              type="button"
              aria-label={`Remove tag ${tag}`}
              onClick={() => onChange(tags.filter((t) => t !== tag))}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
