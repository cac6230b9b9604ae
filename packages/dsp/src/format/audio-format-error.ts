/**
 * What is wrong with a file, for a program to branch on.
 *
 * - `empty`: no byte at all.
 * - `not_audio`: the bytes are in no known audio format.
 * - `unsupported_format`: an audio format that is recognised but not decoded here.
 * - `malformed`: the right kind of file, with a header that cannot be true.
 * - `truncated`: it ends before the first sample.
 * - `no_samples`: a complete and valid file without audio.
 * - `too_long`: longer than the caller's limit.
 */
export type AudioFormatCode =
  | 'empty'
  | 'not_audio'
  | 'unsupported_format'
  | 'malformed'
  | 'truncated'
  | 'no_samples'
  | 'too_long';

/** A file that cannot become samples. `message` states the rule and the value got, for people. */
export class AudioFormatError extends Error {
  override readonly name = 'AudioFormatError';
  readonly code: AudioFormatCode;

  constructor(code: AudioFormatCode, message: string) {
    super(message);
    this.code = code;
  }
}
