import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ran, type Sandbox, withSandbox } from './sandbox.ts'

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
        const fine = { exitCode: 0, problems: [], warnings: [], findings: [], complete: true }
        expect({ exitCode, problems, warnings, findings, complete }).toEqual(fine)
      })
    },
  )

  const console = blocks(page, 'console').join('').split(/^\$ /m).filter(Boolean)
  it.each(console.map(text => [text.split('\n', 1)[0] ?? '', text] as const))('$ %s', async (_, text) => {
    const [command = '', ...expected] = text.trimEnd().split('\n')
    await withSandbox({ project: policies[0] }, async sandbox => {
      const { stdout, exitCode } = await shell(sandbox, command)
      const output = stdout.trimEnd().replace(/("decision_time_ms":)\d+/, '$10')
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expected.join('\n') })
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
})

/** The scripts that an example runs are the reader's: a policy that names one that is missing is warned of. */
function bringScripts(policy: string, sandbox: Sandbox): void {
  for (const [, name = ''] of policy.matchAll(/run: (?:\w+ )?(?:\.\/)?((?:[\w-]+\/)*[\w-]+\.(?:sh|py|mjs))/g)) {
    const file = join(sandbox.project, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
}

/** `echo '…' | signalbox args` and `signalbox args`, as a reader would type them. */
function shell(sandbox: Sandbox, command: string): Promise<Ran> {
  const piped = /^echo '(.*)' \| signalbox (.*)$/.exec(command)
  if (piped) return sandbox.run((piped[2] ?? '').split(' '), { input: `${piped[1]}\n` })
  return sandbox.run(command.replace(/^signalbox /, '').split(' '))
}

function exists(file: string): boolean {
  try {
    readFileSync(file)
    return true
  } catch {
    return false
  }
}
