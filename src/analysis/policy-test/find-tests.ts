import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readEntries, statOrUndefined } from '../../lib/files.ts'
import { findNestedPolicies } from '../../policy/index.ts'
import { findTestProject } from './compile-policy.ts'

const TEST_FILE = /\.test\.ya?ml$/

/** Tests are found beside the policy and in a folder of this name next to it. */
const TEST_FOLDER = 'signalbox'

/** Why there is nothing to run. */
export interface NoTests {
  readonly problem: string
  /** there is a policy here, and only its tests are missing */
  readonly hasPolicy?: boolean
}

/** The test files to run: the named files and folders; if none are named, those of this folder's policy and of nested policies. */
export function findTests(named: readonly string[], cwd: string, home: string): readonly string[] | NoTests {
  if (named.length === 0) return findTestsHere(cwd, home)
  const files: string[] = []
  for (const name of named) {
    const path = resolve(cwd, name)
    const stat = statOrUndefined(path)
    if (!stat) return { problem: `there is no \`${name}\`` }
    const found = stat.isDirectory() ? findTestsIn(path) : [path]
    if (found.length === 0) return { problem: `there is no *.test.yaml in \`${name}\`` }
    files.push(...found)
  }
  return [...new Set(files)]
}

function findTestsHere(cwd: string, home: string): readonly string[] | NoTests {
  const { root, folder } = findTestProject(resolve(cwd), home)
  const nested = findNestedPolicies(resolve(cwd), home).folders
  const found = [...new Set([root, folder ?? cwd, ...nested])].flatMap(text => [
    ...listFileNames(text)
      .filter(name => TEST_FILE.test(name))
      .map(name => join(text, name)),
    ...(existsSync(join(text, TEST_FOLDER)) ? findTestsIn(join(text, TEST_FOLDER)) : []),
  ])
  if (found.length > 0) return [...new Set(found)]
  if (folder === undefined && nested.length === 0)
    return { problem: 'there is no signalbox.yaml here to test; `signalbox init` writes one', hasPolicy: false }
  return { problem: `there is no *.test.yaml beside the policy or in \`${TEST_FOLDER}/\` next to it`, hasPolicy: true }
}

const MAX_FILES = 10_000

/** Searches all subfolders except `node_modules` and hidden ones. */
function findTestsIn(folder: string): readonly string[] {
  const found: string[] = []
  const folders = [folder]
  for (let at = folders.pop(); at !== undefined && found.length < MAX_FILES; at = folders.pop())
    for (const entry of readEntries(at)) {
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        folders.push(join(at, entry.name))
      if (entry.isFile() && TEST_FILE.test(entry.name)) found.push(join(at, entry.name))
    }
  return found.sort()
}

const listFileNames = (folder: string): readonly string[] =>
  readEntries(folder)
    .flatMap(entry => (entry.isFile() ? entry.name : []))
    .sort()
