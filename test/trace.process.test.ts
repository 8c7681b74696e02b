import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const PUSHING = `gates:
  pushing:
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Not yet. }]
`
/** The gate that the README shows. */
const TESTS_BEFORE_COMMIT = /^gates:\n {2}tests-before-commit:\n[^`]*`\{suggest\}`[^`]*/m.exec(
  readFileSync(join(ROOT, 'README.md'), 'utf8'),
)?.[0]

/** What `npm run trace` prints about a shell call of Claude Code. */
function trace(policy: string | undefined, input: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-trace-test-'))
  try {
    writeFileSync(join(folder, 'signalbox.yaml'), policy ?? '')
    const payload = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: input }
    writeFileSync(join(folder, 'payload.json'), JSON.stringify({ ...payload, session_id: 's', tool_use_id: 't' }))
    const args = ['--policy', join(folder, 'signalbox.yaml'), '--rounds', '3', '--json']
    const printed = execFileSync(process.execPath, ['scripts/trace.mjs', join(folder, 'payload.json'), ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const { reply, phases, files } = JSON.parse(printed)
    return {
      decision: JSON.parse(reply.stdout).hookSpecificOutput.permissionDecision,
      phases: phases.map(({ name }: { name: string }) => name),
      files: files.map(({ path }: { path: string }) => path),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it('npm run trace shows the reply, the phases in their order and the files that ran', () => {
  const { decision, phases, files } = trace(PUSHING, { command: 'git push' })
  expect(decision).toBe('deny')
  expect(phases).toEqual([
    'decodePayload',
    'resolveProject',
    'findRecordedReply',
    'analyseActions',
    'collectAnswers',
    'decide',
    'afterCommit',
  ])
  expect(files).toContain('src/hook/handle-event.ts')
  expect(files).toContain('src/engine/evaluate/evaluate.ts')
  expect(files).not.toContain('src/clients/gemini-cli/encode.ts')
})

it.each([
  [[], 'usage: npm run trace -- PAYLOAD.json'],
  [['--bogus'], "trace: Unknown option '--bogus'"],
  [['nowhere.json'], 'trace: nowhere.json cannot be read: ENOENT'],
  [['README.md'], 'trace: README.md is not a payload: it is not a JSON object'],
  [['package.json', '--policy', 'nowhere.yaml'], 'trace: nowhere.yaml cannot be read: ENOENT'],
  [['package.json', '--rounds', 'x'], 'trace: `--rounds x`: expected a number from 1 on'],
  [['package.json', '--client', 'codex'], 'trace: unknown client `codex`; there are claude-code, codex-cli'],
])('npm run trace %j says what is wrong in a line', (args, why) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/trace.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect([status, stdout, stderr.slice(0, why.length)]).toEqual([2, '', why])
  expect(stderr).not.toContain('    at ')
})

// a reader has to follow this many files: the numbers may only become less
it('a git commit runs through at most 60 files, with the gate of the README', () => {
  const { decision, files } = trace(TESTS_BEFORE_COMMIT, { command: 'git commit -m x', description: 'Commit' })
  expect(decision).toBe('deny')
  expect(files.length).toBeLessThanOrEqual(60)
})

it('a git commit runs through at most 71 files, with every pack', () => {
  const packs = 'use: [master-orchestrator, orchestrator-boundary, router-first, tool-routing]\n'
  const { decision, files } = trace(packs + TESTS_BEFORE_COMMIT, { command: 'git commit -m x', description: 'Commit' })
  expect(decision).toBe('deny')
  expect(files.length).toBeLessThanOrEqual(71)
})
