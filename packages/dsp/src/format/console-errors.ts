/** As much of the console as is kept quiet here; every platform has it. */
interface Printer {
  error: (...words: readonly unknown[]) => void;
}

/**
 * What `work` answers, without the lines beginning with `prefix` that it writes to `console.error`: for a library that
 * prints what it reports anyway, once a damaged packet. Everything else is printed. The console is itself again when
 * `work` answers or throws, so nothing else can run meanwhile; of work that answers with a promise only what it does
 * before that is kept quiet.
 */
export function hushConsole<Result>(prefix: string, work: () => Result): Result {
  const { console: printer } = globalThis as unknown as { console: Printer };
  const print = printer.error;
  printer.error = (...words) => {
    if (typeof words[0] !== 'string' || !words[0].startsWith(prefix)) print(...words);
  };
  try {
    return work();
  } finally {
    printer.error = print;
  }
}
