import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BIN, withSandbox } from '../support/sandbox.ts'

/** The protocol that is always answered in words is so even without the program. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'Hook error: boom': 'exports.runHook = () => { throw new Error("boom") }',
  'Hook error: the program ended without a reply': 'exports.runHook = () => process.exit(1)',
  'Hook timeout - allowing request': 'exports.runHook = () => new Promise(() => setInterval(() => {}, 1000))',
}
const CALL = JSON.stringify({ tool_name: 'Read', tool_input: { file_path: 'a' }, context: { agent_name: 'developer' } })
const RESULT = JSON.stringify({ tool_name: 'Read', tool_result: 'x' })

const answer = (program: string, input: string, args: readonly string[] = []) =>
  withSandbox({}, async sandbox => {
    const bin = join(sandbox.folder, 'copy/bin/signalbox.cjs')
    cpSync(dirname(BIN), dirname(bin), { recursive: true })
    mkdirSync(join(sandbox.folder, 'copy/dist'))
    writeFileSync(join(sandbox.folder, 'copy/dist/entry.cjs'), program)
    const { exitCode, stdout } = await sandbox.run(['hook', '--client', 'generic', ...args], { input, bin })
    return { exitCode, words: JSON.parse(stdout) }
  })

describe.each(Object.entries(PROGRAMS))('%s', (warning, program) => {
  it('approves with a warning', async () => {
    expect(await answer(program, CALL)).toEqual({ exitCode: 0, words: { decision: 'approve', warning } })
  })

  it('blocks a call where the command line says closed, and nothing else', async () => {
    const closed = ['--on-error=closed']
    expect((await answer(program, CALL, closed)).words).toMatchObject({ decision: 'block' })
    expect((await answer(program, RESULT, closed)).words).toMatchObject({ decision: 'approve' })
  })
})
