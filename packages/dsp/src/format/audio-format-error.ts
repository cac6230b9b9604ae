/**
 * Reason why a file cannot be decoded, as a code for programs.
 *
 * - `empty`: no byte at all.
 * - `not_audio`: the bytes are in no known audio format.
 * - `unsupported_format`: an audio format that is recognised but not decoded here.
 * - `malformed`: the right kind of file, with an invalid header.
 * - `truncated`: the file ends before the first sample.
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

/** Error for a file that cannot be decoded. `message` states the rule and the actual value for users. */
export class AudioFormatError extends Error {
  override readonly name = 'AudioFormatError';
  readonly code: AudioFormatCode;

  constructor(code: AudioFormatCode, message: string) {
    super(message);
    this.code = code;
  }
}
