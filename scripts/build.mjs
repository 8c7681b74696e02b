// Bundles the program: the hook's hot path, what it rarely needs as files of their own, one for the command line.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { writeDeclarations } from './declarations.mjs'
import { buildForHost, NAME } from './native.mjs'
import { readAhead } from './prebuilt-packs.mjs'
import { buildUi } from './ui.mjs'
import { isUpToDate, madeOf, sha256, sourcesIn, stamp } from './up-to-date.mjs'

const made = madeOf()
if (isUpToDate('dist', made, NAME)) process.exit()

/** Our modules do nothing on load, so a bundle leaves out every module that it uses nothing of. */
const leaveOutUnusedModules = {
  name: 'leave-out-unused-modules',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) =>
      path.endsWith('.ts') ? { path: resolve(resolveDir, path), sideEffects: false } : undefined,
    ),
}

/**
 * Functions of a folder of the engine that a bundle loads from a file of its own when it first calls one of them. `up` is the way from
 * the bundle to the folder of that file.
 */
const loadedWhenCalled = (folder, imports, functions, up = '.') => ({
  name: `${folder}-in-its-own-file`,
  setup: ({ onResolve, onLoad }) => {
    const file = `${up}/${folder}.cjs`
    onResolve({ filter: imports }, ({ kind }) =>
      // the file itself is made from the same folder
      kind === 'entry-point' ? undefined : { path: folder, namespace: 'loaded-when-called', sideEffects: false },
    )
    onResolve({ filter: /\.cjs$/ }, ({ path }) => (path === file ? { path, external: true } : undefined))
    onLoad({ filter: /^/, namespace: 'loaded-when-called' }, ({ path }) =>
      path === folder
        ? {
            contents: functions
              .map(name => `export const ${name} = (...args) => require('${file}').${name}(...args)`)
              .join('\n'),
          }
        : undefined,
    )
  },
})

/** For what rarely reads shell lines, such as examples of gates. */
const shellInItsOwnFile = up =>
  loadedWhenCalled(
    'shell',
    /\/engine\/shell\/index\.ts$/,
    ['actionsOfToolShape', 'analysePowershellLine', 'analyseShellLine', 'parsePatchActions'],
    up,
  )

/** For the hook: a plain shell call needs nothing of it. */
const toolShapeInItsOwnFile = loadedWhenCalled('tool-shape', /\/tool-shape\/index\.ts$/, [
  'inferToolShape',
  'namesChange',
  'namesOnlyReading',
  'namesRemoval',
  'scanToolInput',
  'urlsOfMcpTool',
  'wordsOfToolName',
])

/** For the shell reader: most lines call no program of these tables. The files of the command line and of the API lie one folder below. */
const readOnlyTables = up =>
  loadedWhenCalled('read-only', /\/read-only\/index\.ts$/, ['isHelp', 'isReadOnlyCommand'], up)

/** For the shell reader: only a call in doubt needs it. */
const embeddedCode = up =>
  loadedWhenCalled('embedded-code', /\/embedded-code\/index\.ts$/, ['findEmbeddedParts', 'readWindowsLine'], up)

/** The same for programs such as docker, which run a command, and for programs that write a log. */
const rareTables = up =>
  loadedWhenCalled(
    'rare-programs',
    /\/rare-programs\/index\.ts$/,
    ['gitOptionsOf', 'optionsOf', 'runSpecsOf', 'sideFilesOf'],
    up,
  )

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  // some packages have their ES modules, which can be bundled in part, in `module` only
  mainFields: ['module', 'main'],
  plugins: [leaveOutUnusedModules],
}

// what one build has compiled, another with the same version must not take for its own
const SIGNALBOX_BUILD = JSON.stringify(sha256(sourcesIn('src', 'packs')).slice(0, 16))
const SIGNALBOX_AHEAD = JSON.stringify(await readAhead())
const clients = readdirSync('src/clients', { withFileTypes: true }).flatMap(entry =>
  entry.isDirectory() && entry.name !== 'adapter' ? entry.name : [],
)

