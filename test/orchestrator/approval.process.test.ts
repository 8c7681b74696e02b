import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueApproval, type TaskApproval } from '../../src/app/orchestrate/task-approval.ts'
import {
  type Approval,
  assignGrant,
  closeGrant,
  openAttestationKey,
  openGrant,
  processNamespace,
  processStartTime,
  signApproval,
  sweepGrants,
} from '../../src/hook/index.ts'
import { isDescendantOf } from '../../src/hook/process/process-ancestry.ts'
import { redact } from '../../src/store/index.ts'
import { isBuilt, pause } from '../support/native/hook.ts'
import { Installed } from '../support/native/installed.ts'

const POLICY = `
use: [master-orchestrator]
gates:
  no-commit:
    rules: [{ when: { event: tool.before, command: git commit }, then: deny, message: Not now. }]
  no-push:
    yields: false
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Never. }]
hooks:
  - { event: tool.before, tool: Write, run: env > "$SIGNALBOX_HOME/env.$PPID" }
`

const HOUR = 3_600_000
let nth = 0

/** A hook that is asked as an agent asks it, with an approval from this process. */
class Place extends Installed {
  readonly ending: (() => void)[] = []
  daemonOff = false

  payload(command = 'touch src/a'): string {
    const id = `toolu_${process.pid}_${nth++}`
    const call = command === 'write' ? WRITE : { tool_name: 'Bash', tool_input: { command } }
    return JSON.stringify({
      ...{ session_id: 's', cwd: this.project, hook_event_name: 'PreToolUse', tool_use_id: id, ...call },
    })
  }

  envWith(token?: string): Record<string, string> {
    const own = token === undefined ? {} : { SIGNALBOX_APPROVAL: token }
    return { ...own, ...(this.daemonOff && { SIGNALBOX_DAEMON: 'off' }) }
  }

  async ask(token: string | undefined, { command = 'touch src/a' }: { command?: string } = {}) {
    const { exitCode, stdout } = await this.hook({ input: this.payload(command), env: this.envWith(token) })
    expect(exitCode).toBe(0)
    return /"permissionDecision":"deny"/.test(stdout) ? 'refused' : 'passed'
  }

  /** The same, run by a shell that does with it what the test wants; the answer is in a file. */
  async askIn(script: (hook: string) => string, token: string, play?: (pid: number) => unknown) {
    const [input, out] = ['in', 'out'].map(name => join(this.folder, `${name}.${nth++}`)) as [string, string]
    writeFileSync(input, this.payload())
    const hook = `'${this.bin}' hook --client claude-code < '${input}' > '${out}.part' 2>/dev/null; mv '${out}.part' '${out}'`
    const env = { ...this.env, ...this.envWith(token) }
    const child = spawn('sh', ['-c', script(hook)], { cwd: this.project, env, stdio: 'ignore' })
    this.ending.push(() => child.kill('SIGKILL'))
    if (child.pid) play?.(child.pid)
    for (let turn = 0; turn < 500 && !existsSync(out); turn++) await pause(10)
    return /"permissionDecision":"deny"/.test(readFileSync(out, 'utf8')) ? 'refused' : 'passed'
  }

  leave(gates: readonly string[] = [], approves = true): TaskApproval {
    const made = issueApproval({
      state: this.state,
      root: this.project,
      task: 'add a login',
      gates,
      forMs: HOUR,
      approves,
    })
    made.bindToProcess(process.pid)
    this.ending.push(made.end)
    return made
  }

  /** With the real key, and what is wrong with it. */
  minted(wrong: Partial<Approval>, key = openAttestationKey(this.state)): string {
    const now = Date.now()
    const id = (++nth).toString(16).padStart(16, '0')
    const born = processStartTime(process.pid) ?? ''
    const own = { pid: process.pid, born, world: processNamespace(), from: now, until: now + HOUR }
    const approval: Approval = { id, root: this.project, task: 't', approves: true, gates: [], ...own, ...wrong }
    assignGrant(this.state, approval, approval, openAttestationKey(this.state))
    return signApproval(approval, key)
  }

  override end(): void {
    for (const one of this.ending) one()
    super.end()
  }
}

