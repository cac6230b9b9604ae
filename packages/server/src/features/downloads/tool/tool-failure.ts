/** Kinds of download tool failures, distinguished because each has another remedy. */
export type ToolProblem =
  | 'missing'
  | 'outdated'
  | 'unavailable'
  | 'disk_full'
  | 'network'
  | 'overdue'
  | 'stalled'
  | 'too_large'
  | 'unknown';

/** Failure of the tool, with a message that names the remedy. Only network failures and stalls are retryable. */
export class ToolFailure extends Error {
  readonly problem: ToolProblem;
  readonly isRetryable: boolean;
  constructor(problem: ToolProblem, message: string) {
    super(message);
    this.name = 'ToolFailure';
    this.problem = problem;
    this.isRetryable = problem === 'network' || problem === 'stalled';
  }
}

/** Age in days from which an outdated tool is named as the likely reason of an otherwise unexplained failure. */
const oldAfterDays = 90;

const signs: readonly (readonly [ToolProblem, RegExp])[] = [
  ['disk_full', /no space left|errno 28\b|disk quota|ENOSPC|not enough (disk )?space/i],
  [
    'outdated',
    /no such option|latest version|unable to extract|signature extraction|nsig|please report this issue/i,
  ],
  ['network', /HTTP Error (408|429|5\d\d)/],
  [
    'unavailable',
    /unavailable|private video|not available|has been removed|been terminated|members.only|sign in to|copyright|age.restricted|unsupported url|drm|HTTP Error (401|403|404|410|451)|does not exist|premieres in/i,
  ],
  [
    'network',
    /timed? ?out|connection (refused|reset|aborted)|name or service not known|temporary failure|getaddrinfo|network is unreachable|no route to host|transport ?error|incompleteread|bytes read|bytes, expected|ssl|remote end closed|failed to resolve/i,
  ],
];

/** Returns the last line that names an error, without its prefix, or the last line where there is none. */
export function lastErrorLine(stderrTail: string): string {
  const lines = stderrTail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.findLast((one) => /^(ERROR|.*: error):/i.test(one)) ?? lines.at(-1) ?? '';
  return line.replace(/^(ERROR|\S+: error):\s*/i, '').slice(0, 300);
}

/** Classifies a failure by the tool's own error output. */
export function problemIn(stderrTail: string): ToolProblem {
  const errorLine = lastErrorLine(stderrTail);
  return signs.find(([, sign]) => sign.test(errorLine))?.[0] ?? 'unknown';
}

/** Returns whether a date version such as `2026.10.26` is more than 90 days older than `now`. */
export function isOld(version: string | null, now: Date): boolean {
  const [, year, month, day] = /^(\d{4})\.(\d{1,2})\.(\d{1,2})/.exec(version ?? '') ?? [];
  if (!year) return false;
  const made = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return now.getTime() - made > oldAfterDays * 86_400_000;
}

/** Known facts of a failure. */
export interface FailureFacts {
  readonly problem: ToolProblem;
  readonly tool: string;
  /** Null when the tool reports none. */
  readonly version: string | null;
  readonly stderrTail: string;
  readonly now: Date;
  /** The exceeded limit in seconds, where one was exceeded. */
  readonly timeLimitSeconds: number;
}

/** Returns the failure with its message for the user: what happened, the remedy, and the tool's own last line. */
export function toToolFailure(facts: FailureFacts): ToolFailure {
  const { tool, version, stderrTail, now } = facts;
  const errorLine = lastErrorLine(stderrTail);
  // The tool's internal cause is of no use to the user.
  const plain = errorLine.replace(/\s*\(caused by .*$/, '');
  const quoted = plain === '' ? '' : ` Its message: ${plain}`;
  const named = version === null ? 'of unknown version' : `version ${version}`;
  const update = 'Update it with "pip install -U yt-dlp" (or the way it was installed), then press Retry.';
  // An old tool is refused where a new one is not: name the likelier reason.
  const isLikelyAge =
    isOld(version, now) && (facts.problem === 'unknown' || /HTTP Error 403/.test(errorLine));
  const problem = isLikelyAge ? 'outdated' : facts.problem;
  const kept = 'Nothing partial was stored; the track stays as it was.';
  const sentences: Record<ToolProblem, string> = {
    missing: `The download tool is missing: there is no program "${tool}". ${kept} Install it with "pip install yt-dlp" or from your system's packages, or set DOWNLOAD_TOOL to its path, then press Retry.`,
    outdated: `The download tool is out of date (${named}). ${kept} ${update}${quoted}`,
    unavailable: `The source is not available. ${kept} Pick another one for this track, or press Retry later.${quoted} (The tool is ${named}.)`,
    disk_full: `The disk is full. ${kept} Free some space, then press Retry.`,
    network: `The download tool could not reach its source. ${kept} Check the network, then press Retry.${quoted}`,
    overdue: `The download tool took longer than ${facts.timeLimitSeconds} s and was stopped. ${kept} Press Retry, pick another source, or allow it more time (DOWNLOAD_TIME_LIMIT_SECONDS).`,
    stalled: `The download tool wrote nothing for ${facts.timeLimitSeconds} s and was stopped. ${kept} Check the network, then press Retry, or pick another source.`,
    too_large: `The audio is larger than this studio accepts (MAX_UPLOAD_MB). ${kept} Pick another source.`,
    unknown: `The download tool (${named}) failed. ${kept} If it fails again: ${update}${quoted}`,
  };
  return new ToolFailure(problem, sentences[problem]);
}
