import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clients } from '../src/clients/index.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')

/** Who may come into which room. `node` stands for Node's own modules. */
const WALLS: Record<string, readonly string[]> = {
  types: [],
  pattern: [],
  router: [],
  core: ['pattern'],
  shell: ['core', 'pattern', 'unbash'],
  clients: ['core', 'pattern', 'valibot'],
  policy: ['core', 'pattern', 'router', 'shell', 'node', 'yaml', 'valibot', '@valibot/to-json-schema'],
  store: ['core', 'pattern', 'node', 'libsql'],
  check: ['core', 'pattern', 'policy'],
  runtime: ['policy', 'store', 'clients', 'shell', 'core', 'pattern', 'types', 'node', 're2js'],
  explain: ['core', 'pattern'],
  trial: ['explain', 'runtime', 'policy', 'clients', 'shell', 'core', 'pattern', 'node', 'yaml', 'valibot'],
  replay: ['trial', 'runtime', 'policy', 'store', 'clients', 'shell', 'core', 'pattern', 'node'],
  api: ['check', 'trial', 'runtime', 'policy', 'clients', 'shell', 'core', 'types', 'node'],
  trail: ['store', 'pattern', 'node'],
  stats: ['store', 'core', 'pattern', 'node'],
  native: ['node'],
  daemon: ['stats', 'runtime', 'policy', 'store', 'node'],
  install: ['native', 'clients', 'policy', 'pattern', 'node', 'yaml'],
  model: ['pattern', 'node'],
  orchestrator: ['router', 'runtime', 'policy', 'store', 'pattern', 'node'],
  doctor: ['install', 'native', 'daemon', 'model', 'runtime', 'policy', 'store', 'clients', 'pattern', 'node'],
  dashboard: ['trail', 'stats', 'explain', 'runtime', 'policy', 'store', 'core', 'pattern', 'node'],
  cli: [
    'dashboard',
    'trail',
    'router',
    'replay',
    'stats',
    'trial',
    'explain',
    'check',
    'daemon',
    'doctor',
    'orchestrator',
    'install',
    'runtime',
    'policy',
    'store',
    'clients',
    'shell',
    'core',
    'pattern',
    'node',
    'picocolors',
  ],
}
/** Doors: a room is entered here. Some are doors of their own because the hook must not load all that is behind the main one. */
const DOORS = [
  'index.ts',
  'adopts.ts',
  'checkups.ts',
  'compiler.ts',
  'intents.ts',
  'json-schema.ts',
  'known.ts',
  'regex.ts',
  'registers.ts',
  'sender.ts',
  'serving-file.ts',
  'tests.ts',
  'transcripts.ts',
  'version.ts',
  'workflows.ts',
]

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => join(SRC, file))
const textOf = (file: string) => readFileSync(file, 'utf8')
/** The public entry points lie beside the rooms: they are the doors of `api`. */
const roomOf = (file: string) => (dirname(file) === SRC ? 'api' : (relative(SRC, file).split('/')[0] ?? ''))
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
const crossing = imports.filter(({ from, to }) => !to.startsWith('/') || roomOf(from) !== roomOf(to))

