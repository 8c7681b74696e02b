import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIALECTS, type Dialect } from '../support/clients/dialects.ts'
import { isBuilt } from '../support/native/hook.ts'
import { Installed } from '../support/native/installed.ts'
import { BIN, type Ran } from '../support/sandbox.ts'

/** The two ways in which an agent starts the hook: Node itself, or the native hook with Node behind it. */
export const WAYS = isBuilt ? (['one-shot', 'native'] as const) : (['one-shot'] as const)
export type Way = (typeof WAYS)[number]

/** Who says what becomes of a call that nobody could judge. */
export const POSTURES = ['closed by the command', 'closed by the project', 'closed by the user', 'open'] as const
export type Posture = (typeof POSTURES)[number]

export const CLIENTS = Object.keys(DIALECTS)

const policy = (onError: string): string => `gates:
  g:
    onError: ${onError}
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]
`

export interface Start {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** instead of the program that is installed */
  readonly program?: readonly string[]
  /** in full control of the process: its input is left to this */
  readonly play?: (child: ChildProcess, payload: string) => unknown
}

/** A machine on which nothing was ever judged, and one client on it that is about to push. */
export class Place extends Installed {
  constructor(
    readonly way: Way,
    readonly posture: Posture,
  ) {
    super(policy(posture === 'closed by the user' ? 'closed' : 'open'))
    if (posture === 'closed by the project') {
      rmSync(join(this.home, 'signalbox.yaml'))
      writeFileSync(join(this.project, 'signalbox.yaml'), policy('closed'))
    }
  }

  payload(client: string, more: object = {}): string {
    const text = JSON.stringify({ ...dialectOf(client).call('git push'), ...more })
    return text.replaceAll('/home/dev/proj', this.project)
  }

  /** The program without what judges. */
  get bare(): readonly string[] {
    if (this.way === 'native') return [this.alone()]
    const folder = join(this.folder, 'bare')
    mkdirSync(folder, { recursive: true })
    for (const name of ['signalbox.cjs', 'clients.json'])
      writeFileSync(join(folder, name), readFileSync(join(BIN, '..', name)))
    return [process.execPath, join(folder, 'signalbox.cjs')]
  }

  call(client: string, payload: string, { env = {}, args = [], program, play }: Start = {}): Promise<Ran> {
    const [file = '', ...words] = program ?? (this.way === 'native' ? [this.bin] : [process.execPath, BIN])
    const flag = this.posture === 'closed by the command' ? ['--on-error', 'closed'] : []
    return new Promise((done, fail) => {
      const child = spawn(file, [...words, 'hook', '--client', client, ...args, ...flag], {
        cwd: this.project,
        env: { ...this.env, ...env },
      })
      const said = { stdout: '', stderr: '' }
      child.stdout.on('data', chunk => {
        said.stdout += chunk
      })
      child.stderr.on('data', chunk => {
        said.stderr += chunk
      })
      child.stdin.on('error', () => {})
      child.on('error', fail)
      child.on('close', exitCode => done({ exitCode, ...said }))
      if (play) play(child, payload)
      else child.stdin.end(payload)
    })
  }

  /** What became of the call. A pass of which nobody is told is the one thing that must never happen; with `closed`, no pass at all. */
  outcome(
    client: string,
    reply: Ran,
  ): 'refused' | 'passed, and said so' | 'passed, to be said later' | 'PASSED IN SILENCE' {
    if (reply.exitCode !== 0 && reply.exitCode !== 2) return 'PASSED IN SILENCE'
    if (dialectOf(client).refuses(reply)) return 'refused'
    if (/allowed without a check|Hook (error|timeout)|Invalid input JSON|State read error/.test(reply.stdout))
      return 'passed, and said so'
    return this.unjudged(client) > 0 ? 'passed, to be said later' : 'PASSED IN SILENCE'
  }

  /** The calls of which the person is still to be told. */
  unjudged(client: string): number {
    return statSync(join(this.state, `unjudged-${client}`), { throwIfNoEntry: false })?.size ?? 0
  }
}

export function dialectOf(client: string): Dialect {
  const dialect = DIALECTS[client]
  if (!dialect) throw new Error(`no dialect of ${client}`)
  return dialect
}

export async function inPlace<T>(way: Way, posture: Posture, work: (place: Place) => Promise<T>): Promise<T> {
  const place = new Place(way, posture)
  try {
    return await work(place)
  } finally {
    place.end()
  }
}
