import type { ChartTable } from '../canvas/time-chart.ts';
import styles from './chart-figure.module.css';

/** The values of a chart as a table. The first cell of a row is its heading. */
export function DataTable({ caption, table }: { caption: string; table: ChartTable }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be focusable
    <div className={styles['table']} role="region" aria-label={`${caption}: table`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={`${row[0]} ${index}`}>
              {row.map((cell, at) =>
                at === 0 ? (
                  <th key={table.columns[at]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={table.columns[at]}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
