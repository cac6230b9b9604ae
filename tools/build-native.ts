// `npm install --no-save @yowasp/clang@22.0.0-git20542-10 && node tools/build-native.ts [mp3|vorbis|notes]` compiles
// what is in packages/dsp/native to WebAssembly and writes them, as text, where they are imported from. The compiler is
// itself WebAssembly: it needs nothing of the system, gives the same bytes everywhere, and is only fetched for this.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from './command.ts';

const compiler = '@yowasp/clang';
const native = path.join(root, 'packages', 'dsp', 'native');

/** The programs, each with the folder of what it includes, if any, and what is to be said to the compiler. */
const programs = {
  mp3: { folder: 'minimp3', flags: ['-D__ARM_NEON=1'] },
  vorbis: { folder: 'stb', flags: ['-ffast-math', '-Wno-tautological-compare'] },
  notes: { folder: null, flags: [] },
} as const;

/** A program that is compiled. */
export type ProgramName = keyof typeof programs;

const flags = [
  '--target=wasm32-wasip1',
  '-mexec-model=reactor',
  '-O3',
  '-msimd128',
  '-Wall',
  '-Wno-unused-function',
  '-Wl,--strip-all',
  // A stack that overflows ends the run instead of writing over data.
  '-Wl,-z,stack-size=262144,--stack-first',
];

/** Files as the compiler takes them: a folder is a record, a file its bytes. */
interface Files {
  [name: string]: Files | Uint8Array;
}

function readFiles(folder: string): Files {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.endsWith('.md'))
      .sort()
      .map((name) => {
        const file = path.join(folder, name);
        return [name, statSync(file).isDirectory() ? readFiles(file) : readFileSync(file)];
      }),
  );
}

/** What identifies the sources of a program: the SHA-256 of their names, bytes and flags, in hexadecimal. */
export function hashSources(name: ProgramName): string {
  const { folder, flags: own } = programs[name];
  const hash = createHash('sha256').update(JSON.stringify([flags, own]));
  const included = folder === null ? [] : readdirSync(path.join(native, folder)).sort();
  for (const file of [`${name}.c`, ...included.map((part) => `${folder}/${part}`)]) {
    // A checkout on another system may end lines in another way.
    const text = readFileSync(path.join(native, file), 'utf8').replaceAll('\r\n', '\n');
    hash.update(`${file}\n${text}`);
  }
  return hash.digest('hex');
}

/** Where a compiled program stands. */
export function compiledPath(name: ProgramName): string {
  return path.join(root, 'packages', 'dsp', 'src', 'native', `${name}-wasm.ts`);
}

/** Names of the programs that are compiled. */
export const programNames = Object.keys(programs) as ProgramName[];

const compilerModule = z.object({
  commands: z.object({
    clang: z.custom<
      (args: string[], files: Files, options: { stderr(bytes: Uint8Array | null): void }) => Promise<Files>
    >((value) => typeof value === 'function'),
  }),
});

async function build(name: ProgramName): Promise<void> {
  const { commands } = compilerModule.parse(await import(compiler));
  const { folder, flags: own } = programs[name];
  const args = [...flags, ...own, ...(folder === null ? [] : [`-I${folder}`]), '-o', 'out.wasm', `${name}.c`];
  const made = await commands.clang(args, readFiles(native), {
    stderr: (bytes) => bytes && process.stderr.write(bytes),
  });
  const wasm = made['out.wasm'];
  if (!(wasm instanceof Uint8Array)) throw new Error(`the compiler must write a module (${name}: none)`);
  const text = `// Written by tools/build-native.ts from packages/dsp/native: not to be changed by hand.
// sources: ${hashSources(name)}
/** \`packages/dsp/native/${name}.c\`, compiled to WebAssembly with SIMD, in base 64. */
export const ${name}Wasm =
  '${Buffer.from(wasm).toString('base64')}';
`;
  writeFileSync(compiledPath(name), text);
  process.stdout.write(`${name}: ${wasm.length} bytes\n`);
}

if (import.meta.main) {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !programNames.some((known) => known === name));
  if (unknown.length > 0) {
    process.stderr.write(`no program "${unknown.join('", "')}": there are ${programNames.join(', ')}\n`);
    process.exit(2);
  }
  for (const name of programNames) if (asked.length === 0 || asked.includes(name)) await build(name);
}
