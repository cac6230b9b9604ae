import { writeSync } from 'node:fs';
import type { NetworkAnswer } from '@stem-studio/contract/separation-weights';
import {
  type SeparatorMessage,
  type SeparatorRequest,
  separatorRequest,
} from '@stem-studio/contract/separator';
import { z } from 'zod';
import { SeparationError } from './separation-error.ts';

/** Longest accepted request line: a request is a few paths and numbers. */
const maxRequestCharacters = 64 * 1024;

/** Requests, one line each. */
export interface RequestLines {
  /** Returns the next line, or null if the input ended before one. */
  next(): Promise<string | null>;
}

/**
 * Reads lines from the input.
 *
 * @param onEnd called when the input ends or fails while no line is awaited: the parent process is gone
 */
export function readLines(input: NodeJS.ReadableStream, onEnd: () => void): RequestLines {
  let text = '';
  let hasEnded = false;
  let waiting: ((line: string | null) => void) | null = null;
  const answer = (): void => {
    const lineEnd = text.indexOf('\n');
    const isWhole = lineEnd >= 0 || text.length > maxRequestCharacters;
    if (waiting === null || (!isWhole && !hasEnded)) return;
    const line = isWhole ? text.slice(0, lineEnd < 0 ? undefined : lineEnd) : null;
    text = lineEnd < 0 ? '' : text.slice(lineEnd + 1);
    const resolve = waiting;
    waiting = null;
    resolve(line);
  };
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (waiting === null) onEnd();
    else answer();
  };
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    // A line beyond the limit is cut off here and refused when it is parsed.
    if (text.length <= maxRequestCharacters) text += chunk;
    answer();
  });
  input.once('end', end);
  input.once('error', end);
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
        answer();
      }),
  };
}

/**
 * Parses a request from a line of JSON.
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
