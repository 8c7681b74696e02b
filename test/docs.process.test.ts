import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { week } from './stats/week.ts'
import { type Ran, type Sandbox, withSandbox } from './support/sandbox.ts'
import { denied, write } from './support/store/audit-records.ts'
import { put } from './support/store/stats-book.ts'

const ROOT = join(import.meta.dirname, '..')
const pages = [
  'README.md',
  'docs/threat-model.md',
  ...readdirSync(join(ROOT, 'docs/guide')).map(file => `docs/guide/${file}`),
  'examples/README.md',
  ...['packs', 'examples'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter(one => one.isDirectory())
      .map(({ name }) => `${folder}/${name}/README.md`),
  ),
]
const blocks = (page: string, language: string): readonly string[] =>
  [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
  ].map(([, text = '']) => text)

describe.each(pages)('%s', page => {
  const policies = blocks(page, 'yaml').filter(text => text.startsWith('# signalbox.yaml'))
  it.each(policies.map((text, nth) => [nth + 1, text] as const))(
    'policy %i loads without a problem, and no agent gets stuck in it',
    async (_, project) => {
      await withSandbox({ project }, async sandbox => {
        bringScripts(project, sandbox)
        const { exitCode, stdout } = await sandbox.run(['check', '--json'])
        const { problems, warnings, proof } = JSON.parse(stdout)
        const { findings, complete } = proof
        // what a hook of one's own says nobody can prove, before it is trusted or after
        const exit = /^hooks:/m.test(project) ? 3 : 0
        const fine = { exitCode: exit, problems: [], warnings: [], findings: [], complete: true }
        expect({ exitCode, problems, warnings, findings, complete }).toEqual(fine)
      })
    },
  )

  const typed = (language: string) => blocks(page, language).join('').split(/^\$ /m).filter(Boolean)
  const console = [
    ...typed('console').map(text => [text.split('\n', 1)[0] ?? '', text, 0] as const),
    // shown for what it says when it finds something
    ...typed('console fails').map(text => [text.split('\n', 1)[0] ?? '', text, 1] as const),
  ]
  it.each(console)('$ %s', async (_, text, status) => {
    const [command = '', ...expected] = text.trimEnd().split('\n')
    await withSandbox({ project: policies[0] }, async sandbox => {
      bringTests(page, command, sandbox)
      if (command.startsWith('signalbox replay')) bringPast(sandbox)
      if (/^signalbox (log|audit) /.test(command)) bringTrail(sandbox)
      if (page.endsWith('/stats.md')) put(join(sandbox.home, 'state'), week(Date.now(), sandbox.project))
      const { stdout, exitCode } = await shell(sandbox, command)
      const output = stdout
        .trimEnd()
        .replace(/("decision_time_ms":)\d+/, '$10')
        .replace(/\d+\.\d s$/m, '0.2 s')
      expect({ exitCode, output }).toEqual({ exitCode: status, output: expected.join('\n') })
    })
  })

  const tests = testsIn(page)
  it.each(tests.filter(([name]) => !name.startsWith('wrong')))('%s is green', async (name, text) => {
    await withSandbox({ project: policies[0] }, async sandbox => {
      writeFileSync(join(sandbox.project, name), text)
      const { exitCode, stdout } = await sandbox.run(['test', name])
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('OK  ')])
    })
  })

  it.each(blocks(page, 'json').map((text, nth) => [nth + 1, text] as const))('JSON %i parses', (_, text) => {
    expect(() => JSON.parse(text)).not.toThrow()
  })

  it('links lead somewhere', () => {
    const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
      ([, to = '']) => to,
    )
    expect(links.map(to => join(ROOT, page, '..', to)).filter(file => !exists(file))).toEqual([])
  })

  it('links to a heading name one that exists', () => {
    const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
    const broken = links.filter(([, to = '', heading = '']) => {
      const file = to === '' ? join(ROOT, page) : join(ROOT, page, '..', to)
      return file.endsWith('.md') && !anchorsIn(file).has(heading)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
})

/** The anchors that GitHub gives the headings of a page. */
const anchorsIn = (file: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(file, 'utf8').matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

/** Policy tests of a page: name of the file → text. */
const testsIn = (page: string): readonly (readonly [name: string, text: string])[] =>
  blocks(page, 'yaml').flatMap(text => {
    const name = /^# (\w+\.test\.yaml)\n/.exec(text)?.[1]
    return name === undefined ? [] : [[name, text] as const]
  })

/** The one that the command names, else the first of the page: as far as the reader has come. */
function bringTests(page: string, command: string, sandbox: Sandbox): void {
  const all = testsIn(page)
  const named = all.filter(([name]) => command.includes(name))
  for (const [name, text] of named.length > 0 ? named : all.slice(0, 1))
    writeFileSync(join(sandbox.project, name), text)
}

/** What a real agent did, as if it had been here. */
function bringPast(sandbox: Sandbox): void {
  cpSync(join(ROOT, 'test/captures/transcripts/claude-code-2.1.325'), sandbox.home, { recursive: true })
  for (const path of readdirSync(sandbox.home, { recursive: true, encoding: 'utf8' })) {
    const file = join(sandbox.home, path)
    if (!path.endsWith('.jsonl')) continue
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/home/dev/proj', sandbox.project))
  }
}

/** Some calls of an afternoon. */
function bringTrail(sandbox: Sandbox): void {
  const at = Date.UTC(2026, 10, 15, 14, 6, 11)
  const call = { client: 'claude-code', session: '4c1f09d2-a210', tool: 'Bash' }
  const push = denied('push-needs-tests', { ...call, acts: ['run git push origin main'] })
  const error = 'gate no-secrets: no reply within 2 s'
  write(join(sandbox.home, 'state'), [
    { ...call, at, acts: ['run npm test'] },
    { ...push, at: at + 8_000 },
    { ...push, at: at + 29_000 },
    { ...push, at: at + 31_000 },
    { ...call, at: at + 51_000, client: 'gemini-cli', session: '9b02', acts: ['run ls'], errors: [error] },
  ])
}

/** The scripts that an example runs are the reader's: a policy that names one that is missing is warned of. */
function bringScripts(policy: string, sandbox: Sandbox): void {
  for (const [, name = ''] of policy.matchAll(/run: (?:\w+ )?(?:\.\/)?((?:[\w-]+\/)*[\w-]+\.(?:sh|py|mjs))/g)) {
    const file = join(sandbox.project, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
}

/** `echo '…' | signalbox args`, `sed -i … && signalbox args` and `signalbox args`, as a reader would type them. */
function shell(sandbox: Sandbox, typed: string): Promise<Ran> {
  const command = typed.replace(/^sed -i 's\/(.*)\/(.*)\/' (\S+) && /, (_, from, to, name) => {
    const file = join(sandbox.project, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    return ''
  })
  const piped = /^echo '(.*)' \| signalbox (.*)$/.exec(command)
  if (piped) return sandbox.run((piped[2] ?? '').split(' '), { input: `${piped[1]}\n` })
  const words = [...command.replace(/^signalbox /, '').matchAll(/"([^"]*)"|(\S+)/g)]
  return sandbox.run(
    words.map(([, quoted, word]) => quoted ?? word ?? ''),
    { env: { TZ: 'UTC', PATH: `${withWord(sandbox)}:${process.env.PATH}` } },
  )
}

/** The pages speak of `signalbox`, as who has installed it. */
function withWord({ home }: Sandbox): string {
  const folder = join(home, 'bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'signalbox'), '', { mode: 0o755 })
  return folder
}

function exists(file: string): boolean {
  try {
    readFileSync(file)
    return true
  } catch {
    return false
  }
}
