import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Which tests run where is said by the end of a file's name: `vitest.config.ts` has the table. */
const TEST = import.meta.dirname
const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
const textOf = (name: string): string => readFileSync(join(TEST, name), 'utf8')
const tests = files.filter(name => name.endsWith('.test.ts'))
const fast = tests.filter(name => !/\.(process|timed|long)\.test\.ts$/.test(name))

/** What a file takes from others here when it runs: types are gone by then. */
function imports(name: string): readonly string[] {
  const found = textOf(name).matchAll(/^(?:import|export) (?!type )([^'"]*?) from '(\.[^']+)'/gm)
  const isValue = (names: string) => !/^\{\s*(type \w+(,\s*)?)+\}$/.test(names.trim())
  return [...found].flatMap(([, names = '', from = '']) =>
    isValue(names) ? resolve(TEST, dirname(name), from).slice(TEST.length + 1) : [],
  )
}

function reached(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name) || !files.includes(name)) return seen
  seen.add(name)
  for (const next of imports(name)) reached(next, seen)
  return seen
}

const startsProcesses = (name: string): boolean => /^(import|\}) .*from 'node:child_process'/m.test(textOf(name))

/** Fast tests that start one small program, and no Node. */
const SMALL_PROGRAMS: Readonly<Record<string, string>> = {
  'architecture.test.ts': 'git ls-files',
  'policy/read.test.ts': 'mkfifo',
  'runtime/untracked.test.ts': 'git init',
}

describe('the tiers of tests', () => {
  it('a file is named after one of them', () => {
    expect(
      tests.filter(name => !/^[\w-]+(\.(process|timed|long))?\.test\.ts$/.test(name.split('/').at(-1) ?? '')),
    ).toEqual([])
  })

  it('a fast test replaces no module: the files of a worker share theirs', () => {
    const wrong = fast.filter(
      name => /\bvi\.(mock|doMock|resetModules)\(/.test(textOf(name)) && name !== 'tiers.test.ts',
    )
    expect(wrong).toEqual([])
  })

  it('a fast test reaches nothing that starts processes: such a file is *.process.test.ts, or *.timed.test.ts', () => {
    const wrong = fast
      .filter(name => !(name in SMALL_PROGRAMS))
      .flatMap(name => [...reached(name)].filter(startsProcesses).map(by => (by === name ? name : `${name} by ${by}`)))
    expect(wrong).toEqual([])
  })

  it('the exceptions are still there, and start a program', () => {
    expect(Object.keys(SMALL_PROGRAMS).filter(name => !(fast.includes(name) && startsProcesses(name)))).toEqual([])
  })

  it('a test that reads the clock to hold something to its time has the machine for itself, or counts work', () => {
    const isHeld = (name: string) => /expect\((performance|Date)\.now\(\) - /.test(textOf(name))
    const parallel = tests.filter(name => !name.endsWith('.timed.test.ts'))
    expect(parallel.filter(isHeld)).toEqual([])
  })
})
