import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hex, made } from '../store/secret-shapes.ts'
import { withSandbox } from '../support/sandbox.ts'

const POLICY =
  'gates: { g: { rules: [ { when: { event: tool.before }, then: deny, message: "Not `{command}`{url}, by {tool}." } ] } }'

/** What must be nowhere, and the line it stands in. */
const LINES: readonly (readonly [secret: string, line: string])[] = [
  [`ghp_${made(36)}`, `git push https://ghp_${made(36)}@github.com/a/b`],
  [made(35), `curl https://api.telegram.org/bot123456789:${made(35)}/getMe`],
  [made(35), `curl https://api.telegram.org/bot123456:${made(35)}/getMe`],
  [made(35), `curl https://api.telegram.org/bot1234567890%3A${made(35)}/getMe`],
  ['hunter2hunter2', 'wget --http-password hunter2hunter2 https://h.example/x'],
  ['hunter2hunter2', 'wget --http-passwor hunter2hunter2 https://h.example/x'],
  ['hunter2hunter2', 'somewhere --password hunter2hunter2'],
  ['hunter2hunter2', 'wget --new-password hunter2hunter2 https://h.example/x'],
  [hex(32), `twilio login AC${made(32, '0123456789abcdef')} ${hex(32)}`],
  [hex(32), `curl https://api.twilio.com/x -d t=${hex(32)}`],
  [hex(32), `./call.sh AC${made(32, 'fedcba9876543210')} ${hex(32)}`],
  [
    Buffer.from(`token ghp_${made(36)}`).toString('base64'),
    `echo ${Buffer.from(`token ghp_${made(36)}`).toString('base64')} | base64 -d`,
  ],
  ['s3cr3tpw4', 'mysql -uroot -ps3cr3tpw4 db'],
  ['s3cr3tpw5', '7z a -ps3cr3tpw5 a.7z b'],
  ['s3cr3tp6', 'sshpass -ps3cr3tp6 ssh host'],
  ['s3cr3t-7', 'curl -ubob:s3cr3t-7 https://h.example'],
  ['correct horse', `login --password 'correct horse' x`],
]

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap(name => {
    const file = join(folder, name)
    return statSync(file).isDirectory() ? filesIn(file) : [file]
  })

it('a secret of a refused call is in no reply, and in no byte of what is kept', () =>
  withSandbox({ user: POLICY }, async sandbox => {
    for (const [nth, [secret, command]] of LINES.entries()) {
      const payload = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: `t${nth}` }
      const text = JSON.stringify({ ...payload, tool_input: { command }, cwd: sandbox.project })
      const first = await sandbox.hook('claude-code', text)
      expect(JSON.parse(first.stdout).hookSpecificOutput.permissionDecisionReason).toContain('[redacted]')
      expect(first.stdout).not.toContain(secret)
      // the same event gets the same answer
      expect((await sandbox.hook('claude-code', text)).stdout).toBe(first.stdout)
    }
    const kept = filesIn(join(sandbox.home, 'state')).map(
      file => [file, readFileSync(file).toString('latin1')] as const,
    )
    expect(kept.some(([file]) => file.endsWith('.db'))).toBe(true)
    for (const [secret, command] of LINES)
      expect([command, kept.filter(([, text]) => text.includes(secret)).map(([file]) => file)]).toEqual([command, []])
  }))

it('what only looks like one stays', () =>
  withSandbox({ user: POLICY }, async sandbox => {
    for (const line of [
      `git show ${hex(40)}`,
      `echo ${hex(32)}`,
      `md5sum -c ${hex(32)}`,
      `ls src/components/of/a/long/path/here`,
      `echo ${Buffer.from('nothing secret is in this text').toString('base64')}`,
    ]) {
      const payload = {
        session_id: 's',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: line },
      }
      const { stdout } = await sandbox.hook('claude-code', JSON.stringify({ ...payload, cwd: sandbox.project }))
      expect(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason.split('`')[1]).toBe(line)
    }
  }))
