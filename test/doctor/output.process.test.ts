import { describe, expect, it } from 'vitest'
import { programStartedBy } from '../../src/app/doctor/read/command-line.ts'
import { withPatient } from './doctor-sandbox.ts'

describe('signalbox doctor', () => {
  it('problems first, each with its effect, its place and its fix; exit 1', () =>
    withPatient({}, async patient => {
      patient.register('claude-code', 'user', '/opt/n20/bin/signalbox hook')
      patient.program('gemini')
      const { exitCode, stdout } = await patient.run(['doctor'], { env: { PATH: patient.path } })
      expect({ exitCode, stdout }).toEqual({
        exitCode: 1,
        stdout: `2 problems, 22 checks passed (-v lists them)
1 HOOK-MISSING  every Gemini CLI call passes unchecked
  found  ${stdout.match(/found {2}(\S+gemini) is/)?.[1]} is installed; ~/.gemini/settings.json does not call Signalbox
  fix    signalbox init --client gemini-cli
2 HOOK-PATH-GONE  every Claude Code call is denied; before 2.1.295 it passes unchecked
  found  ~/.claude/settings.json:6 runs /opt/n20/bin/signalbox: missing (and 10 more places)
  fix    signalbox init --client claude-code
note NO-POLICY  only Signalbox's own files are protected here
  found  there is no signalbox.yaml in the project, in your home folder, or managed
  fix    signalbox init
`,
      })
    }))

  it('nothing wrong: exit 0, what passed on request, and the next command last', () =>
    withPatient({ project: 'gates: {}\n' }, async patient => {
      patient.register('claude-code')
      const { exitCode, stdout } = await patient.run(['doctor', '-v'], { env: { PATH: patient.path } })
      expect(exitCode).toBe(0)
      expect(stdout).toMatch(/^No problems, 25 checks passed\npassed /)
      expect(stdout).toContain('passed timeouts, in the unit of each agent\n')
      expect(stdout).toMatch(/\nkept the audit log for 90 days, at most 1,024 MB /)
      expect(stdout).toMatch(/\nNext {2}signalbox doctor --live\n$/)
    }))

  it('agents that are not here get no row', () =>
    withPatient({}, async patient => {
      patient.register('claude-code')
      const { stdout } = await patient.run(['doctor', '-v'], { env: { PATH: patient.path } })
      expect(stdout).not.toMatch(/Gemini|Codex|Cursor|Copilot|Qwen|opencode/)
    }))

  it('an unknown option is an error, exit 2', () =>
    withPatient({}, async patient => {
      const { exitCode, stderr } = await patient.run(['doctor', '--alive'])
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/^signalbox doctor: unknown option `--alive`/)
    }))
})

describe('what a command line starts', () => {
  const env = { HOME: '/home/dev', CLAUDE_PROJECT_DIR: '/home/dev/proj' }
  it.each([
    ['/opt/signalbox hook', { program: '/opt/signalbox' }],
    ["'/opt/a b/signalbox' hook", { program: '/opt/a b/signalbox' }],
    ['"$HOME/it\'s/signalbox" hook', { program: "/home/dev/it's/signalbox" }],
    ['~/bin/signalbox hook', { program: '/home/dev/bin/signalbox' }],
    ['"$CLAUDE_PROJECT_DIR"/.signalbox/hook --client x', { program: '/home/dev/proj/.signalbox/hook' }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's own
    ['sh "${CLAUDE_PROJECT_DIR:-.}/.signalbox/hook"', { program: 'sh', script: '/home/dev/proj/.signalbox/hook' }],
    ['NODE_ENV=x node --no-warnings /opt/s.cjs hook', { program: 'node', script: '/opt/s.cjs' }],
    ["sh -c 'exec x' - --client y", { program: 'sh' }],
    ['exec /opt/signalbox hook', { program: '/opt/signalbox' }],
    ['cd /x && signalbox hook', undefined],
    ['"$(which signalbox)" hook', undefined],
    ['$UNSET/signalbox hook', undefined],
    ["'/opt/signalbox hook", undefined],
    ['', undefined],
  ])('%s', (line, started) => {
    expect(programStartedBy(line, env)).toEqual(started)
  })
})
