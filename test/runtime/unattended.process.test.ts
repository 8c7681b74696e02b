import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { client as gemini } from '../../src/clients/gemini-cli/index.ts'
import { BIN, type Sandbox, withSandbox } from '../support/sandbox.ts'

/** Starts the hook as the client does, and says what it answers. */
const CLIENT = `
const { spawnSync } = require('node:child_process')
const input = JSON.stringify({ session_id: 's', cwd: process.cwd(), timestamp: '2026-11-15T08:00:00.000Z', hook_event_name: 'BeforeTool',
  tool_name: 'write_file', tool_input: { file_path: process.cwd() + '/signalbox.yaml', content: 'x' } })
console.log(spawnSync(process.execPath, [${JSON.stringify(BIN)}, 'hook', '--client', 'gemini-cli'], { input, encoding: 'utf8' }).stdout)
`

/** As the real one lies there. */
function client(sandbox: Sandbox, name = '@google/gemini-cli'): string {
  const file = join(sandbox.folder, 'node_modules', name, 'bundle/gemini.js')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, CLIENT)
  return file
}

const play = (start: (file: string) => readonly string[], name?: string) =>
  withSandbox({}, async sandbox => {
    const [program = '', ...args] = start(client(sandbox, name))
    const { stdout } = spawnSync(program, args, {
      cwd: sandbox.project,
      encoding: 'utf8',
      input: '',
      env: { PATH: process.env.PATH, HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home, SIGNALBOX_DAEMON: 'off' },
    })
    return /"decision":"(\w+)"/.exec(stdout)?.[1]
  })

const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

describe.runIf(process.platform === 'linux')('where `ask` would wait for ever', () => {
  it('denies when the client was told to work alone', async () => {
    expect(await play(file => [process.execPath, file, '-p', 'go'])).toBe('deny')
    expect(await play(file => [process.execPath, file, '--prompt=go'])).toBe('deny')
  })

  it.each(['-p', '-yp', '-ypgo', '-dsyp=go', '--p', '--prompt', '--prompt=a\nb'])('knows that %s is alone', word => {
    expect(gemini.unattended?.test(word)).toBe(true)
  })

  it.each(['-y', '-i', '--prompt-interactive', '--prompt-interactive=go', '--approval-mode=plan', 'help -p', 'p'])(
    'does not take %s for it',
    word => {
      expect(gemini.unattended?.test(word)).toBe(false)
    },
  )

  it('denies where there is no terminal to ask in', async () => {
    expect(await play(file => [process.execPath, file])).toBe('deny')
  })

  it.runIf(hasTerminals)('asks where there is one', async () => {
    const inTerminal = (words: string) => ['script', '-qec', words, '/dev/null']
    expect(await play(file => inTerminal(`'${process.execPath}' '${file}'`))).toBe('ask')
    expect(await play(file => inTerminal(`'${process.execPath}' '${file}' -p go`))).toBe('deny')
  })

  it('asks where the client is not seen: somebody may be there', async () => {
    expect(await play(file => [process.execPath, file], 'another')).toBe('ask')
  })
})