const WRITE = { tool_name: 'Write', tool_input: { file_path: 'src/a', content: 'a' } }

/** The payload of a token, changed, under the seal it had. */
function widened(token: string, change: (payload: unknown[]) => void): string {
  const [, text = '', seal = ''] = /^sbapproval_(.*)\.(.*)$/.exec(token) ?? []
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString())
  change(payload)
  return `sbapproval_${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${seal}`
}

describe.skipIf(!isBuilt).each(['one-shot', 'daemon'] as const)('an approval, %s', way => {
  let place: Place
  beforeAll(async () => {
    place = new Place(POLICY)
    if (way === 'one-shot') place.daemonOff = true
    else await place.resident()
  }, 30_000)
  afterAll(() => place.end())

  it('lets those by who were started with it, and nobody after it has ended', async () => {
    expect(await place.ask(undefined)).toBe('refused')
    const { token, end } = place.leave()
    expect(await place.ask(token)).toBe('passed')
    expect(await place.askIn(hook => `sh -c "${hook}"`, token)).toBe('passed')
    end()
    expect(await place.ask(token)).toBe('refused')
    expect(place.records().map(({ notes }) => notes.find(note => /approv/.test(note)))).toEqual([
      undefined,
      expect.stringMatching(/^approved: [0-9a-f]{16}$/),
      expect.stringMatching(/^approved: [0-9a-f]{16}$/),
      'an approval was rejected: its task has ended',
    ])
  })

  it('holds for what is done in the project, and among what is temporary', async () => {
    const { token } = place.leave()
    const asked = (command: string) => place.ask(token, { command })
    expect(await asked('touch src/b && rm -f src/c')).toBe('passed')
    expect(await asked('touch /tmp/notes.txt')).toBe('passed')
    expect(await asked('touch /dev/shm/a')).toBe('refused')
    expect(await asked('touch /tmp/../srv/other/a')).toBe('refused')
    // a link leads where it leads
    const link = join(place.project, `out${nth}`)
    symlinkSync('/srv', link)
    place.ending.push(() => rmSync(link))
    expect(await asked(`touch ${link}/a`)).toBe('refused')
    expect(await asked('touch /srv/other/a')).toBe('refused')
    expect(await asked('cd /srv/other && rm -rf src')).toBe('refused')
    expect(await asked('cd /srv/other && npm test')).toBe('refused')
  })

  it('lifts the gates it names, unless they yield to nobody', async () => {
    const { token } = place.leave(['no-commit', 'no-push'])
    const { token: plain } = place.leave()
    const commands = ['git commit -m x', 'git push']
    const asked = async (own: string) => {
      const all: string[] = []
      for (const command of commands) all.push(await place.ask(own, { command }))
      return all
    }
    expect(await asked(token)).toEqual(['passed', 'refused'])
    expect(await asked(plain)).toEqual(['refused', 'refused'])
  })

  it('is worth nothing forged, changed, late, elsewhere, or under the number of another process', async () => {
    const { token } = place.leave()
    const now = Date.now()
    const other = join(place.folder, 'other')
    mkdirSync(other, { recursive: true })
    const cases: Record<string, string> = {
      'another key': place.minted({}, Buffer.alloc(32, 7)),
      'more gates': widened(token, payload => payload.splice(3, 1, ['no-commit'])),
      'more time': widened(token, payload => payload.splice(5, 1, now + 7 * HOUR)),
      'another project written in': widened(token, payload => payload.splice(1, 1, '/')),
      'a part more': widened(token, payload => payload.push('x')),
      'cut off': token.slice(0, -1),
      'no seal': token.replace(/\..*$/, ''),
      'a word': '1',
      'for another project': place.minted({ root: other }),
      'it has expired': place.minted({ from: now - 2 * HOUR, until: now - HOUR }),
      'its time is too long': place.minted({ until: now + 100 * HOUR }),
      'its time is yet to come': place.minted({ from: now + HOUR, until: now + 2 * HOUR }),
      'a number that was given again': place.minted({ born: '1' }),
      'a world of other numbers': place.minted({ world: 'pid:[1]' }),
      'an id that leads elsewhere': place.minted({ id: '../../../signalbox.yaml' }),
    }
    const answers: Record<string, string> = {}
    for (const [name, one] of Object.entries(cases)) answers[name] = await place.ask(one)
    expect(answers).toEqual(Object.fromEntries(Object.keys(cases).map(name => [name, 'refused'])))
  })

  it('is worth nothing to a sibling: in its environment, or in settings that an agent reads', async () => {
    const sibling = spawn('sleep', ['60'], { stdio: 'ignore' })
    place.ending.push(() => sibling.kill('SIGKILL'))
    const pid = sibling.pid ?? 0
    const token = place.minted({ pid, born: processStartTime(pid) ?? '' })
    expect(await place.ask(token)).toBe('refused')
    // nor by calling itself by the other's number
    const env = { ...place.envWith(token), SIGNALBOX_CALL: `${pid}-0011`, SIGNALBOX_WATCHED: String(pid) }
    expect((await place.hook({ input: place.payload(), env })).stdout).toContain('"permissionDecision":"deny"')
  })

  it('is worth nothing to another task of the same orchestrator, nor before it is handed on', async () => {
    const asked = { state: place.state, root: place.project, task: 't', gates: [], forMs: HOUR, approves: true }
    const leave = issueApproval(asked)
    place.ending.push(leave.end)
    expect(await place.ask(leave.token)).toBe('refused')
    // below who has it
    expect(await place.askIn(hook => `sleep 0.3; sh -c "${hook}"`, leave.token, leave.bindToProcess)).toBe('passed')
    const other = spawn('sleep', ['60'], { stdio: 'ignore' })
    place.ending.push(() => other.kill('SIGKILL'))
    leave.bindToProcess(other.pid ?? 0)
    expect(await place.ask(leave.token)).toBe('refused')
    // a grant that was written by hand is none
    const file = join(place.state, 'approvals', `${leave.id}.json`)
    const own = { pid: process.pid, born: processStartTime(process.pid) }
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), to: own }))
    expect(await place.ask(leave.token)).toBe('refused')
  })

  it('is worth nothing to an orphan, nor once the orchestrator was killed', async () => {
    const { token } = place.leave()
    const orphaned = (hook: string) => `(setsid sh -c "sleep 0.2; ${hook}" &)`
    expect(await place.askIn(orphaned, token)).toBe('refused')
    // this shell is the orchestrator: it is killed, and its child goes on
    const key = openAttestationKey(place.state)
    const killed = (hook: string) => `read token < token; SIGNALBOX_APPROVAL=$token sh -c "sleep 0.4; ${hook}" & wait`
    const mkfifo = spawnSync('mkfifo', [join(place.project, 'token')])
    expect(mkfifo.status).toBe(0)
    const kill = async (pid: number) => {
      await pause(50)
      writeFileSync(join(place.project, 'token'), `${place.minted({ pid, born: processStartTime(pid) ?? '' }, key)}\n`)
      await pause(100)
      process.kill(pid, 'SIGKILL')
    }
    expect(await place.askIn(killed, '', kill)).toBe('refused')
    // the same shell, left alive
    const alive = (hook: string) => `read token < token; SIGNALBOX_APPROVAL=$token sh -c "${hook}" & wait`
    const hand = async (pid: number) => {
      await pause(50)
      writeFileSync(join(place.project, 'token'), `${place.minted({ pid, born: processStartTime(pid) ?? '' }, key)}\n`)
    }
    expect(await place.askIn(alive, '', hand)).toBe('passed')
  })

  it('is nowhere to be read but in the environment of who was started with it', async () => {
    const { token, id } = place.leave()
    expect(await place.ask(token, { command: 'write' })).toBe('passed')
    await place.ask(token, { command: `echo ${token}` })
    const printed = JSON.stringify({
      ...{ session_id: 's', cwd: place.project, hook_event_name: 'PostToolUse', tool_name: 'Bash' },
      ...{ tool_input: { command: 'env' }, tool_response: { stdout: `A=1\nSIGNALBOX_APPROVAL=${token}\n` } },
    })
    const { stdout, stderr } = await place.hook({ input: printed, env: place.envWith(token) })
    expect(stdout + stderr).not.toContain('sbapproval_')
    const given = readdirSync(place.home).filter(name => name.startsWith('env.'))
    expect(given).toHaveLength(1)
    expect(readFileSync(join(place.home, given[0] ?? ''), 'utf8')).not.toContain('SIGNALBOX_APPROVAL')
    const secret = token.slice(20, 60)
    const seen = [place.home, place.state].flatMap(folder =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(one => one.isFile() && readFileSync(join(one.parentPath, one.name)).includes(secret))
        .map(one => one.name),
    )
    expect(seen).toEqual([])
    expect(existsSync(join(place.state, 'approvals', `${id}.json`))).toBe(true)
    for (const { pid, words } of place.processes()) {
      expect(words).not.toContain('sbapproval_')
      expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain('sbapproval_')
    }
  })

  it('is worth nothing to another user, whose key is another, nor once others could have read the key', async () => {
    const { token } = place.leave()
    const theirs = join(place.folder, `home-of-another-${way}`)
    mkdirSync(theirs)
    writeFileSync(join(theirs, 'signalbox.yaml'), POLICY)
    openAttestationKey(join(theirs, 'state'))
    const env = { ...place.envWith(token), HOME: theirs, SIGNALBOX_HOME: theirs, SIGNALBOX_DAEMON: 'off' }
    const { stdout } = await place.hook({ input: place.payload(), env })
    expect(stdout).toContain('"permissionDecision":"deny"')
    chmodSync(join(place.state, 'run-key'), 0o644)
    expect(await place.ask(token)).toBe('refused')
    chmodSync(join(place.state, 'run-key'), 0o600)
    expect(await place.ask(token)).toBe('passed')
  })
})