// made beside it and put in its place: agents may be calling the hook of this very folder
const OUT = `dist.${process.pid}`
mkdirSync(OUT)
await Promise.all([
  // what a browser is given
  buildUi(`${OUT}/ui`, 'dist/ui'),
  // CommonJS: V8 keeps compiled code of scripts only, and `import` of a built-in module loads all that it offers
  build({
    ...common,
    entryPoints: { entry: 'src/hook/entry/hook-entry.ts', engine: 'src/hook/entry/hook-process.ts' },
    outdir: OUT,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [toolShapeInItsOwnFile, ...common.plugins],
    define: { 'import.meta.url': '__filename', 'import.meta.dirname': '__dirname', SIGNALBOX_BUILD },
  }),
  // `signalbox run`, which starts a command: the sooner the better
  build({
    ...common,
    entryPoints: ['src/app/cli/entry/run-entry.ts'],
    outfile: `${OUT}/run.cjs`,
    format: 'cjs',
    define: { 'import.meta.url': '__filename' },
  }),
  // `signalbox stats`: most of the command line is for other commands
  build({
    ...common,
    entryPoints: ['src/app/cli/entry/stats-entry.ts'],
    outfile: `${OUT}/stats.cjs`,
    format: 'cjs',
    define: { 'import.meta.url': '__filename', 'import.meta.dirname': '__dirname', SIGNALBOX_BUILD },
    external: ['libsql'],
  }),
  // the process that stays: a listener around the very engine that the hook runs
  build({
    ...common,
    entryPoints: ['src/hook/entry/daemon-entry.ts'],
    outfile: `${OUT}/daemon.cjs`,
    format: 'cjs',
    define: { 'import.meta.url': '__filename', 'import.meta.dirname': '__dirname', SIGNALBOX_BUILD },
  }),
  // the dashboard's server: a process of its own, started by the command that needs it
  build({
    ...common,
    entryPoints: ['src/app/cli/entry/dashboard-entry.ts'],
    outfile: `${OUT}/dashboard.mjs`,
    format: 'esm',
    plugins: [shellInItsOwnFile('.'), ...common.plugins],
    define: { SIGNALBOX_BUILD, SIGNALBOX_AHEAD },
    banner: { js: "import { createRequire as ___r } from 'node:module';const require=___r(import.meta.url);" },
  }),
  // `import { defineGate } from 'signalbox'`
  build({ ...common, entryPoints: ['src/index.ts'], outfile: `${OUT}/index.mjs`, format: 'esm' }),
  // `signalbox/testing` and `signalbox/policy`, with what both of them need beside them, and the verifier in a file of its own
  build({
    ...common,
    entryPoints: { testing: 'src/testing.ts', policy: 'src/policy.ts', 'api/check': 'src/api/check.ts' },
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'api/[hash]',
    format: 'esm',
    splitting: true,
    plugins: [shellInItsOwnFile('..'), ...common.plugins],
    define: { SIGNALBOX_BUILD, SIGNALBOX_AHEAD },
    banner: { js: "import { createRequire as ___r } from 'node:module';const require=___r(import.meta.url);" },
  }),
  // the thread that code gates run in
  build({
    ...common,
    entryPoints: ['src/hook/subhooks/code-worker.ts'],
    outfile: `${OUT}/code-worker.mjs`,
    format: 'esm',
  }),
  // the process that the daemon runs them in
  build({
    ...common,
    entryPoints: ['src/hook/subhooks/code-process.ts'],
    outfile: `${OUT}/code-process.mjs`,
    format: 'esm',
  }),
  // one for each client: the hook loads the one it is called for
  build({
    ...common,
    entryPoints: Object.fromEntries(clients.map(id => [`client-${id}`, `src/clients/${id}/index.ts`])),
    outdir: OUT,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  }),
  // loaded by the hook with require() the first time they are needed
  build({
    ...common,
    entryPoints: {
      shell: 'src/engine/shell/index.ts',
      'embedded-code': 'src/engine/shell/programs/embedded-code/index.ts',
      'read-only': 'src/engine/shell/programs/read-only/index.ts',
      'rare-programs': 'src/engine/shell/programs/rare-programs/index.ts',
      'tool-shape': 'src/engine/tool-shape/index.ts',
      regex: 'src/hook/services/regex.ts',
      'debug-trace': 'src/hook/reply/debug-trace.ts',
    },
    outdir: OUT,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [readOnlyTables('.'), rareTables('.'), embeddedCode('.'), ...common.plugins],
    define: { 'import.meta.url': '__filename' },
  }),
  build({
    ...common,
    entryPoints: ['src/policy/compile/compiler.ts'],
    outfile: `${OUT}/compiler.cjs`,
    format: 'cjs',
    define: { SIGNALBOX_AHEAD },
    plugins: [shellInItsOwnFile('.'), toolShapeInItsOwnFile, ...common.plugins],
  }),
  // the package itself but for how it finds its binary, which stays where it is
  build({
    ...common,
    entryPoints: ['libsql'],
    outfile: `${OUT}/libsql.cjs`,
    format: 'cjs',
    alias: { '@neon-rs/load': './scripts/libsql-target.cjs', 'detect-libc': './scripts/libsql-target.cjs' },
  }),
  // the command line: a file for each command and for what several share, loaded by the command that runs
  build({
    ...common,
    entryPoints: { cli: 'src/app/cli/index.ts' },
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'cli/[name]-[hash]',
    format: 'esm',
    splitting: true,
    plugins: [shellInItsOwnFile('..'), ...common.plugins],
    define: { SIGNALBOX_BUILD, SIGNALBOX_AHEAD },
    banner: { js: "import { createRequire as ___r } from 'node:module';const require=___r(import.meta.url);" },
  }),
])

// The hook reads them as Latin-1, the quickest way. esbuild leaves regular expressions as they were written.
for (const name of readdirSync(OUT).filter(one => one.endsWith('.cjs'))) {
  const code = readFileSync(`${OUT}/${name}`, 'utf8')
  const ascii = code.replace(/[^\0-\x7f]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (ascii !== code) writeFileSync(`${OUT}/${name}`, ascii)
}

writeDeclarations(`${OUT}/types`)

// by which the native hook knows a daemon of another build
writeFileSync(`${OUT}/build`, `${JSON.parse(SIGNALBOX_BUILD)}\n`)
// nothing depends on it: where there is no compiler the hook is this bundle
const problem = buildForHost(`${OUT}/native/${NAME}`)
if (problem) console.error(`the native hook could not be built:\n${problem}`)

const OLD = `${OUT}.old`
if (existsSync('dist')) renameSync('dist', OLD)
renameSync(OUT, 'dist')
rmSync(OLD, { recursive: true, force: true })
stamp('dist', made)
