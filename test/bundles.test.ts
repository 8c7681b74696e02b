import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { transformSync } from 'esbuild'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const KB = 1024

/** At most this many bytes: about a tenth above what the bundle has today. A larger one loads more than it needs. */
const BUDGETS: Record<string, number> = {
  'entry.cjs': 6 * KB,
  'engine.cjs': 252 * KB,
  'tool-shape.cjs': 37 * KB,
  'shell.cjs': 310 * KB,
  'read-only.cjs': 48 * KB,
  'embedded-code.cjs': 12 * KB,
  'rare-programs.cjs': 18 * KB,
  'regex.cjs': 165 * KB,
  'debug-trace.cjs': 24 * KB,
  'compiler.cjs': 740 * KB,
  'daemon.cjs': 100 * KB,
  'dashboard.mjs': 1400 * KB,
  'stats.cjs': 125 * KB,
  'run.cjs': 10 * KB,
  'libsql.cjs': 8 * KB,
  'cli.mjs': 16 * KB,
  'code-worker.mjs': 3 * KB,
  'code-process.mjs': 3 * KB,
  'index.mjs': 1 * KB,
  'testing.mjs': 1 * KB,
  'policy.mjs': 180 * KB,
}
const CLIENT_BUDGET = 18 * KB
const ALL_COMMANDS_BUDGET = 2000 * KB
const API_BUDGET = 1080 * KB

/** What the build starts bundles from: these do something when they are loaded. */
const STARTED = ['hook/subhooks/code-worker.ts', 'hook/subhooks/code-process.ts', 'app/cli/entry/dashboard-entry.ts']

const sizeOf = (file: string): number => statSync(join(DIST, file)).size

describe('bundles', () => {
  it('every bundle has a budget and keeps it', () => {
    const bundles = readdirSync(DIST).filter(name => /\.[cm]js$/.test(name))
    const limitOf = (name: string): number | undefined => (name.startsWith('client-') ? CLIENT_BUDGET : BUDGETS[name])
    expect(bundles.filter(name => limitOf(name) === undefined)).toEqual([])
    expect(bundles.filter(name => sizeOf(name) > (limitOf(name) ?? 0)).map(name => [name, sizeOf(name)])).toEqual([])
    expect(Object.keys(BUDGETS).filter(name => !bundles.includes(name))).toEqual([])
  })

  it('the files of the command line keep one budget together', () => {
    const total = readdirSync(join(DIST, 'cli')).reduce((sum, name) => sum + sizeOf(`cli/${name}`), 0)
    expect(total).toBeLessThanOrEqual(ALL_COMMANDS_BUDGET)
  })

  it('what the entry points of the API share keeps a budget', () => {
    const total = readdirSync(join(DIST, 'api')).reduce((sum, name) => sum + sizeOf(`api/${name}`), 0)
    expect(total).toBeLessThanOrEqual(API_BUDGET)
  })

  it('no module does anything on load, so bundles may leave unused ones out', () => {
    const src = join(ROOT, 'src')
    const modules = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'))
    expect(modules.length).toBeGreaterThan(500)
    const acting = modules.filter(path => {
      const { code } = transformSync(readFileSync(join(src, path), 'utf8'), { loader: 'ts' })
      return parseAst(code).body.some(node => !/Declaration$/.test(node.type))
    })
    expect(acting.sort()).toEqual([...STARTED].sort())
  })
})
