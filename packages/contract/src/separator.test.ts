import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separationModelNames, separationModels } from './separation-models.ts';
import { modelRefusal, separatorMessage, separatorRequest } from './separator.ts';

const request = {
  input_path: '/in/song.flac',
  output_dir: '/out',
  model: 'hybrid_4',
  bit_depth: '16',
  max_seconds: null,
  max_duration_seconds: 3600,
};

test('rejects a separator request with an unknown field, model or bit depth', () => {
  assert.equal(separatorRequest.safeParse(request).success, true);
  for (const change of [
    { extra: 1 },
    { model: 'hybrid_5' },
    { bit_depth: '8' },
    { max_seconds: 0 },
    { input_path: '' },
  ]) {
    assert.equal(
      separatorRequest.safeParse({ ...request, ...change }).success,
      false,
      JSON.stringify(change),
    );
  }
});

test('accepts the three messages of the specification without optional fields', () => {
  for (const message of [
    { type: 'progress', percent: 40 },
    { type: 'result', stems: { vocals: '/out/vocals.wav' } },
    { type: 'error', message: 'the file must be WAV, AIFF, MP3, FLAC, Ogg or Opus' },
  ]) {
    assert.deepEqual(separatorMessage.parse(message), message);
  }
  assert.equal(separatorMessage.safeParse({ type: 'progress', percent: 101 }).success, false);
  assert.equal(separatorMessage.safeParse({ type: 'done' }).success, false);
});

test('explains why an unavailable model is refused and accepts an available one', () => {
  for (const name of separationModelNames) {
    const refusal = modelRefusal(name);
    if (separationModels[name].available) assert.equal(refusal, null);
    else {
      assert.match(
        refusal ?? '',
        new RegExp(`^model must be hybrid_4 or hybrid_4_ft .*for now \\(got ${name}\\)`),
      );
      assert.ok(refusal?.includes(separationModels[name].description));
    }
  }
});
