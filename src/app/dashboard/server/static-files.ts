import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tryOr } from '../../../lib/errors.ts'

export interface StaticAsset {
  readonly bytes: Buffer
  readonly zipped: Buffer | undefined
  readonly type: string
  /** the file name contains a content hash, so it can be cached forever */
  readonly lasts: boolean
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json',
  txt: 'text/plain; charset=utf-8',
}
const COMPRESSIBLE = /^(text\/|application\/|image\/svg)/

const UNBUILT_PAGE = `<!doctype html><meta charset="utf-8"><title>Signalbox</title>
<h1>The dashboard pages are not built</h1><p>This copy of Signalbox has no <code>dist/ui</code>. The HTTP API works.</p>
`

/**
 * The built pages, which contain no data. The folder is listed once, and a path must be in that list, so no path can leave the folder.
 */
export class StaticFiles {
  readonly #names: ReadonlySet<string>
  readonly #read = new Map<string, StaticAsset>()

  constructor(private readonly folder: string) {
    this.#names = new Set(listFiles(folder))
  }

  /** A path without a dot in its last part is a page, served by `index.html`. */
  find(path: string): StaticAsset | undefined {
    const name = path.replace(/^\//, '')
    if (this.#names.has(name)) return this.#asset(name)
    if (/\.[^/]*$/.test(path)) return undefined
    return this.#names.has('index.html')
      ? this.#asset('index.html')
      : createAsset(Buffer.from(UNBUILT_PAGE), 'index.html')
  }

  #asset(name: string): StaticAsset {
    const known = this.#read.get(name)
    if (known) return known
    const made = createAsset(readFileSync(join(this.folder, name)), name)
    this.#read.set(name, made)
    return made
  }
}

const listFiles = (folder: string): readonly string[] =>
  tryOr([], () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(one => one.isFile())
      .map(one => join(one.parentPath ?? one.path, one.name).slice(folder.length + 1)),
  )

function createAsset(bytes: Buffer, name: string): StaticAsset {
  const type = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  const zipped = COMPRESSIBLE.test(type) && bytes.length > 1024 ? gzipSync(bytes) : undefined
  return { bytes, zipped, type, lasts: name.startsWith('assets/') }
}
