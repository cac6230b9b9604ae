import { writeSync } from 'node:fs';
import type { NetworkAnswer } from '@stem-studio/contract/separation-weights';
import {
  type SeparatorMessage,
  type SeparatorRequest,
  separatorRequest,
} from '@stem-studio/contract/separator';
import { z } from 'zod';
import { SeparationError } from './separation-error.ts';

/** A request is a few paths and numbers; a longer line is a mistake. */
const maxRequestCharacters = 64 * 1024;

/**
 * Reads the one request line from the input and goes on listening: `onEnd` is called when the input ends or
 * breaks afterwards, which means that whoever asked has gone.
 *
 * @throws SeparationError `invalid_request` when the input ends before a whole line, or the line is no request
 */
export async function readRequest(
  input: NodeJS.ReadableStream,
  onEnd: () => void,
): Promise<SeparatorRequest> {
  return parseRequest(await readLine(input, onEnd));
}

/** The one line that is asked, as {@link readRequest} reads it. */
export function readLine(input: NodeJS.ReadableStream, onEnd: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let isRead = false;
    const end = (): void => {
      if (isRead) onEnd();
      else
        reject(
          new SeparationError('invalid_request', 'the input must be one line of JSON (it ended before)'),
        );
    };
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => {
      if (isRead) return;
      text += chunk;
      const lineEnd = text.indexOf('\n');
      if (lineEnd < 0 && text.length <= maxRequestCharacters) return;
      isRead = true;
      resolve(text.slice(0, lineEnd < 0 ? undefined : lineEnd));
    });
    input.once('end', end);
    input.once('error', end);
  });
}

/**
 * The request in a line of JSON.
 *
 * @throws SeparationError `invalid_request` naming the field and its rule
 */
export function parseRequest(line: string): SeparatorRequest {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new SeparationError('invalid_request', 'the request must be one line of JSON (it does not parse)', {
      cause,
    });
  }
  const parsed = separatorRequest.safeParse(value);
  if (!parsed.success) {
    const rules = z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ');
    throw new SeparationError('invalid_request', `the request is not valid: ${rules}`);
  }
  return parsed.data;
}

/**
 * Writes messages to the standard output, one line each, synchronously so that none is lost when the process
 * ends, and only while there is a reader.
 */
export function createMessageWriter(descriptor = 1): (message: SeparatorMessage | NetworkAnswer) => void {
  return (message) => {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    for (let done = 0; done < line.length; ) {
      try {
        done += writeSync(descriptor, line, done);
      } catch (error) {
        // A full pipe is tried again; a closed one has no reader left.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  };
}