describe('the walls of the house', () => {
  it('every room is in the plan', () => {
    expect([...new Set(files.map(roomOf))].filter(room => !(room in WALLS))).toEqual([])
  })

  it('imports go only where the plan allows', () => {
    const wrong = crossing.filter(
      ({ from, to }) => !WALLS[roomOf(from)]?.includes(to.startsWith('/') ? roomOf(to) : to),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('rooms are entered through their door', () => {
    const wrong = crossing.filter(
      ({ to }) => to.startsWith('/') && !DOORS.includes(relative(join(SRC, roomOf(to)), to)),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('there are no import cycles', () => {
    const next = new Map(
      files.map(file => [file, imports.filter(one => one.from === file && !one.typeOnly).map(one => one.to)]),
    )
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

  it('what installs is not on the way of the hook', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const { to } of imports.filter(one => one.from === file && !one.typeOnly)) visit(to)
    }
    for (const entry of ['cli/hook-entry.ts', 'cli/hook.ts', 'cli/run-entry.ts']) visit(join(SRC, entry))
    const wrong = [...reached].filter(
      file =>
        ['install', 'doctor', 'model', 'router', 'stats', 'orchestrator'].includes(roomOf(file)) ||
        /\/((register|adopt|transcrib)(e?s|ing)|checkups?|transcripts)\.ts$/.test(file),
    )
    expect(reached.size).toBeGreaterThan(100)
    expect(wrong.map(file => relative(ROOT, file))).toEqual([])
  })

  it('the public API is used by nobody inside, and its types are types only', () => {
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      if (!to.startsWith('/')) return false
      return (roomOf(to) === 'api' && roomOf(from) !== 'api') || (roomOf(to) === 'types' && !typeOnly)
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('what is loaded late is a command, or what one of them rarely needs', () => {
    const late = files.filter(file => /\bawait import\(/.test(textOf(file))).map(file => relative(SRC, file))
    expect(late.sort()).toEqual(['cli/commands.ts', 'doctor/live/rehearse.ts', 'runtime/code-worker.ts'])
  })

  it('of routing a policy knows the names of intents, and no table', () => {
    const wrong = imports.filter(
      ({ from, to }) => roomOf(from) === 'policy' && to.startsWith(join(SRC, 'router')) && !to.endsWith('/intents.ts'),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('no client is named where all clients are served', () => {
    const own = clients.flatMap(one => [`'${one.id}'`, one.projectEnv, one.shellProjectEnv].filter(Boolean))
    const named = new RegExp(
      `(?<![a-z])(claude|gemini|codex|copilot|cursor|qwen|opencode)(?![a-z])|${own.join('|')}`,
      'i',
    )
    const code = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    const rooms = ['core', 'policy', 'store', 'runtime', 'pattern', 'shell', 'check', 'install', 'doctor', 'stats']
    const served = [...files.filter(file => rooms.includes(roomOf(file))), join(ROOT, 'bin/signalbox.cjs')]
    const wrong = served.filter(file => named.test(code(file)))
    expect(own.length).toBeGreaterThan(3)
    expect(wrong.map(file => relative(ROOT, file))).toEqual([])
  })

  it('the hook loads the client it is called for, not all of them', () => {
    const hook = files.filter(file => roomOf(file) === 'runtime' || file === join(SRC, 'cli/hook.ts'))
    const wrong = imports.filter(
      ({ from, to, typeOnly }) => hook.includes(from) && to === join(SRC, 'clients/index.ts') && !typeOnly,
    )
    expect(hook.length).toBeGreaterThan(10)
    expect(wrong.map(show)).toEqual([])
  })

  it('the proof is no part of the engine, and of the policy it knows the compiled form only', () => {
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      if (roomOf(from) === 'check') return to === join(SRC, 'policy/index.ts') && !typeOnly
      return to.startsWith(join(SRC, 'check')) && !['cli', 'api'].includes(roomOf(from))
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('no pack is named in the engine: packs are data', () => {
    const named = packs.map(pack => new RegExp(`(?<![\\w-])${pack}(?![\\w-])`))
    const wrong = files.filter(file => named.some(name => name.test(textOf(file))))
    expect(wrong.map(file => relative(ROOT, file))).toEqual([])
  })

  it('pure rooms know no clock, environment or chance', () => {
    const impure = /\b(Date\.now|new Date\(\)|Math\.random|process\.|performance\.)/
    const wrong = files.filter(
      file =>
        ['core', 'pattern', 'router', 'shell', 'clients', 'explain', 'check'].includes(roomOf(file)) &&
        impure.test(textOf(file)),
    )
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
        .filter(to => (to.startsWith('/') ? !to.startsWith(UI) : !/^(react|react-dom\/client|uplot|mermaid)$/.test(to)))
        .filter(to => to !== join(SRC, 'dashboard/api.ts') || /^import (?!type)[^']*dashboard\/api/m.test(textOf(from)))
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

describe('the size of the house', () => {
  it('the core can be read in one sitting', () => {
    const total = files.filter(file => roomOf(file) === 'core').reduce((sum, file) => sum + linesOf(file), 0)
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
    for (const { name } of readdirSync(join(SRC, 'clients'), { withFileTypes: true }).filter(one =>
      one.isDirectory(),
    )) {
      for (const part of ['index.ts', 'traces.ts', 'decode.ts', 'encode.ts', 'capabilities.ts']) {
        expect(existsSync(join(SRC, 'clients', name, part)), `${name}/${part}`).toBe(true)
      }
      expect(list).toContain(`'./${name}/index.ts'`)
      // an agent that reads a file has something to write into it
      const { registrations = [] } = clients.find(one => one.id === name) ?? {}
      expect(existsSync(join(SRC, 'clients', name, 'registers.ts')), `${name}/registers.ts`).toBe(
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
