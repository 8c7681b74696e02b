import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clients } from '../src/clients/index.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')

/** What each module of `src/` may import. `node` stands for Node's own modules. Imports go one way, from the bottom of this list to the top. */
const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  types: [],
  lib: ['node', 'string-width'],
  engine: ['lib', 'unbash'],
  testing: ['lib', 'node'],
  clients: ['engine', 'lib', 'smol-toml'],
  policy: ['engine', 'lib', 'node', 'yaml', 'valibot', '@valibot/to-json-schema'],
  store: ['engine', 'lib', 'node', 'libsql'],
  hook: ['policy', 'store', 'clients', 'engine', 'lib', 'types', 'node', 're2js'],
  analysis: ['hook', 'policy', 'store', 'clients', 'engine', 'lib', 'node', 'yaml', 'valibot'],
  audit: ['store', 'engine', 'lib', 'node'],
  api: ['analysis', 'hook', 'policy', 'clients', 'engine', 'lib', 'types', 'node'],
  app: [
    'analysis',
    'audit',
    'hook',
    'policy',
    'store',
    'clients',
    'engine',
    'testing',
    'lib',
    'node',
    'yaml',
    'picocolors',
    'jsonc-parser',
    'hono',
    '@hono/node-server',
    '@hono/node-server/utils/response',
  ],
}

/** The daemon keeps statistics up to date, so that `signalbox stats` answers at once. */
const EXCEPTIONS = ['hook/daemon/stats-worker.ts → audit/stats/index.ts']

/** Entry points of a module beside `index.ts`: the hook must not load all that is behind that one. In `lib` every file is one. */
const ENTRY_POINTS = [
  'analysis/explain/index.ts',
  'analysis/policy-test/index.ts',
  'analysis/simulator/index.ts',
  'analysis/replay/index.ts',
  'analysis/verify/index.ts',
  'audit/stats/index.ts',
  'clients/diagnostics.ts',
  'clients/footprints.ts',
  'clients/import-hooks.ts',
  'clients/settings.ts',
  'clients/transcripts.ts',
  'engine/shell/index.ts',
  'hook/daemon/index.ts',
  'hook/entry/code-cache.ts',
  'hook/entry/daemon-environment.ts',
  'hook/entry/hook-process.ts',
  'hook/services/regex.ts',
  'hook/services/version.ts',
  'policy/compile/compiler.ts',
  'policy/find/workflow-files.ts',
  'policy/intents.ts',
  'policy/parse/policy-tests.ts',
  'testing/fake-llm/index.ts',
]

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => join(SRC, file))
const textOf = (file: string) => readFileSync(file, 'utf8')
/** Without comments, which may name what the code must not use. */
const codeOf = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
/** The public entry points lie beside the modules: they belong to `api`. */
const moduleOf = (file: string) => (dirname(file) === SRC ? 'api' : (relative(SRC, file).split('/')[0] ?? ''))
const isEntryPoint = (file: string) =>
  moduleOf(file) === 'lib' ||
  ENTRY_POINTS.includes(relative(SRC, file)) ||
  /^[^/]+\/index\.ts$/.test(relative(SRC, file))
const linesOf = (file: string) => textOf(file).split('\n').length - 1

const PACKS = join(ROOT, 'packs')
const packs = readdirSync(PACKS, { withFileTypes: true }).flatMap(one => (one.isDirectory() ? one.name : []))

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const imports: readonly Import[] = files
  .flatMap(from =>
    [...textOf(from).matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'/gm)].map(
      ([, type, spec = '']) => ({
        from,
        to: spec.startsWith('.') ? resolve(dirname(from), spec) : spec.startsWith('node:') ? 'node' : spec,
        typeOnly: type !== undefined,
      }),
    ),
  )
  .filter(({ to }) => to !== join(ROOT, 'package.json'))
const show = ({ from, to }: Import) => `${relative(ROOT, from)} → ${to.startsWith('/') ? relative(ROOT, to) : to}`
const crossing = imports.filter(({ from, to }) => !to.startsWith('/') || moduleOf(from) !== moduleOf(to))

