import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSandbox } from './support/sandbox.ts'

const ROOT = join(import.meta.dirname, '..')
const examples = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).flatMap(one =>
  one.isDirectory() ? one.name : [],
)
const IN_CODE = 'examples/gate-in-code'

/** As `npm install signalbox` would: code imports it. */
function installIn(project: string): void {
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(ROOT, join(project, 'node_modules/signalbox'))
}

describe('examples', () => {
  it.each([...examples.map(name => `examples/${name}`), 'demo'])('%s is sound, and no agent gets stuck in it', folder =>
    withSandbox({}, async sandbox => {
      sandbox.bring(join(ROOT, folder))
      const { exitCode, stdout } = await sandbox.run(['check', '--json'])
      const { problems, warnings, proof } = JSON.parse(stdout)
      const { ok, complete, findings, unchecked } = proof
      // what code says nobody can prove
      const code = folder === IN_CODE ? { exitCode: 3, unchecked: [expect.stringContaining('the code of')] } : {}
      const fine = { exitCode: 0, problems: [], warnings: [], ok: true, complete: true, findings: [], unchecked: [] }
      expect({ exitCode, problems, warnings, ok, complete, findings, unchecked }).toEqual({ ...fine, ...code })
    }),
  )

  it.each(examples)('examples/%s does what its tests say, and they see all of it', name =>
    withSandbox({}, async sandbox => {
      sandbox.bring(join(ROOT, 'examples', name))
      installIn(sandbox.project)
      const { exitCode, stdout } = await sandbox.run(['test', '--code'])
      expect({ exitCode, stdout }).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(/^OK {2}[1-9]\d* passed, 0 failed/),
      })
      // one that has transitions always counts them
      expect(stdout).toMatch(/^Coverage {2}gates (\d+)\/\1, rules (\d+)\/\2(?:, transitions (\d+)\/\3)?$/m)
    }),
  )

  it('each has its page, and a row in the list', () => {
    const list = readFileSync(join(ROOT, 'examples/README.md'), 'utf8')
    for (const name of examples) {
      expect(readFileSync(join(ROOT, 'examples', name, 'README.md'), 'utf8')).toMatch(/^# /)
      expect(list).toContain(`| [${name}](${name}/README.md) |`)
    }
  })
})
