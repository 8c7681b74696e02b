import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse, stringify } from 'yaml'

const ROOT = resolve(import.meta.dirname, '../..')

/** A policy that people are shown, and events that it may speak of. */
export interface ShownPolicy {
  readonly name: string
  readonly policy: string
  readonly events: readonly string[]
}

const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map(String)
    .filter(name => name.endsWith(ending))
    .sort()
    .map(name => join(folder, name))

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const EVERYDAY = ['git push', 'git commit -m x', 'npm test', 'ls', 'write: src/a.ts', 'write: README.md', 'stop: true']

/** What the policy itself names, as events. */
function eventsIn(policy: string): readonly string[] {
  const named = (key: string) =>
    [...policy.matchAll(new RegExp(`\\b${key}: *(?:\\[([^\\]]*)\\]|"([^"]*)"|([^,{}\\n\\]]+))`, 'g'))]
      .flatMap(([, list, quoted, plain]) => list?.split(',') ?? [quoted ?? plain ?? ''])
      .map(one => one.trim().replace(/^["']|["']$/g, ''))
      .filter(one => one !== '' && !/[*{]/.test(one))
  return [
    ...named('command'),
    ...named('path').map(path => `write: ${path.endsWith('/') ? `${path}a.ts` : path}`),
    ...named('agent').map(agent => `spawn: ${agent}`),
  ]
}

const shown = (name: string, policy: string, more: readonly string[] = []): ShownPolicy => ({
  name,
  policy,
  events: [...new Set([...eventsIn(policy), ...more, ...EVERYDAY])],
})

const ofGuides = (): readonly ShownPolicy[] =>
  ['README.md', ...filesBelow('docs', '.md')].flatMap(file =>
    [...textOf(file).matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map(one => one[1] ?? '')
      .filter(text => /^(?:gates|routes|use):/m.test(text))
      .map((text, nth) => shown(`${file} ${nth + 1}`, text)),
  )

const ofExamples = (): readonly ShownPolicy[] =>
  filesBelow('examples', 'signalbox.yaml').map(file => shown(file, textOf(file)))

/** Each pack by itself, with the lines of its own tests. */
const ofPacks = (): readonly ShownPolicy[] =>
  filesBelow('packs', 'tests.yaml').map(file => {
    const [, pack = ''] = file.split('/')
    const lines = [...textOf(file).matchAll(/\bshell: (?:"([^"]+)"|'([^']+)'|([^,}\n]+))/g)]
    const events = lines.map(([, a, b, c]) => (a ?? b ?? c ?? '').trim())
    return shown(`pack ${pack}`, `use: [${pack}]\n`, events.slice(0, 40))
  })

interface SemanticsCase {
  readonly name: string
  readonly policy?: object | string
  readonly when?: object
  readonly unless?: object
  readonly stops?: readonly (string | object)[]
  readonly passes?: readonly (string | object)[]
  readonly events?: readonly object[]
}

/** Cases of the language with one policy. */
const ofSemantics = (): readonly ShownPolicy[] =>
  filesBelow('test/semantics', '.yaml').flatMap(file =>
    (parse(textOf(file)) as readonly SemanticsCase[]).flatMap(one => {
      const { name, when, unless, stops = [], passes = [], events = [] } = one
      const rule = when && {
        when: { event: 'tool.before', ...when },
        ...(unless && { unless }),
        then: 'deny',
        message: 'No.',
      }
      const policy = one.policy ?? (rule && { gates: { g: { rules: [rule] } } })
      if (policy === undefined) return []
      const texts = [...stops, ...passes].filter(step => typeof step === 'string')
      const lines = events.flatMap(step => ('shell' in step && typeof step.shell === 'string' ? step.shell : []))
      return [shown(`${file}: ${name}`, typeof policy === 'string' ? policy : stringify(policy), [...texts, ...lines])]
    }),
  )

export const shownPolicies = (): readonly ShownPolicy[] => [
  ...ofGuides(),
  ...ofExamples(),
  ...ofPacks(),
  ...ofSemantics(),
]
