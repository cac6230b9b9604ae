/** An end that a person can act on: printed without a stack. */
export class Stop extends Error {}

/**
 * One line about what is being done, on stderr so that stdout stays the command's own.
 *
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * The last lines of a long text, for showing why a quiet command failed.
 *
 * @param {string} text
 * @param {number} [count]
 */
export function tail(text, count = 25) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
