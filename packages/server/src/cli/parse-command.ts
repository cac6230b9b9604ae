import { parseArgs } from 'node:util';
import { type Command, type Given, UsageError } from './command.ts';

/** Parsed command line. */
export type Asked =
  | { readonly kind: 'run'; readonly command: Command; readonly given: Given }
  | { readonly kind: 'help'; readonly command: Command | null };

/**
 * Parses a command line. The longest matching name is the command; `--help` anywhere, or no argument, requests help.
 *
 * @throws UsageError with the violated rule
 */
export function parseCommand(commands: readonly Command[], args: readonly string[]): Asked {
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  if (args.length === 0 || args.includes('--help') || args.includes('-h'))
    return { kind: 'help', command: command ?? null };
  if (!command) throw new UsageError(`there is no command "${args.slice(0, 2).join(' ')}"`);
  const rest = args.slice(command.name.split(' ').length);
  const { positionals, values } = readOptions(command, rest);
  const isMany = /…\]?$/.test(command.operands.at(-1) ?? '');
  const fewest = command.operands.filter((word) => !word.startsWith('[')).length;
  if (positionals.length < fewest || (!isMany && positionals.length > command.operands.length)) {
    const wanted = command.operands.join(' ') || 'nothing';
    throw new UsageError(`"${command.name}" takes ${wanted} (got ${positionals.join(' ') || 'nothing'})`);
  }
  return {
    kind: 'run',
    command,
    given: {
      operands: positionals,
      text: (name) => (typeof values[name] === 'string' ? values[name] : null),
      has: (name) => values[name] === true,
    },
  };
}

function readOptions(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      { type: option.type, ...(option.default !== undefined && { default: option.default }) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence of Node's error names the option; the rest is advice about `--`.
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new UsageError(sentence);
  }
}
