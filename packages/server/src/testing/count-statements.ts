import { Client } from 'pg';

/** Number of statements sent to databases since counting began; `stop` ends the counting. */
export interface StatementCount {
  readonly count: () => number;
  readonly stop: () => void;
}

/** Counts every statement that this process sends over connections opened from now on. */
export function countStatements(): StatementCount {
  const prototype = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const plain = prototype.query;
  let count = 0;
  prototype.query = function query(this: Client, ...args: unknown[]) {
    count += 1;
    return plain.apply(this, args);
  };
  return {
    count: () => count,
    stop: () => {
      prototype.query = plain;
    },
  };
}
