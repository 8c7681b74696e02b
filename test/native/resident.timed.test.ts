import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { isBuilt, onStage, pause, type Stage } from '../support/native/hook.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const POLICY = `gates:
  g: { rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }] }
`
let nth = 0
const call = (stage: Stage, command: string): string =>
  JSON.stringify({
    session_id: 's',
    cwd: stage.project,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: `t${nth++}`,
    tool_input: { command },
  })
const decision = ({ stdout }: { stdout: string }): unknown =>
  stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput.permissionDecision

async function until(holds: () => boolean): Promise<void> {
  for (let left = 400; left > 0 && !holds(); left--) await pause(20)
  expect(holds()).toBe(true)
}

const isNew = (status: string, before: number): boolean => {
  const { running, pid } = JSON.parse(status)
  return running === true && pid !== before
}

/** As `init` leaves it, but for the copy: the program is this checkout. */
function install(stage: Stage): void {
  rmSync(join(stage.folder, 'data/current'), { recursive: true })
  symlinkSync(ROOT, join(stage.folder, 'data/current'))
  writeFileSync(stage.launcher, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/signalbox.cjs' "$@"\n`)
  mkdirSync(join(stage.project, '.git'))
  writeFileSync(join(stage.project, 'signalbox.yaml'), POLICY)
}

it.runIf(isBuilt)(
  'the first call starts the daemon, the others are answered by it, one that dies is replaced',
  () =>
    onStage(async stage => {
      install(stage)
      const env = { PATH: process.env.PATH ?? '', HOME: stage.home, SIGNALBOX_HOME: stage.home }
      const control = (word: string) =>
        spawnSync(stage.bin, ['daemon', word, '--json'], { env, encoding: 'utf8' }).stdout
      const socket = join(stage.run, 'socket')
      try {
        expect(decision(await stage.hook({ input: call(stage, 'git push') }))).toBe('deny')
        await until(() => existsSync(socket))
        expect(decision(await stage.hook({ input: call(stage, 'git push') }))).toBe('deny')
        expect(await stage.hook({ input: call(stage, 'ls') })).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
        const { pid, answered } = JSON.parse(control('status'))
        expect(answered).toBe(2)
        process.kill(pid, 'SIGKILL')
        expect(decision(await stage.hook({ input: call(stage, 'git push') }))).toBe('deny')
        await until(() => existsSync(socket) && !existsSync(join(stage.run, 'start')) && isNew(control('status'), pid))
        expect(decision(await stage.hook({ input: call(stage, 'git push') }))).toBe('deny')
        expect(JSON.parse(control('status')).answered).toBe(1)
      } finally {
        control('stop')
      }
    }),
  60_000,
)
