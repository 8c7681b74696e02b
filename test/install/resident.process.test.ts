import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOOK, isBuilt } from '../support/native/hook.ts'
import { BIN } from '../support/sandbox.ts'
import { CALL, lineIn, type Machine, onMachine } from './machine.ts'

const ON = { SIGNALBOX_DAEMON: 'on' }
const FOLDER = '.local/share/signalbox'
const RUN = '.local/state/signalbox/run'

const init = (machine: Machine, bin = BIN, env: Record<string, string> = {}) =>
  machine.run(['init', '--yes', '--client', 'claude-code'], { bin, env })
const call = async (machine: Machine, nth: number): Promise<boolean> => {
  const line = lineIn(machine.json('.claude/settings.json'), 'PreToolUse')
  const input = JSON.stringify({ ...JSON.parse(CALL), tool_use_id: `toolu_${nth}` })
  const { stdout, exitCode } = await machine.shell(line, { input, env: ON })
  return exitCode === 0 && stdout.includes('"permissionDecision":"deny"')
}
const daemonOf = async (machine: Machine) =>
  JSON.parse((await machine.run(['daemon', 'status', '--json'], { env: ON })).stdout)

async function until<T>(ask: () => Promise<T | undefined | false>, patienceMs = 40_000): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await new Promise(done => setTimeout(done, 50))) {
    const found = await ask()
    if (found) return found
  }
  throw new Error('it did not come to that')
}

