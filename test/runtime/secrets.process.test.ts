import { describe, expect, it } from 'vitest'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const X = '[redacted]'
/** What the trail keeps of a call, through the real hook. */
async function kept(sandbox: Sandbox, command: string, tool = 'Bash') {
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { command } }
  await sandbox.hook('claude-code', JSON.stringify({ ...payload, cwd: sandbox.project }))
  const { acts = [], reason } = sandbox.records().at(-1) ?? {}
  return { acts, reason }
}
const CUT = /… \(\d+ characters, sha256 [0-9a-f]{64}\)$/

describe('what the trail keeps of a command', () => {
  it.each<[string, string, readonly string[]]>([
    ['a header', `curl -H "X-Api-Key: word" h.example`, [`run curl -H 'X-Api-Key: ${X}' h.example`, 'fetch h.example']],
    ['words in quotes', `login --password "correct horse" x`, [`run login --password ${X} x`]],
    ['what would be more than a word', `login --password 'a;b' x`, [`run login --password ${X} x`]],
    ['a dollar that is none', `login --password '$ecret' x`, [`run login --password ${X} x`]],
    ['a variable', 'login --password "$SECRET" x', ['run login --password … x']],
    [
      'a command in another',
      `bash -c 'sshpass -p word x'`,
      [`run bash -c 'sshpass -p ${X} x'`, `run sshpass -p ${X} x`],
    ],
    ['a variable in front', 'PGPASSWORD=word psql -h h', ['run psql -h h']],
    ['settings', 'echo A=word >> .env', [`run echo ${X}`, expect.stringMatching(/^write .*\/\.env$/)]],
    ['a here-document', 'cat > .env <<E\nA=word\nE', ['run cat', expect.stringMatching(/^write .*\/\.env$/)]],
    ['a pipe', 'echo word | docker login --password-stdin h', [`run echo ${X}`, 'run docker login --password-stdin h']],
  ])('%s', (_, command, acts) =>
    withSandbox({ project: 'gates: {}' }, async sandbox => {
      expect((await kept(sandbox, command)).acts).toEqual(acts)
    }),
  )

  it.each<[string, string, (rest: string) => string, readonly unknown[]]>([
    ['a line that nobody can read', 'Bash', rest => `if ${'a '.repeat(80)}${rest}`, []],
    ['another shell', 'PowerShell', rest => `${'a '.repeat(80)}${rest}`, [expect.stringMatching(/^run (a )+…$/)]],
  ])('%s: hidden before it is cut, whole in its hash', (_, tool, line, more) =>
    withSandbox({ project: 'gates: {}' }, async sandbox => {
      const { acts } = await kept(sandbox, line(`https://u:${'hunter2'.repeat(9)}@h.example/${'b'.repeat(300)}`), tool)
      expect(acts).toEqual([expect.stringMatching(CUT), ...more])
      expect(acts[0]).toContain(`https://u:${X}@h`)
      const other = await kept(sandbox, line(`https://u:x@h.example/${'b'.repeat(299)}c`), tool)
      expect(other.acts[0]?.slice(0, 200)).toBe(acts[0]?.slice(0, 200))
      expect(other.acts[0]).not.toBe(acts[0])
    }),
  )

  it.each([0, 10, 20, 30, 40, 50, 60])(
    'a message shows the beginning of it, the record no half of a secret (%i)',
    pad =>
      withSandbox(
        {
          user: 'gates: { g: { rules: [ { when: { event: tool.before }, then: deny, message: "Not `{command}`." } ] } }',
        },
        async sandbox => {
          const command = `echo ${'a'.repeat(130 + pad)} https://u:${'hunter2'.repeat(9)}@h.example ghp_${'aB3'.repeat(12)}`
          const { reason } = await kept(sandbox, command)
          expect(reason).toMatch(/^Not `echo a{130}/)
          expect(reason).not.toMatch(/hunt|ghp_/)
        },
      ),
  )
})
