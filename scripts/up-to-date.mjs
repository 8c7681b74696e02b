// Whether `dist` is what the sources of now make. `npm test`, `npm run demo` and others build first: mostly there is nothing to do.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Not in `dist`: all of that is copied by `init`, and named by what is in it. */
const STAMP = 'node_modules/.cache/signalbox-built.json'

const filesIn = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => join(one.parentPath ?? one.path, one.name))
    .filter(file => !/(^|\/)node_modules\//.test(file))
    .sort()

export function sha256(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

export const sourcesIn = (...folders) => folders.flatMap(filesIn)

/** All that a build reads. The lock says which version of each tool. */
const inputs = () => [...sourcesIn('src', 'packs', 'native', 'scripts', 'ui'), 'package.json', 'package-lock.json']

/** Made by a build and touched by nobody since. */
const outputs = dist =>
  filesIn(dist).map(file => [file.slice(dist.length), statSync(file).size, statSync(file).mtimeMs])

/** Taken before the build: what is changed meanwhile is not in it. */
export const madeOf = () => `${sha256(inputs())} ${process.env.CC ?? ''}`

export function stamp(dist, made) {
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, JSON.stringify({ made, outputs: outputs(dist) }))
}

/** Where the native hook is missing a compiler may be there by now. */
export function isUpToDate(dist, made, hook) {
  if (!existsSync(STAMP) || !existsSync(join(dist, 'native', hook))) return false
  return readFileSync(STAMP, 'utf8') === JSON.stringify({ made, outputs: outputs(dist) })
}
