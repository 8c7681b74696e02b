// What the build reads of the built-in packs: see src/policy/packs/prebuilt-packs.ts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { sourcesIn } from './up-to-date.mjs'

const CODE = `export { prebuildPacks } from './src/policy/packs/prebuilt-packs.ts'
export { isFastRegex } from './src/policy/compile/values/regex.ts'
export { checkRegex, regex } from './src/hook/services/regex.ts'`

/** As text, to be a constant of the program. */
export async function readAhead() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ahead-'))
  try {
    const outfile = join(folder, 'ahead.cjs')
    const stdin = { contents: CODE, resolveDir: process.cwd() }
    await build({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning' })
    const { default: code } = await import(pathToFileURL(outfile).href)
    const texts = sourcesIn('packs').flatMap(file =>
      /(pack|built-in|starter)\.yaml$/.test(file) ? readFileSync(file, 'utf8') : [],
    )
    const isSound = pattern => code.checkRegex(pattern) === null && code.isFastRegex(code.regex, pattern)
    return JSON.stringify(code.prebuildPacks(texts, isSound))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
