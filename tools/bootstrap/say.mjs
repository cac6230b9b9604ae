/** Error with a message for the user, printed without a stack. */
export class Stop extends Error {}

/**
 * Writes one status line to stderr, so that stdout contains only the command's output.
 *
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Returns the last lines of a long text, which show why a quiet command failed.
 *
 * @param {string} text
 * @param {number} [count]
 */
export function tail(text, count = 25) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