describe('modules', () => {
  it('every module is in the plan', () => {
    expect([...new Set(files.map(moduleOf))].filter(module => !(module in ALLOWED_IMPORTS))).toEqual([])
  })

  it('imports go only where the plan allows', () => {
    const wrong = crossing.filter(
      ({ from, to }) => !ALLOWED_IMPORTS[moduleOf(from)]?.includes(to.startsWith('/') ? moduleOf(to) : to),
    )
    expect(wrong.map(show)).toEqual(EXCEPTIONS.map(line => `src/${line.replace('→ ', '→ src/')}`))
  })

  it('modules are entered through their entry points', () => {
    const wrong = crossing.filter(({ to }) => to.startsWith('/') && !isEntryPoint(to))
    expect(wrong.map(show)).toEqual([])
  })

  it('an entry point that nobody uses is not in the list', () => {
    const used = new Set(crossing.map(({ to }) => relative(SRC, to)))
    expect(ENTRY_POINTS.filter(file => !used.has(file))).toEqual([])
  })

  it('there are no import cycles, not even of types', () => {
    const next = new Map(files.map(file => [file, imports.filter(one => one.from === file).map(one => one.to)]))
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file))
        cycles.push([...path.slice(path.indexOf(file)), file].map(one => relative(SRC, one)).join(' → '))
      if (done.has(file) || path.includes(file)) return
      for (const to of next.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('a folder has at most 15 files', () => {
    const folders = [...new Set(files.map(file => dirname(file)))]
    const large = folders.filter(folder => files.filter(file => dirname(file) === folder).length > 15)
    expect(large.map(folder => relative(SRC, folder))).toEqual([])
  })

  it('the hook loads nothing that only commands need', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const { to } of imports.filter(one => one.from === file && !one.typeOnly)) visit(to)
    }
    for (const entry of ['hook/entry/hook-entry.ts', 'hook/entry/hook-process.ts', 'app/cli/entry/run-entry.ts'])
      visit(join(SRC, entry))
    const wrong = [...reached].filter(
      file =>
        /^(app\/(install|doctor|orchestrate|dashboard)|testing|audit|analysis)\//.test(relative(SRC, file)) ||
        /\/clients\/(.*\/)?(settings|import-hooks|transcripts?|diagnostics)\.ts$/.test(file),
    )
    expect(reached.size).toBeGreaterThan(100)
    expect(wrong.map(file => relative(ROOT, file))).toEqual([])
  })

  it('the public API is used by nobody inside, and its types are types only', () => {
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      if (!to.startsWith('/')) return false
      return (moduleOf(to) === 'api' && moduleOf(from) !== 'api') || (moduleOf(to) === 'types' && !typeOnly)
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('what is loaded late is a command, or what one of them rarely needs', () => {
    const late = files.filter(file => /\bawait import\(/.test(textOf(file))).map(file => relative(SRC, file))
    expect(late.sort()).toEqual([
      'app/cli/command-registry.ts',
      'app/doctor/live/agent-run.ts',
      'hook/subhooks/run-code-gate.ts',
    ])
  })

  it('no client is named where all clients are served', () => {
    const own = clients.flatMap(one => [`'${one.id}'`, one.projectEnv, one.shellProjectEnv].filter(Boolean))
    const named = new RegExp(
      `(?<![a-z])(claude|gemini|codex|copilot|cursor|qwen|opencode)(?![a-z])|${own.join('|')}`,
      'i',
    )
    const generic = /^(engine|policy|store|hook|lib|analysis\/verify|app\/(install|doctor)|audit)\//
    const served = [...files.filter(file => generic.test(relative(SRC, file))), join(ROOT, 'bin/signalbox.cjs')]
    const wrong = served.filter(file => named.test(codeOf(file)))
    expect(own.length).toBeGreaterThan(3)
    expect(wrong.map(file => relative(ROOT, file))).toEqual([])
  })

  it('the hook loads the client it is called for, not all of them', () => {
    const hook = files.filter(file => moduleOf(file) === 'hook')
    const wrong = imports.filter(
      ({ from, to, typeOnly }) => hook.includes(from) && to === join(SRC, 'clients/index.ts') && !typeOnly,
    )
    expect(hook.length).toBeGreaterThan(10)
    expect(wrong.map(show)).toEqual([])
  })

  it('the verifier is used by commands only, and knows the compiled form of a policy only', () => {
    const inVerifier = (file: string) => relative(SRC, file).startsWith('analysis/verify/')
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      if (inVerifier(from)) return to === join(SRC, 'policy/index.ts') && !typeOnly
      return inVerifier(to) && !['app', 'api', 'analysis'].includes(moduleOf(from))
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('no pack is named in the engine: packs are data', () => {
    // a name of one word is an ordinary word too (`budget`), and `secrets` is a set of paths: these count where they are written as a pack
    const named = packs.map(pack =>
      pack.includes('-')
        ? new RegExp(`(?<![\\w-])${pack}(?![\\w-])`)
        : new RegExp(
            `packs/${pack}(?![\\w-])|\\bpacks?\\b[^\\n]*['"\`]${pack}['"\`]|\\buse\\b[^\\n]*\\b${pack}\\b[^\\n]*\\]`,
          ),
    )
    const wrong = files.filter(file => named.some(name => name.test(textOf(file))))
    expect(wrong.map(file => relative(ROOT, file))).toEqual([])
  })

  it('pure modules know no clock, environment or chance', () => {
    const impure = /\b(Date\.now|new Date\(\)|Math\.random|process\.|performance\.)/
    const pure = /^(engine|clients|analysis\/(explain|verify)|app\/orchestrate\/router)\//
    const wrong = files.filter(file => pure.test(relative(SRC, file)) && impure.test(codeOf(file)))
    expect(wrong.map(file => relative(ROOT, file))).toEqual([])
  })
})

describe('the pages of the dashboard', () => {
  const UI = join(ROOT, 'ui/src')
  const pages = readdirSync(UI, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => join(UI, file))

  it('know of the rest what is said between page and server, and that as types only', () => {
    const wrong = pages.flatMap(from =>
      [...textOf(from).matchAll(/(?:from|import\()\s*'([^']+)'/g)]
        .map(([, spec = '']) => (spec.startsWith('.') ? resolve(dirname(from), spec) : spec))
        .filter(to => (to.startsWith('/') ? !to.startsWith(UI) : !/^(react|react-dom\/client|uplot)$/.test(to)))
        .filter(
          to => to !== join(SRC, 'app/dashboard/api.ts') || /^import (?!type)[^']*dashboard\/api/m.test(textOf(from)),
        )
        .map(to => `${relative(ROOT, from)} → ${to.startsWith('/') ? relative(ROOT, to) : to}`),
    )
    expect(pages.length).toBeGreaterThan(50)
    expect(wrong).toEqual([])
  })

  it('never make HTML of a text', () => {
    const ways = /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/
    expect(pages.filter(file => ways.test(textOf(file))).map(file => relative(ROOT, file))).toEqual([])
  })

  it('are small: half of them under 80 lines, none over 160', () => {
    const sizes = pages.map(linesOf).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(80)
    expect(pages.filter(file => linesOf(file) > 160).map(file => relative(ROOT, file))).toEqual([])
  })
})

describe('sizes', () => {
  it('the evaluation can be read in one sitting', () => {
    const evaluate = files.filter(file => relative(SRC, file).startsWith('engine/evaluate/'))
    const total = evaluate.reduce((sum, file) => sum + linesOf(file), 0)
    expect(total).toBeGreaterThan(500)
    expect(total).toBeLessThanOrEqual(1500)
  })

  it('files are small: half of them under 110 lines, none over 300', () => {
    const sizes = files.map(linesOf).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(110)
    expect(files.filter(file => linesOf(file) > 300).map(file => relative(ROOT, file))).toEqual([])
  })
})

describe('what belongs together is there', () => {
  it('every client folder has its parts, and stands in the list', () => {
    const list = textOf(join(SRC, 'clients/index.ts'))
    for (const { name } of readdirSync(join(SRC, 'clients'), { withFileTypes: true }).filter(
      one => one.isDirectory() && one.name !== 'adapter',
    )) {
      for (const part of ['index.ts', 'footprint.ts', 'decode.ts', 'encode.ts', 'capabilities.ts']) {
        expect(existsSync(join(SRC, 'clients', name, part)), `${name}/${part}`).toBe(true)
      }
      expect(list).toContain(`'./${name}/index.ts'`)
      // an agent that reads a file has something to write into it
      const { registrations = [] } = clients.find(one => one.id === name) ?? {}
      expect(existsSync(join(SRC, 'clients', name, 'settings.ts')), `${name}/settings.ts`).toBe(
        registrations.length > 0,
      )
    }
  })

  it('every pack is data, with its parts', () => {
    for (const pack of packs) {
      const parts = readdirSync(join(PACKS, pack), { recursive: true, encoding: 'utf8' })
      expect(
        ['pack.yaml', 'tests.yaml', 'README.md'].filter(part => !parts.includes(part)),
        pack,
      ).toEqual([])
      const strange = parts.filter(part => !/^(templates|[\w.-]+\.(ya?ml|md|json)|templates\/[\w-]+\.md)$/.test(part))
      expect(strange, pack).toEqual([])
    }
  })

  it('what answers events opens no pipe: it reads files only through `readRegularFile`', () => {
    // the kernel's files, the open file of a descriptor, and the program itself
    const allowed = /readFileSync\((['`]\/(proc|etc)\/|descriptor\)|file, 'latin1'\))/
    const lines = files
      .filter(file => /^(hook|policy|store|lib|clients)\//.test(relative(SRC, file)))
      .flatMap(file =>
        textOf(file)
          .split('\n')
          .filter(line => /readFileSync\(|readFile\(|createReadStream\(/.test(line) && !allowed.test(line))
          .map(line => `${relative(SRC, file)}: ${line.trim()}`),
      )
    expect(lines).toEqual([])
  })

  it('no name says nothing', () => {
    const empty = /(^|[-/])(utils?|helpers?|managers?|misc|common)([-./]|$)/i
    expect(files.map(file => relative(SRC, file)).filter(file => empty.test(file))).toEqual([])
  })

  it('the project stands alone: no path of another place in any tracked file', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
    const elsewhere = new RegExp(['\\.\\.', 'shared'].join('/').concat('\\b'))
    const wrong = tracked.filter(file => existsSync(join(ROOT, file)) && elsewhere.test(textOf(join(ROOT, file))))
    expect(wrong).toEqual([])
    const halfMerged = tracked.filter(
      file => existsSync(join(ROOT, file)) && /^(<|>){7,8} /m.test(textOf(join(ROOT, file))),
    )
    expect(halfMerged).toEqual([])
  })
})
