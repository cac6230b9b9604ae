import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAudioFile } from '@stem-studio/dsp/testing/audio-file';
