import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deckMessages } from '../events/decks.ts';
import { effectSlot } from '../resources/deck-effect.ts';
import { applyDeckMessage } from './apply-deck-message.ts';
import { createDeckSessionState } from './deck-session-state.ts';
import { changesForMacro, changesForType, createEffectSlot } from './effect-slot.ts';
import { effectParameterCount, effectPosition, effectSpecs, effectTypes, effectValue } from './effects.ts';

test('every type has a valid slot, and parameters whose values have a position', () => {
  for (const type of effectTypes) {
    effectSlot.parse(createEffectSlot(type));
    const { parameters } = effectSpecs[type];
    assert.ok(parameters.length > 0 && parameters.length <= effectParameterCount, type);
    for (const spec of parameters)
      for (const position of [0, 1 / 3, 2 / 3, 1]) {
        const value = effectValue(spec, position);
        assert.ok(value >= spec.min - 1e-9 && value <= spec.max + 1e-9, `${type} ${spec.name}`);
        assert.ok(Math.abs(effectValue(spec, effectPosition(spec, value)) - value) < 1e-6 * spec.max);
      }
  }
});

test('the macro moves the parameters that belong to it and leaves the others where they are', () => {
  for (const type of effectTypes) {
    const slot = {
      ...createEffectSlot(type),
      parameters: [0.11, 0.22, 0.33, 0.44] as [number, number, number, number],
    };
    const low = changesForMacro(slot, 0).parameters ?? assert.fail();
    const high = changesForMacro(slot, 1).parameters ?? assert.fail();
    const { parameters } = effectSpecs[type];
    assert.ok(
      parameters.some((spec) => spec.macro),
      type,
    );
    for (let index = 0; index < effectParameterCount; index++) {
      const macro = parameters[index]?.macro ?? null;
      const expected = macro ?? [slot.parameters[index], slot.parameters[index]];
      assert.deepEqual([low[index], high[index]], [...expected], `${type} ${index}`);
    }
  }
});

test('another type brings its settings and keeps the slot on, before or after the fader', () => {
  const session = createDeckSessionState();
  const after = applyDeckMessage(
    session,
    { event: 'set_effect', deck: 'a', slot: 0, changes: { is_on: true, is_post_fader: false } },
    { now: 0 },
  );
  const flanged = applyDeckMessage(
    after,
    { event: 'set_effect', deck: 'a', slot: 0, changes: changesForType('flanger') },
    { now: 0 },
  );
  assert.deepEqual(flanged.decks.a.effects[0], {
    ...createEffectSlot('flanger'),
    is_on: true,
    is_post_fader: false,
  });
  assert.deepEqual(flanged.decks.a.effects[1], session.decks.a.effects[1]);
});

test('effects stay when another track is loaded, and the effect on the master when the mixer changes', () => {
  const session = [
    { event: 'set_effect', deck: 'b', slot: 1, changes: { is_on: true, wet: 0.25 } },
    { event: 'set_mixer', changes: { effect: { is_on: true } } },
    { event: 'set_mixer', changes: { crossfader: 1, effect: { wet: 0.75 } } },
    { event: 'load_track', deck: 'b', track_id: '0198c0de-0000-7000-8000-000000000001' },
  ].reduce((state, message) => {
    const { event, ...payload } = message;
    const parsed = deckMessages[event as 'set_mixer'].parse(payload);
    return applyDeckMessage(state, { ...parsed, event: event as 'set_mixer' }, { now: 0 });
  }, createDeckSessionState());
  const [, second] = session.decks.b.effects;
  assert.deepEqual([second.is_on, second.wet], [true, 0.25]);
  assert.deepEqual([session.mixer.effect.is_on, session.mixer.effect.wet], [true, 0.75]);
});

test('a message about a slot that a deck lacks, or with a setting out of range, is refused', () => {
  const { set_effect } = deckMessages;
  assert.equal(set_effect.safeParse({ deck: 'a', slot: 2, changes: { is_on: true } }).success, false);
  assert.equal(set_effect.safeParse({ deck: 'a', slot: 0, changes: { wet: 1.5 } }).success, false);
  assert.equal(set_effect.safeParse({ deck: 'a', slot: 0, changes: { beats: 5 } }).success, false);
  assert.equal(set_effect.safeParse({ deck: 'a', slot: 0, changes: { type: 'wah' } }).success, false);
});
