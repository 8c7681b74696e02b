import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const POLICY = `gates:
  pushing:
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Not yet. }]
`

it('npm run trace shows the reply, the phases in their order and the files that ran', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-trace-test-'))
  try {
    writeFileSync(join(folder, 'signalbox.yaml'), POLICY)
    const payload = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push' } }
    writeFileSync(join(folder, 'payload.json'), JSON.stringify({ ...payload, session_id: 's', tool_use_id: 't' }))
    const args = ['--policy', join(folder, 'signalbox.yaml'), '--rounds', '3', '--json']
    const printed = execFileSync(process.execPath, ['scripts/trace.mjs', join(folder, 'payload.json'), ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const { reply, phases, files } = JSON.parse(printed)
    expect(JSON.parse(reply.stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    expect(phases.map((phase: { name: string }) => phase.name)).toEqual([
      'decodePayload',
      'resolveProject',
      'findRecordedReply',
      'analyseActions',
      'collectAnswers',
      'decide',
      'afterCommit',
    ])
    const paths = files.map((file: { path: string }) => file.path)
    expect(paths).toContain('src/hook/handle-event.ts')
    expect(paths).toContain('src/engine/evaluate/evaluate.ts')
    expect(paths).not.toContain('src/clients/gemini-cli/encode.ts')
    // a reader has to follow this many files: it may only become less
    expect(paths.length).toBeLessThanOrEqual(86)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