/** One that has ended and is not buried yet is not. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The same program as another build: every place that names it. */
function rebuilt(bin: string): string {
  const dist = join(dirname(bin), '../dist')
  const now = readFileSync(join(dist, 'build'), 'utf8').trim()
  for (const one of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(one.parentPath ?? one.path, one.name)
    if (!one.isFile() || /^(native|ui)\//.test(relative(dist, file))) continue
    const text = readFileSync(file, 'latin1')
    if (text.includes(now)) writeFileSync(file, text.replaceAll(now, 'f'.repeat(now.length)), 'latin1')
  }
  return bin
}

/** Several programs are installed here, one after the other. */
const PATIENT = { timeout: 90_000 }

describe.skipIf(!isBuilt)('where a native hook runs', PATIENT, () => {
  it('agents start it by the line as ever, a daemon answers, and uninstall leaves neither', () =>
    onMachine(async machine => {
      const before = machine.tree()
      const { exitCode, stdout } = await init(machine, BIN, ON)
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ENFORCING') })
      expect(stdout).not.toContain('Note ')
      expect(readFileSync(join(machine.home, FOLDER, 'bin/signalbox')).equals(readFileSync(HOOK))).toBe(true)
      expect(machine.read(`${FOLDER}/bin/signalbox.sh`)).toMatch(/^#!\/bin\/sh\n# Signalbox\. Written by/)
      expect(machine.read('.local/state/signalbox/install.json').length).toBeLessThan(100_000)
      const { pid, answered } = await until(async () => {
        const told = await daemonOf(machine)
        return told.running && told
      })
      expect(await call(machine, 1)).toBe(true)
      expect((await daemonOf(machine)).answered).toBeGreaterThan(answered)
      const status = await machine.run(['status'], { env: ON })
      expect(status.stdout).toMatch(new RegExp(`Hook +native; daemon running for \\d+ s, process ${pid}, \\d+ MB\n`))
      const { problems, live } = JSON.parse((await machine.run(['doctor', '--live', '--json'], { env: ON })).stdout)
      expect(problems).toEqual([])
      expect(live).toMatchObject([{ client: 'claude-code', verdict: 'denied', daemonMs: expect.any(Number) }])
      // by its own word, through the native hook
      const out = await machine.shell('signalbox uninstall --yes', { env: ON })
      expect(out).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Done.') })
      expect(isAlive(pid)).toBe(false)
      expect(machine.has(RUN)).toBe(false)
      expect(machine.tree()).toEqual(before)
    }))

  it('another build takes its place under calls, and so does the first again: none is lost', () =>
    onMachine(async machine => {
      await init(machine, BIN, ON)
      const first = await until(async () => (await daemonOf(machine)).pid)
      const next = rebuilt(machine.unpack('next', '0.2.0'))
      let isOver = false
      const calls = (async () => {
        const answers: boolean[] = []
        while (!isOver) answers.push(await call(machine, answers.length))
        return answers
      })()
      const settings = machine.read('.claude/settings.json')
      expect(await init(machine, next, ON)).toMatchObject({ exitCode: 0, stderr: '' })
      expect(machine.read(`${FOLDER}/bin/signalbox`)).toContain('signalbox-hook 0.2.0')
      // a daemon is not replaced in its first seconds
      const second = await until(async () => {
        const { pid, build } = await daemonOf(machine)
        return /^f+$/.test(build) && pid
      })
      expect(isAlive(first)).toBe(false)
      expect(await init(machine, BIN, ON)).toMatchObject({ exitCode: 0, stderr: '' })
      isOver = true
      expect(machine.read(`${FOLDER}/bin/signalbox`)).toContain('signalbox-hook 0.1.0')
      expect(machine.read('.claude/settings.json')).toBe(settings)
      const answers = await calls
      expect(answers.length).toBeGreaterThan(10)
      expect(answers.every(Boolean)).toBe(true)
      await machine.run(['uninstall', '--yes'], { env: ON })
      expect(isAlive(second)).toBe(false)
    }))
})

describe('where none runs', PATIENT, () => {
  const named = (bin: string): string => join(dirname(bin), '../dist/native/signalbox-hook')

  it('the script is there as before, and it says so; one that comes and goes later is put there and taken away', () =>
    onMachine(async machine => {
      const bare = machine.unpack('bare')
      rmSync(dirname(named(bare)), { recursive: true, force: true })
      const { exitCode, stdout } = await init(machine, bare)
      expect(exitCode).toBe(0)
      expect(stdout).toMatch(/^Note {3}each hook call starts Node \(slower\): there is no native hook for .*$/m)
      expect(machine.read(`${FOLDER}/bin/signalbox`)).toMatch(/^#!\/bin\/sh\n/)
      expect(machine.has(`${FOLDER}/bin/signalbox.sh`)).toBe(false)
      expect((await machine.run(['status'])).stdout).toMatch(/Hook +one-shot: there is no native hook for /)
      if (isBuilt) {
        await init(machine)
        expect(machine.read(`${FOLDER}/bin/signalbox`)).toContain('signalbox-hook 0.1.0')
        await init(machine, bare)
        expect(machine.read(`${FOLDER}/bin/signalbox`)).toMatch(/^#!\/bin\/sh\n/)
        expect(await call(machine, 1)).toBe(true)
      }
      expect(await machine.run(['uninstall', '--yes'])).toMatchObject({ exitCode: 0, stderr: '' })
      expect(machine.has(FOLDER)).toBe(false)
    }))

  it('one that ran where it came from and not where it is put is left out, and the hook holds', () =>
    onMachine(async machine => {
      const bin = machine.unpack('odd')
      const says = `#!/bin/sh\ncase $0 in */odd/*) echo 'signalbox-hook 0.1.0' ;; *) exit 126 ;; esac\n`
      mkdirSync(dirname(named(bin)), { recursive: true })
      writeFileSync(named(bin), says)
      chmodSync(named(bin), 0o755)
      const { exitCode, stdout } = await init(machine, bin)
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ENFORCING') })
      expect(stdout).toMatch(
        /^Note {3}each hook call starts Node \(slower\): .*signalbox-hook does not run here as version 0\.1\.0$/m,
      )
      expect(machine.read(`${FOLDER}/bin/signalbox`)).toContain('# Signalbox. Written by')
      const again = await init(machine, bin)
      expect(again.stdout).toContain('Nothing to change.')
    }))
})
