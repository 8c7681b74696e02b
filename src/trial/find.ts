import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findNested } from '../policy/index.ts'
import { siteOf } from './policy.ts'

const IS_TEST = /\.test\.ya?ml$/

/** Beside the policy, and in a folder of this name next to it. */
const FOLDER = 'signalbox'

/** The files of tests that are meant: those named, those in folders named, else those that belong to the policy here, and to those of folders below. */
export function findTests(
  named: readonly string[],
  cwd: string,
  home: string,
): readonly string[] | { readonly problem: string } {
  if (named.length === 0) return testsHere(cwd, home)
  const files: string[] = []
  for (const name of named) {
    const path = resolve(cwd, name)
    const stat = statOf(path)
    if (!stat) return { problem: `there is no \`${name}\`` }
    const found = stat.isDirectory() ? inFolder(path) : [path]
    if (found.length === 0) return { problem: `there is no *.test.yaml in \`${name}\`` }
    files.push(...found)
  }
  return [...new Set(files)]
}

function testsHere(cwd: string, home: string): readonly string[] | { readonly problem: string } {
  const { root, folder = cwd } = siteOf(resolve(cwd), home)
  const nested = findNested(resolve(cwd), home).folders
  const found = [...new Set([root, folder, ...nested])].flatMap(one => [
    ...list(one)
      .filter(name => IS_TEST.test(name))
      .map(name => join(one, name)),
    ...(existsSync(join(one, FOLDER)) ? inFolder(join(one, FOLDER)) : []),
  ])
  return found.length > 0
    ? [...new Set(found)]
    : { problem: `there is no *.test.yaml beside the policy or in \`${FOLDER}/\` next to it` }
}

/** Undefined also where a link leads in a circle. */
function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const MOST_FILES = 10_000

/** Of any depth, but not in what others have installed or hidden there. */
function inFolder(folder: string): readonly string[] {
  const found: string[] = []
  const folders = [folder]
  for (let at = folders.pop(); at !== undefined && found.length < MOST_FILES; at = folders.pop())
    for (const entry of entries(at)) {
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        folders.push(join(at, entry.name))
      if (entry.isFile() && IS_TEST.test(entry.name)) found.push(join(at, entry.name))
    }
  return found.sort()
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

const list = (folder: string): readonly string[] =>
  entries(folder)
    .flatMap(one => (one.isFile() ? one.name : []))
    .sort()
