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

const readText = file => readFileSync(file, 'utf8')

/** Is it the built-in policy, the one that `init` writes, or a pack that one of them names? */
function isInFirstPolicy(file) {
  const id = /^packs\/([^/]+)\/pack\.yaml$/.exec(file.replaceAll('\\', '/'))?.[1]
  if (id === undefined) return true
  const names = new RegExp(`^\\s*(# )?- ${id}(:|$)`, 'm')
  return ['packs/built-in.yaml', 'packs/starter.yaml'].some(one => names.test(readText(one)))
}

/** As text, to be a constant of the program. */
export async function readAhead() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ahead-'))
  try {
    const outfile = join(folder, 'ahead.cjs')
    const stdin = { contents: CODE, resolveDir: process.cwd() }
    await build({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning' })
    const { default: code } = await import(pathToFileURL(outfile).href)
    const isSound = pattern => code.checkRegex(pattern) === null && code.isFastRegex(code.regex, pattern)
    // the others are read once for each change of a policy that uses them: here they would be half of each bundle
    const packs = sourcesIn('packs').filter(
      file => /(pack|built-in|starter)\.yaml$/.test(file) && isInFirstPolicy(file),
    )
    return JSON.stringify(code.prebuildPacks(packs.map(readText), isSound))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
