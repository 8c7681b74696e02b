import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isObject } from '../../../lib/json.ts'
import { NATIVE_PACKAGE } from './native-hook.ts'

/** One file of the program: its source, and its path in a copy. */
export interface ProgramFile {
  readonly from: string
  readonly to: string
  readonly size: number
}

/** All files the program needs, wherever it was unpacked: a checkout, a global folder, the `npx` cache. */
export function listProgramFiles(program: string): readonly ProgramFile[] {
  const { files } = readPackageJson(program)
  const own = [...(Array.isArray(files) ? files.map(String) : []), 'package.json'].flatMap(name =>
    filesUnder(join(program, name), name),
  )
  const other = otherLibc()
  const needed = ['libsql', NATIVE_PACKAGE].flatMap(name => packageFiles(name, program, other, new Set()))
  return [...own, ...needed].sort((a, b) => (a.to < b.to ? -1 : 1))
}

/** A short hash of the files. For large binaries the name and size are enough. */
export function fingerprintOf(files: readonly ProgramFile[]): string {
  const hash = createHash('sha256')
  for (const { from, to, size } of files)
    hash.update(`${to}\0${size}\0`).update(size < LARGE_FILE ? readFileSync(from) : '')
  return hash.digest('hex').slice(0, 8)
}

const LARGE_FILE = 2_000_000

function filesUnder(from: string, to: string): readonly ProgramFile[] {
  const stat = statSync(from, { throwIfNoEntry: false })
  if (!stat) return []
  if (stat.isFile()) return [{ from, to, size: stat.size }]
  return readdirSync(from).flatMap(name => filesUnder(join(from, name), join(to, name)))
}

/** A package and its installed dependencies. Without them, a Node with built-in SQLite still works. */
function packageFiles(name: string, from: string, other: string, seen: Set<string>): readonly ProgramFile[] {
  const folder = packageFolder(name, from)
  if (!folder || seen.has(name) || name.endsWith(other)) return []
  seen.add(name)
  const { dependencies, optionalDependencies } = readPackageJson(folder)
  const needed = Object.keys({ ...toRecord(dependencies), ...toRecord(optionalDependencies) })
  const own = readdirSync(folder).filter(text => text !== 'node_modules')
  return [
    ...own.flatMap(text => filesUnder(join(folder, text), join('node_modules', name, text))),
    ...needed.flatMap(text => packageFiles(text, folder, other, seen)),
  ]
}

/** Suffix of packages for the other C library, which npm may have installed too. The report takes milliseconds, so it is made once. */
const otherLibc = (): string => {
  const report = process.platform === 'linux' ? process.report?.getReport() : undefined
  const header = isObject(report) && isObject(report.header) ? report.header : {}
  return process.platform !== 'linux' || header.glibcVersionRuntime ? '-musl' : '-gnu'
}

/** The folder where Node would find the package. `require.resolve` fails if a package does not export its package.json. */
const packageFolder = (name: string, from: string): string | undefined =>
  createRequire(join(from, 'package.json'))
    .resolve.paths(name)
    ?.map(folder => join(folder, name))
    .find(folder => existsSync(join(folder, 'package.json')))

function readPackageJson(folder: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return isObject(value) ? value : {}
}

const toRecord = (value: unknown) => (isObject(value) ? value : {})
