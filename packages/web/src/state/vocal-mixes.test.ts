import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mixFileAddress, mixFileName, vocalMixFiles } from './vocal-mixes.ts';

test('offers instrumental and a cappella in each format, at the tempo and key of the player', () => {
  const recorded = vocalMixFiles({ tempoPercent: 100, keySemitones: 0 });
  assert.deepEqual(recorded.map(mixFileName), [
    'Karaoke (no vocals), WAV',
    'Karaoke (no vocals), MP3',
    'A cappella (only vocals), WAV',
    'A cappella (only vocals), MP3',
  ]);
  const [changed] = vocalMixFiles({ tempoPercent: 90, keySemitones: -2 });
  assert.ok(changed && recorded[0]);
  assert.equal(mixFileName(changed), 'Karaoke (no vocals), WAV, tempo 90 %, key −2');
  const trackId = '00000000-0000-4000-8000-000000000001';
  assert.equal(
    mixFileAddress(trackId, changed),
    `/export/mix/${trackId}?format=wav&part=instrumental&tempo=90&key=-2`,
  );
  assert.equal(
    mixFileAddress(trackId, recorded[0], trackId),
    `/export/mix/${trackId}?format=wav&part=instrumental&job_id=${trackId}`,
  );
});
