import chart from '../../ui/chart-figure.module.css';
import styles from './analysis-panel.module.css';
import type { Figure } from './figures.ts';

/** List of numbers, each with a small bar and an explanation on hover; nothing if empty. */
export function FigureList({ title, figures }: { title: string; figures: readonly Figure[] }) {
  if (figures.length === 0) return null;
  return (
    <section className={chart['figure']} aria-label={title}>
      <div className={chart['caption']}>
        <h4>{title}</h4>
      </div>
      <dl className={styles['figures']}>
        {figures.map(({ name, text, part, description }) => (
          <div key={name} title={description}>
            <dt>{name}</dt>
            <dd>{text}</dd>
            <dd className={styles['bar']} aria-hidden="true">
              <span style={{ transform: `scaleX(${part.toFixed(3)})` }} />
            </dd>
            <dd className="visually-hidden">{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
