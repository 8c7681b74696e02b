// Bundles the program: the hook's hot path, what it rarely needs as files of their own, one for the command line.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
}

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist')
await Promise.all([
  // CommonJS: V8 keeps compiled code of scripts only, and `import` of a built-in module loads all that it offers
  build({
    ...common,
    entryPoints: { entry: 'src/cli/hook-entry.ts', engine: 'src/cli/hook.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { 'import.meta.url': '__filename', 'import.meta.dirname': '__dirname' },
  }),
  // `signalbox run`, which starts a command: the sooner the better
  build({
    ...common,
    entryPoints: ['src/cli/run-entry.ts'],
    outfile: 'dist/run.cjs',
    format: 'cjs',
    define: { 'import.meta.url': '__filename' },
  }),
  // `import { defineGate } from 'signalbox'`
  build({ ...common, entryPoints: ['src/runtime/define-gate.ts'], outfile: 'dist/index.mjs', format: 'esm' }),
  // the thread that code gates run in
  build({ ...common, entryPoints: ['src/runtime/code-worker.ts'], outfile: 'dist/code-worker.mjs', format: 'esm' }),
  // loaded by the hook with require() the first time they are needed
  build({
    ...common,
    entryPoints: { shell: 'src/shell/index.ts', regex: 'src/runtime/regex.ts', compiler: 'src/policy/compiler.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  }),
  // the package itself but for how it finds its binary, which stays where it is
  build({
    ...common,
    entryPoints: ['libsql'],
    outfile: 'dist/libsql.cjs',
    format: 'cjs',
    alias: { '@neon-rs/load': './scripts/libsql-target.cjs', 'detect-libc': './scripts/libsql-target.cjs' },
  }),
  build({
    ...common,
    entryPoints: ['src/cli/index.ts'],
    outfile: 'dist/cli.mjs',
    format: 'esm',
    banner: { js: "import { createRequire as ___r } from 'node:module';const require=___r(import.meta.url);" },
  }),
])

// The hook reads them as Latin-1, the quickest way. esbuild leaves regular expressions as they were written.
for (const name of readdirSync('dist').filter(one => one.endsWith('.cjs'))) {
  const code = readFileSync(`dist/${name}`, 'utf8')
  const ascii = code.replace(/[^\0-\x7f]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (ascii !== code) writeFileSync(`dist/${name}`, ascii)
}
