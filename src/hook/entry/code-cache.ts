import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import * as vm from 'node:vm'

/** What `require` gives, whatever that is. */
export type LoadBundle = (file: string) => ReturnType<NodeJS.Require>

/**
 * `require` for our own bundles, with the code as V8 compiled it the last time: half of what a one-shot hook spends on
 * itself. V8 crashes on a damaged cache, and a crash is an approval: it is kept twice in its file, and used only if both
 * are the same. That is quicker to see than any checksum.
 * Without a folder for it nothing is kept.
 */
export function createCachedLoader(folder: string, cache: string | undefined): LoadBundle {
  const loaded = new Map<string, ReturnType<LoadBundle>>()
  /** what V8 compiled anew, to be kept when the answer is out */
  const fresh: (() => void)[] = []
  return name => {
    const file = join(folder, name)
    if (loaded.has(file)) return loaded.get(file)
    // the build writes ASCII only, and this is the quickest way to read that
    const source = readFileSync(file, 'latin1')
    const kept = cache && join(cache, `${basename(file)}-${process.version}-${process.arch}-${stampOf(file)}`)
    const cachedData = kept && readCodeCache(kept)
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`
    const script = new vm.Script(wrapped, { filename: file, ...(cachedData && { cachedData }) })
    if (kept && (!cachedData || script.cachedDataRejected)) {
      // one listener for all: Node warns of more than ten, and that would be read by an agent
      if (fresh.length === 0) {
        process.once('exit', () => {
          for (const one of fresh) one()
        })
      }
      fresh.push(() => writeCodeCache(kept, script.createCachedData()))
    }
    const module = { exports: {} }
    script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file))
    loaded.set(file, module.exports)
    return module.exports
  }
}

function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(file)
  return `${Math.round(mtimeMs).toString(36)}-${size.toString(36)}`
}

function readCodeCache(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file)
    const half = bytes.length / 2
    return half > 0 && bytes.subarray(0, half).equals(bytes.subarray(half)) ? bytes.subarray(0, half) : undefined
  } catch {
    return undefined
  }
}

/** After the answer, once for each version. A cache that cannot be written costs time, nothing else. */
function writeCodeCache(file: string, data: Buffer): void {
  const draft = `${file}.${process.pid}.tmp`
  try {
    // the state folder is there by now, or nothing can be kept
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 })
    writeFileSync(draft, Buffer.concat([data, data]), { mode: 0o600 })
    renameSync(draft, file)
    const family = basename(file).replace(/-[^-]*-[^-]*$/, '')
    for (const name of readdirSync(dirname(file)))
      if (name.startsWith(family) && name !== basename(file)) rmSync(join(dirname(file), name), { force: true })
  } catch {
    rmSync(draft, { force: true })
  }
}
