import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseResult } from './download-tool.ts';
import { downloadArguments, parseProgress, searchArguments, searchTarget } from './tool-arguments.ts';

test('builds a search from a prefix and a query, or from an address that contains the query', () => {
  assert.equal(searchTarget('ytsearch5:', 'A & B'), 'ytsearch5:A & B');
  assert.equal(searchTarget('http://127.0.0.1/s?q={query}', 'A & B'), 'http://127.0.0.1/s?q=A%20%26%20B');
});

test('never passes a title or an address as an option', () => {
  const search = searchArguments('--exec=rm', '/node');
  assert.deepEqual(search.slice(-2), ['--', '--exec=rm']);
  const download = downloadArguments('--exec=rm', { runtime: '/node', mostMegabytes: 5, ffmpegPath: null });
  assert.deepEqual(download.slice(-2), ['--', '--exec=rm']);
  assert.ok(download.includes('5M'));
});

test('uses the ffmpeg of the service, and requests directly decodable audio without one', () => {
  const options = { runtime: '/node', mostMegabytes: 5 };
  const formatOf = (args: string[]) => args[args.indexOf('--format') + 1] ?? '';
  const using = downloadArguments('http://x/', { ...options, ffmpegPath: '/opt/ffmpeg' });
  assert.equal(using[using.indexOf('--ffmpeg-location') + 1], '/opt/ffmpeg');
  assert.ok(using.includes('--extract-audio'));
  assert.equal(formatOf(using), 'bestaudio/best');
  const without = downloadArguments('http://x/', { ...options, ffmpegPath: null });
  assert.ok(!without.includes('--ffmpeg-location') && !without.includes('--extract-audio'));
  assert.match(formatOf(without), /^bestaudio\[ext=flac\]/);
});

test('reads progress only from our own lines', () => {
  const table: readonly [string, number | null][] = [
    ['studio-progress 50 200 NA', 0.25],
    ['studio-progress 50 NA 100', 0.5],
    ['studio-progress 300 200 NA', 1],
    ['studio-progress 50 NA NA', null],
    ['studio-progress NA 100 NA', null],
    ['[download] Destination: received.webm', null],
  ];
  for (const [line, fraction] of table) assert.equal(parseProgress(line), fraction, line);
});

test('parses a JSON line with a downloadable address and ignores anything else', () => {
  const url = 'https://site.example/watch?v=1';
  const flat = parseResult(
    JSON.stringify({ _type: 'url', url, title: 'T', channel: null, uploader: 'U', duration: 12.5 }),
  );
  assert.deepEqual({ ...flat, id: '' }, { id: '', url, title: 'T', channel: 'U', durationMs: 12_500 });
  const page = { webpage_url: 'https://site.example/search', url: 'https://site.example/a.mp3', title: 'A' };
  assert.equal(parseResult(JSON.stringify({ ...page, extractor_key: 'HTML5MediaEmbed' }))?.url, page.url);
  assert.equal(parseResult(JSON.stringify({ ...page, extractor_key: 'Site' }))?.url, page.webpage_url);
  for (const line of ['', '[debug]', '{', '{}', '{"url":"file:///etc/passwd"}', '{"url":7}'])
    assert.equal(parseResult(line), null, line);
});
