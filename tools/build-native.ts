// `npm install --no-save @yowasp/clang@22.0.0-git20542-10 && node tools/build-native.ts [NAME …]` compiles the programs in
// packages/dsp/native to WebAssembly and writes them as text to packages/dsp/src/native. The compiler is itself
// WebAssembly: it needs nothing of the system, writes the same bytes everywhere, and is installed only for this.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from './command.ts';

const compiler = '@yowasp/clang';

/** Names of the programs that are compiled: each is one C file. */
export const programNames = ['notes', 'voice', 'beats', 'medians', 'samples', 'spectra'] as const;

/** A program that is compiled. */
export type ProgramName = (typeof programNames)[number];

const flags = [
  '--target=wasm32-wasip1',
  '-mexec-model=reactor',
  '-O3',
  '-msimd128',
  '-Wall',
  '-Wno-unused-function',
  '-Wl,--strip-all',
  // A stack overflow ends the run instead of overwriting data.
  '-Wl,-z,stack-size=262144,--stack-first',
];

/** Flags of single programs. */
const extraFlags: Readonly<Record<ProgramName, readonly string[]>> = {
  notes: [],
  // Fused multiplication and addition where the processor has it.
  voice: ['-mrelaxed-simd'],
  beats: ['-mrelaxed-simd'],
  medians: [],
  samples: [],
  spectra: [],
};

/** Returns the SHA-256 of the source of a program and of the compiler's flags, in hexadecimal. */
export function hashSources(name: ProgramName): string {
  // A checkout on another system may end lines differently.
  const text = readFileSync(sourcePath(name), 'utf8').replaceAll('\r\n', '\n');
  return createHash('sha256')
    .update(JSON.stringify([...flags, ...extraFlags[name]]))
    .update(`${name}.c\n${text}`)
    .digest('hex');
}

function sourcePath(name: ProgramName): string {
  return path.join(root, 'packages', 'dsp', 'native', `${name}.c`);
}

/** Returns the path of the module that contains a compiled program. */
export function compiledPath(name: ProgramName): string {
  return path.join(root, 'packages', 'dsp', 'src', 'native', `${name}-wasm.ts`);
}

type Stream = (bytes: Uint8Array | null) => void;

const compilerModule = z.object({
  commands: z.object({
    clang: z.custom<
      (
        args: string[] | null,
        files?: Record<string, Uint8Array>,
        options?: { stdout?: Stream; stderr?: Stream; fetchProgress?(): void },
      ) => Promise<Record<string, Uint8Array>>
    >((value) => typeof value === 'function'),
  }),
});

async function build(name: ProgramName): Promise<void> {
  const { commands } = compilerModule.parse(await import(compiler));
  const args = [...flags, ...extraFlags[name]];
  const compilerArgs = args.filter((flag) => !flag.startsWith('-Wl,') && !flag.startsWith('-mexec-model'));
  const source = { [`${name}.c`]: readFileSync(sourcePath(name)) };
  const stderr: Stream = (bytes) => bytes && process.stderr.write(bytes);
  // Without arguments the compiler is only loaded.
  await commands.clang(null, {}, { fetchProgress() {} });
  // An object file contains all buffers, up to 68 MB of zeros. The compiler's file system copies the whole file at every
  // write of 4 KB, so the object goes through the standard output.
  const parts: Uint8Array[] = [];
  const stdout: Stream = (bytes) => bytes && parts.push(bytes.slice());
  await commands.clang([...compilerArgs, '-c', '-o', '-', `${name}.c`], source, {
    stdout,
    stderr,
  });
  const object = { [`${name}.o`]: new Uint8Array(Buffer.concat(parts)) };
  const outputs = await commands.clang([...args, '-o', 'out.wasm', `${name}.o`], object, { stderr });
  const wasm = outputs['out.wasm'];
  if (!(wasm instanceof Uint8Array))
    throw new Error(`the compiler must write a module (got none for ${name})`);
  const text = `// Written by tools/build-native.ts from packages/dsp/native: do not edit.
// sources: ${hashSources(name)}
/** \`packages/dsp/native/${name}.c\`, compiled to WebAssembly with SIMD, in base 64. */
export const ${name}Wasm =
  '${Buffer.from(wasm).toString('base64')}';
`;
  writeFileSync(compiledPath(name), text);
  process.stdout.write(`${name}: ${wasm.length} bytes\n`);
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !programNames.some((known) => known === name));
  if (unknown.length > 0) {
    process.stderr.write(`unknown program "${unknown.join('", "')}": use ${programNames.join(', ')}\n`);
    process.exit(2);
  }
  for (const name of programNames) if (names.length === 0 || names.includes(name)) await build(name);
}
