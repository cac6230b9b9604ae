import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOld, lastErrorLine, problemIn, type ToolProblem, toToolFailure } from './tool-failure.ts';

const now = new Date('2026-11-20T00:00:00Z');
const facts = { tool: 'yt-dlp', version: '2026.11.01', stderrTail: '', now, timeLimitSeconds: 900 };

test("classifies failures by the tool's own output", () => {
  const table: readonly [string, ToolProblem][] = [
    ['ERROR: [x] a: Video unavailable. This video is private', 'unavailable'],
    ['ERROR: [x] a: Private video. Sign in if you have been granted access', 'unavailable'],
    [
      'ERROR: [generic] none: Unable to download webpage: HTTP Error 404: File not found (caused by <HTTPError 404: File not found>)',
      'unavailable',
    ],
    [
      'WARNING: [generic] Falling back on generic information extractor\nERROR: Unsupported URL: http://x/',
      'unavailable',
    ],
    [
      "ERROR: [generic] x: Unable to download webpage: [Errno 111] Connection refused (caused by TransportError('[Errno 111] Connection refused'))",
      'network',
    ],
    [
      "ERROR: [generic] x: Unable to download webpage: [Errno -2] Name or service not known (caused by TransportError('…'))",
      'network',
    ],
    ['ERROR: Unable to download video data: HTTP Error 503: Service Unavailable', 'network'],
    ['ERROR: [x] a: Unable to download API page: The read operation timed out', 'network'],
    [
      'ERROR: [download] Got error: Downloaded 240766 bytes, expected 481533 bytes. Giving up after 3 retries',
      'network',
    ],
    ['ERROR: unable to write data: [Errno 28] No space left on device', 'disk_full'],
    ['\nUsage: yt-dlp [OPTIONS] URL [URL...]\n\nyt-dlp: error: no such option: --js-runtimes\n', 'outdated'],
    ['ERROR: [x] a: Unable to extract title; please report this issue on …', 'outdated'],
    ['ERROR: a thing that nobody has seen', 'unknown'],
    ['', 'unknown'],
  ];
  for (const [stderr, problem] of table) assert.equal(problemIn(stderr), problem, stderr);
});

test('returns the last line that names an error', () => {
  assert.equal(lastErrorLine('WARNING: a\nERROR: [x] b: gone\nDeprecated: c\n'), '[x] b: gone');
  assert.equal(lastErrorLine('only this\n'), 'only this');
  assert.equal(lastErrorLine(''), '');
});

test('states in each failure what was kept and the remedy, and retries only network failures', () => {
  const expected: Record<ToolProblem, RegExp> = {
    missing: /is missing.*"yt-dlp".*pip install yt-dlp.*DOWNLOAD_TOOL/,
    outdated: /out of date \(version 2026\.11\.01\)\..* Update it.*message: text/,
    unavailable: /not available\..* Pick another.*message: text/,
    disk_full: /disk is full\..* Free some space/,
    network: /could not reach its source\..* press Retry\. Its message: text/,
    overdue: /longer than 900 s.*DOWNLOAD_TIME_LIMIT_SECONDS/,
    stalled: /wrote nothing for 900 s.* press Retry/,
    too_large: /MAX_UPLOAD_MB/,
    unknown: /version 2026\.11\.01\) failed\..* Update it.*message: text/,
  };
  for (const [problem, sentence] of Object.entries(expected)) {
    const failure = toToolFailure({ ...facts, problem: problem as ToolProblem, stderrTail: 'ERROR: text' });
    assert.match(failure.message, sentence);
    assert.match(failure.message, /Nothing partial was stored; the track stays as it was\./);
    assert.equal(failure.isRetryable, ['network', 'stalled'].includes(problem), problem);
  }
});

test('names a version more than 90 days old as the reason where the refusal fits', () => {
  assert.equal(isOld('2026.08.21', now), true);
  assert.equal(isOld('2026.08.23', now), false);
  assert.equal(isOld('nightly', now), false);
  const old = { ...facts, version: '2024.03.10' };
  const refused = toToolFailure({
    ...old,
    problem: 'unavailable',
    stderrTail: 'ERROR: HTTP Error 403: Forbidden',
  });
  assert.equal(refused.problem, 'outdated');
  assert.match(refused.message, /version 2024\.03\.10/);
  assert.equal(
    toToolFailure({ ...old, problem: 'unavailable', stderrTail: 'ERROR: gone' }).problem,
    'unavailable',
  );
});