it('a daemon that is started on the way keeps no approval', async () => {
  const place = new Place(POLICY)
  try {
    const { token } = place.leave()
    await place.hook({ input: place.payload(), env: { ...place.envWith(token), SIGNALBOX_TASK: 'x' } })
    await place.answering(15_000)
    const [pid = 0] = place.daemons()
    // nor what it would be ended by
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toMatch(/SIGNALBOX_(APPROVAL|TASK)/)
    expect(await place.ask(token)).toBe('passed')
  } finally {
    place.end()
  }
}, 30_000)

it('what is printed of it is hidden, whole or cut off', () => {
  const token = `sbapproval_${'aB3_-'.repeat(40)}.${'x'.repeat(22)}`
  for (const text of [`SIGNALBOX_APPROVAL=${token}`, token, `{"a":"${token.slice(0, 60)}`])
    expect(redact(text)).not.toContain('aB3_-aB3')
})

it('grants of processes that are gone are swept away', () => {
  const place = new Place(POLICY)
  try {
    const { pid = 0 } = spawnSync('true')
    const now = Date.now()
    const kept = place.leave()
    const id = 'ab'.repeat(8)
    const gone = {
      id,
      root: place.project,
      task: '',
      approves: true,
      gates: [],
      from: now,
      until: now + HOUR,
      pid,
      born: '1',
      world: processNamespace(),
    }
    openGrant(place.state, gone)
    sweepGrants(place.state, now)
    expect(readdirSync(join(place.state, 'approvals'))).toEqual([`${kept.id}.json`])
    sweepGrants(place.state, now + 2 * HOUR)
    expect(readdirSync(join(place.state, 'approvals'))).toEqual([])
    // numbers of processes mean nothing in another world: a container's grant is not swept from outside
    const file = join(place.state, 'approvals', `${id}.json`)
    writeFileSync(file, JSON.stringify({ ...gone, world: 'pid:[1]' }))
    sweepGrants(place.state, now)
    expect(existsSync(file)).toBe(true)
    closeGrant(place.state, id)
  } finally {
    place.end()
  }
})

it('a descendant is one however far below, and of the first process of a container too', () => {
  const look = (pid: number) => ({ parent: pid - 1, born: `at ${pid}` })
  expect(isDescendantOf(90, { pid: 1, born: 'at 1' }, look)).toBe(true)
  expect(isDescendantOf(90, { pid: 1, born: 'at 2' }, look)).toBe(false)
  expect(isDescendantOf(90, { pid: 91, born: 'at 91' }, look)).toBe(false)
})
