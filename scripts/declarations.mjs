// Writes the type declarations of the public API. The public files are compiled one by one, without what they import: so no
// declaration can show anything of the inside, and none takes longer than a moment.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'

const ENTRIES = ['index.ts', 'testing.ts', 'policy.ts']
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** What `file` imports of the public files: `api/verdicts.ts` for `./api/verdicts.ts` in `index.ts`. */
const importsOf = (file, text) =>
  [...text.matchAll(/from ['"](\.[^'"]+)\.ts['"]/g)].map(([, path]) => `${posix.join(posix.dirname(file), path)}.ts`)

/** All files that a declaration of an entry point leads to, with their declarations. */
export function writeDeclarations(out) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-types-'))
  try {
    const written = new Set()
    for (let wanted = ENTRIES; wanted.length > 0; ) {
      emit(wanted, folder)
      for (const file of wanted) written.add(file)
      const next = wanted.flatMap(file => importsOf(file, readFileSync(join(folder, declaration(file)), 'utf8')))
      wanted = [...new Set(next)].filter(file => !written.has(file))
      const inside = wanted.find(file => !/^(api|types)\//.test(file))
      if (inside) throw new Error(`the public types show ${inside}: move what uses it out of the public file`)
    }
    for (const file of written)
      write(join(out, declaration(file)), readFileSync(join(folder, declaration(file)), 'utf8'))
    return [...written].sort()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const declaration = file => file.replace(/\.ts$/, '.d.ts')

/** `--isolatedDeclarations`: an export without a written type is an error, not a guess. */
function emit(files, outDir) {
  const options = ['--declaration', '--emitDeclarationOnly', '--isolatedDeclarations', '--noCheck', '--noResolve']
  const target = [
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--allowImportingTsExtensions',
  ]
  const sources = files.map(file => join('src', file))
  const args = [TSC, '--ignoreConfig', ...options, ...target, '--types', '', '--rootDir', 'src', '--outDir', outDir]
  execFileSync(process.execPath, [...args, ...sources], { stdio: ['ignore', 'inherit', 'inherit'] })
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text.replace(/(from ['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2'))
}
