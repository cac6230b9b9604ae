/** A word that the project no longer uses, because the field has a better one. */
export interface RetiredWord {
  /** Name in messages and in the options of `tools/retired-words.ts`. */
  readonly name: string;
  /**
   * Forms that count, in lower case. A form of several parts (`one seconds`) matches `oneSeconds` and `one-seconds`.
   */
  readonly forms: readonly string[];
  /** Replacement. */
  readonly instead: string;
  /**
   * `everywhere`, or `names` for words that plain English needs: these count only in identifiers, file names and code
   * between backticks.
   */
  readonly in: 'everywhere' | 'names';
  /** Correct uses, which do not count. Matched against the whole line. */
  readonly allowed?: RegExp;
  /** Files in which the word is correct. */
  readonly allowedIn?: RegExp;
}

/** Fields of the wire format, of stored JSON and of the specification that keep their spelling. */
export const wireNames = /\b(sound_client|other_sound|oneSeconds)\b/g;

/** The retired words. `docs/glossary.md` and decision 0285 give the reasons. */
export const retiredWords: readonly RetiredWord[] = [
  { name: 'blow', forms: ['blow', 'blows'], in: 'everywhere', instead: 'onset, transient' },
  {
    name: 'stroke',
    forms: ['stroke', 'strokes', 'struck'],
    in: 'everywhere',
    instead: 'onset, transient',
    allowed:
      /stroke(Style|Rect|Text|Linecap|Linejoin|-width|-line|-dash|Width|\()|\.stroke\b|\bstroke:|\bkey ?strokes?|\bstroke=/g,
  },
  {
    name: 'booth',
    forms: ['booth', 'booths'],
    in: 'everywhere',
    instead: 'DJ engine',
    allowed: /\bdj\.booth\b|\bbooth (output|monitor)s?\b/g,
  },
  {
    name: 'place',
    forms: ['place', 'places'],
    in: 'everywhere',
    instead: 'position, offset, pan, index, slot, route: the exact one',
    allowed:
      /\bin place\b|\b(take|takes|took|taken|taking) (its |the |their )?place\b|\b(decimal|first) places?\b|\bplace cues?\b|\bplace-(items|content|self)\b/gi,
  },
  {
    name: 'heard',
    forms: ['heard'],
    in: 'everywhere',
    instead: 'detected, estimated',
  },
  { name: 'hear', forms: ['hear', 'hears', 'ears'], in: 'names', instead: 'detect, estimate' },
  {
    name: 'hand',
    forms: ['hand', 'hands'],
    in: 'everywhere',
    instead: 'manual (of a grid, a cue); controller, pointer',
    allowed: /\b(left|right|other)[- ]hand(ed)?\b|\bhand[-_ ](clap|drum)s?\b/gi,
  },
  {
    name: 'ones',
    forms: ['ones', 'one seconds'],
    in: 'names',
    instead: 'downbeats, downbeatSeconds',
    allowed: /\b(np|tf)\.ones(_like)?\b/g,
    // A field of stored grid rules, and of the account exports that contain them.
    allowedIn:
      /^packages\/server\/src\/(features\/analysis\/stored-grid-rule|stored-state\.test)|^docs\/decisions\/0265/,
  },
  { name: 'said', forms: ['said'], in: 'everywhere', instead: 'set by the user, stated' },
  { name: 'told', forms: ['told'], in: 'everywhere', instead: 'reported, notified, known' },
  { name: 'tell', forms: ['tell', 'tells'], in: 'names', instead: 'notify, report, onProgress' },
  { name: 'news', forms: ['news'], in: 'everywhere', instead: 'event, update' },
  {
    name: 'words',
    forms: ['words'],
    in: 'everywhere',
    instead: 'text, label, message, terms',
    allowed: /retired[- ]words?/gi,
    allowedIn: /^(packages\/server\/src\/features\/accounts\/common-|docs\/decisions\/0021-)/,
  },
  { name: 'wish', forms: ['wish', 'wishes', 'wished'], in: 'everywhere', instead: 'request, pending' },
  {
    name: 'picture',
    forms: ['picture', 'pictures'],
    in: 'everywhere',
    instead: 'chart, frame, cover art, image',
    allowedIn: /^packages\/server\/src\/features\/catalog\/tags\//,
    // Names of tag formats, of the libraries that read and write them, and of HTML.
    allowed:
      /METADATA_BLOCK_PICTURE|attached_pic|<picture\b|picture-in-picture|\bcommon\.picture\b|\bsetPictures\b|\btype (\{ )?Picture\b|Promise<Picture>/g,
  },
  {
    name: 'share',
    forms: ['share', 'shares'],
    in: 'names',
    instead: 'mask (of a bin)',
    allowed: /fair-?share|connection-shares|shares-of-the-connection/gi,
    allowedIn: /^(packages\/(?!dsp\/|separator\/)|e2e\/|tools\/)/,
  },
  {
    name: 'planes',
    forms: ['planes', 'plane lender'],
    in: 'everywhere',
    instead: 'spectrogram buffers, buffer pool',
  },
  { name: 'pace', forms: ['pace', 'paces'], in: 'everywhere', instead: 'rate' },
  {
    name: 'voice',
    forms: ['voice', 'voices'],
    in: 'everywhere',
    instead: 'source (of a deck), stem; voice only for singing and for the polyphony of a synthesiser',
    allowedIn:
      /^(packages\/(dsp|separator|contract)\/|packages\/renderer\/src\/sampler\/|bench\/|training\/|docs\/|README|tools\/build-native)/,
  },
  { name: 'desk', forms: ['desk', 'desks'], in: 'everywhere', instead: 'controller, command target' },
  {
    name: 'turn',
    forms: ['turn', 'turns'],
    in: 'names',
    instead: 'mutex, semaphore, acquire; continuous control',
    allowed: /\d+(\.\d+)?turn\b/g,
  },
  { name: 'presses', forms: ['presses'], in: 'names', instead: 'buttons' },
  {
    name: 'guests',
    forms: ['guest', 'guests'],
    in: 'everywhere',
    instead: 'waiting callers',
    // A common password.
    allowedIn: /^packages\/server\/src\/features\/accounts\/common-words/,
  },
  {
    name: 'first answers',
    forms: ['first answer', 'first answers'],
    in: 'names',
    instead: 'idempotent replies',
  },
  {
    name: 'aside',
    forms: ['aside'],
    in: 'everywhere',
    instead: 'staging, temporary file',
    // The HTML element, and the former name of the folder for staging files.
    allowed: /<\/?aside\b|^\s*aside\b|'\.?aside'|\bset aside\b/g,
  },
  { name: 'doomed', forms: ['doomed'], in: 'everywhere', instead: 'pending deletion' },
  { name: 'farewell', forms: ['farewell', 'farewells'], in: 'everywhere', instead: 'grace period' },
  {
    name: 'reckon',
    forms: ['reckon', 'reckons', 'reckoned', 'reckoning'],
    in: 'everywhere',
    instead: 'predict, compute',
  },
  {
    name: 'room',
    forms: ['room', 'rooms'],
    in: 'everywhere',
    instead: 'module, package, feature; space (on a disk)',
    // A room with reverberation.
    allowedIn: /^(packages\/dsp\/src\/synth\/|bench\/analysis-accuracy\/invented\/|training\/)/,
  },
  {
    name: 'house',
    forms: ['house', 'houses'],
    in: 'everywhere',
    instead: 'package, module, project',
    allowed:
      /\bin-house\b|\b(deep|tech|acid|progressive)\s+house\b|\bhouse[- ](music|pop)\b|['"](deep )?house['"]|\bgenre:house\b/gi,
  },
  {
    name: 'wall',
    forms: ['wall', 'walls'],
    in: 'everywhere',
    instead: 'dependency rule, boundary',
    allowed: /\bwall[- ](clock|time)\b|'-Wall'/gi,
  },
  { name: 'stray', forms: ['stray', 'strays'], in: 'everywhere', instead: 'mismatched, unexpected' },
  {
    name: 'foreign',
    forms: ['foreign'],
    in: 'everywhere',
    instead: 'unsupported, other',
    allowed: /\bforeign[- _]?keys?(_violation)?\b/gi,
  },
  {
    name: 'sound',
    forms: ['sound', 'sounds'],
    in: 'names',
    instead: 'audio, recording',
    // The handler name of MP4 audio tracks, the title of a paper, the instrument files of General MIDI, and a call of FluidSynth.
    allowed:
      /\bSoundHandler\b|\bdrum-sounds\b|\b(looping_?)?sound[-_ ]?fonts?\b|\bsounds_off\b|\bSoundCloud\b/gi,
  },
];
