import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import * as vm from 'node:vm'
import { readRegularFileBytes } from '../../lib/files.ts'

/** Loads a bundle and returns its exports. */
export type LoadBundle = (file: string) => ReturnType<NodeJS.Require>

/**
 * `require` for our own bundles with V8's code cache, which saves half of a one-shot hook's own time. V8 crashes on a damaged cache,
 * and a crashed hook lets the call pass. So the file holds the cache twice, and it is used only if both copies are equal. That is
 * faster than any checksum. Without a cache folder nothing is stored.
 */
export function createCachedLoader(folder: string, cache: string | undefined): LoadBundle {
  const loaded = new Map<string, ReturnType<LoadBundle>>()
  /** caches of newly compiled bundles, written when the reply is out */
  const fresh: (() => void)[] = []
  const load: LoadBundle = name => {
    const file = join(folder, name)
    if (loaded.has(file)) return loaded.get(file)
    // the build writes only ASCII, and `latin1` is the fastest way to read it
    const source = readFileSync(file, 'latin1')
    const cacheFile = cache && join(cache, `${basename(file)}-${process.version}-${process.arch}-${stampOf(file)}`)
    const cachedData = cacheFile && readCodeCache(cacheFile)
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`
    const script = new vm.Script(wrapped, { filename: file, ...(cachedData && { cachedData }) })
    if (cacheFile && (!cachedData || script.cachedDataRejected)) {
      // one listener for all: Node warns about more than ten, and the agent would read the warning
      if (fresh.length === 0) {
        process.once('exit', () => {
          for (const item of fresh) item()
        })
      }
      fresh.push(() => writeCodeCache(cacheFile, script.createCachedData()))
    }
    const module = { exports: {} }
    script.runInThisContext()(module.exports, requireFrom(file, load), module, file, dirname(file))
    loaded.set(file, module.exports)
    return module.exports
  }
  return load
}

/** `require` for a bundle: the bundles beside it come from the code cache too. */
function requireFrom(file: string, load: LoadBundle): NodeJS.Require {
  const requireFile = createRequire(file)
  const requireBundle = (id: string): ReturnType<LoadBundle> => {
    const isBundle = /^\.\/[\w-]+\.cjs$/.test(id) && existsSync(join(dirname(file), id))
    return isBundle ? load(id) : requireFile(id)
  }
  return Object.assign(requireBundle, requireFile)
}

function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(file)
  return `${Math.round(mtimeMs).toString(36)}-${size.toString(36)}`
}

function readCodeCache(file: string): Buffer | undefined {
  try {
    const bytes = readRegularFileBytes(file)
    const half = bytes.length / 2
    return half > 0 && bytes.subarray(0, half).equals(bytes.subarray(half)) ? bytes.subarray(0, half) : undefined
  } catch {
    return undefined
  }
}

/** Runs after the reply, once per version. If the cache cannot be written, the next start is slower. */
function writeCodeCache(file: string, data: Buffer): void {
  const draft = `${file}.${process.pid}.tmp`
  try {
    // by now the state folder exists, or nothing can be stored
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 })
    writeFileSync(draft, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
    const prefix = basename(file).replace(/-[^-]*-[^-]*$/, '')
    for (const name of readdirSync(dirname(file)))
      if (name.startsWith(prefix) && name !== basename(file)) rmSync(join(dirname(file), name), { force: true })
  } catch {
    rmSync(draft, { force: true })
  }
}
