import { join } from 'node:path'
import type { Client, Reply } from '../clients/index.ts'
import { served } from '../clients/known.ts'
import type { Visit } from '../daemon/index.ts'
import { KeptPolicies } from '../policy/index.ts'
import {
  Deadline,
  Elsewhere,
  foldersOf,
  handleEvent,
  houseOf,
  KnownPrograms,
  openHouse,
  storeOptions,
} from '../runtime/index.ts'
import { Connection, type Libsql, requireLibsql } from '../store/index.ts'
import type { Load } from './code-cache.ts'

/** An event of a process of its own. */
export interface Invocation extends Omit<Visit, 'came' | 'left'> {
  readonly stuck?: () => void
}

export interface Bundles {
  /** where they are */
  readonly folder: string
  /** lazily, and synchronously: the evaluation that may need them does not wait */
  readonly load: Load
  /** told of the policy of every event that a process which stays has judged */
  readonly seen?: (policy: { readonly hash: string; readonly folder: string; readonly env: Invocation['env'] }) => void
}

/** `signalbox hook --client ID [--event E] [--on-error open|closed] [--via WORD]`. Never exits 1, whatever happens. */
export async function runHook({ args, ...call }: Invocation, bundles: Bundles): Promise<Reply> {
  const parts = partsOf(bundles)
  const request = requestOf(args, parts.client)
  return handleEvent({ ...request, ...call }, openHouse(call.env, parts))
}

/** The same hook in a process that stays, for one state folder: between events it keeps the open database, and policies that still hold. */
export function stay(state: string, bundles: Bundles) {
  const parts = partsOf(bundles)
  const clock = () => process.uptime() * 1000
  const connection = new Connection(state, {
    ...storeOptions(foldersOf(process.env)),
    libsql: parts.libsql,
    stays: true,
  })
  const policies = new KeptPolicies(clock)
  const programs = new KnownPrograms(clock)
  const running = new Set<Deadline>()

  async function answer({ args, answerBy, left, ...call }: Visit): Promise<Reply | undefined> {
    if (foldersOf(call.env).state !== state) return undefined
    const { came } = call
    const deadline = new Deadline(came, BUDGET_MS)
    running.add(deadline)
    // whoever waited has given the declared answer, and keeps it: nothing else may come of the event
    left?.then(() => deadline.breakOff(new Elsewhere('nobody waits for it')))
    try {
      const used = ({ hash }: { readonly hash: string }, folder: string) =>
        bundles.seen?.({ hash, folder, env: call.env })
      const house = houseOf(call.env, call.cwd, parts, { connection, policies, programs, came, used })
      const inTime = (ms: number) => {
        deadline.setTo(ms)
        answerBy?.(ms)
      }
      return await handleEvent({ ...requestOf(args, parts.client), ...call, deadline, answerBy: inTime }, house)
    } catch (error) {
      if (error instanceof Elsewhere) return undefined
      throw error
    } finally {
      deadline.end()
      running.delete(deadline)
    }
  }

  return {
    /** Undefined: this is for a process of its own to answer, and nothing has happened. */
    answer,
    /** Those that are being answered get the declared failure answer, with this reason. */
    breakOff(why: Error): void {
      for (const deadline of running) deadline.breakOff(why)
    },
    get policies(): number {
      return policies.size
    },
    close: () => connection.close(),
  }
}

const BUDGET_MS = 2000

export function partsOf({ folder, load }: Bundles) {
  const client = (one: string): Client => load(`./client-${one}.cjs`).client
  return {
    client,
    clients: () => Object.keys(served).map(client),
    shell: () => load('./shell.cjs'),
    regex: () => load('./regex.cjs'),
    compiler: () => load('./compiler.cjs'),
    libsql: () => loadLibsql(load),
    packsDir: join(folder, '../packs'),
    codeWorker: join(folder, 'code-worker.mjs'),
  }
}

export function requestOf(args: readonly string[], clientOf: (id: string) => Client) {
  const { client: id = '', event, onError, via, problem } = readOptions(args)
  if (Object.hasOwn(served, id) && !problem) return { client: clientOf(id), event, onError, via }
  const why = problem ?? (id ? `unknown client ${quoted(id)}${nearest(id)}` : 'missing `--client`')
  // the last resort knows what may be refused without a client
  throw new Elsewhere(
    `${why}; clients: ${Object.keys(served).join(', ')}`,
    `the hook was called wrongly: ${plain(why)}`,
  )
}

/** A word that is no option and no client's name could be a secret. */
const plain = (why: string): string =>
  why.replace(/`[^`]*`/g, word => (/^`(--client )?-{0,2}[a-z][a-z-]{0,20}`$/.test(word) ? word : '`…`'))

const quoted = (word: string): string => `\`${word.replaceAll('`', "'")}\``

/** Our bundle of it loads sooner, but looks for its binary beside us: some installers keep it beside the package. */
export function loadLibsql(load: Load): Libsql {
  try {
    return load('./libsql.cjs')
  } catch {
    return requireLibsql()
  }
}

/** `codex` is `codex-cli`. */
function nearest(id: string): string {
  const short = id
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, 4)
  const found = Object.keys(served).find(one => short !== '' && one.replace('-', '').startsWith(short))
  return found ? `: did you mean \`${found}\`?` : ''
}

interface Options {
  client?: string
  event?: string
  via?: string
  onError?: 'open' | 'closed'
  problem?: string
}

const OPTIONS = ['--client', '--event', '--on-error', '--via']

/** By hand: an argument parser would cost more than the evaluation. */
function readOptions(args: readonly string[]): Options {
  const options: Options = {}
  const rest = args.flatMap(arg =>
    /^--[\w-]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg],
  )
  for (let at = 0; at < rest.length; at += 2) {
    const [name = '', value] = rest.slice(at, at + 2)
    if (!name.startsWith('-')) {
      const meant = Object.hasOwn(served, name) ? `: did you mean \`--client ${name}\`?` : ''
      options.problem ??= `unexpected argument ${quoted(name)}${meant}`
      at--
      continue
    }
    // the others still count: what to answer then is one of them
    if (!OPTIONS.includes(name)) options.problem ??= `unknown option ${quoted(name)}`
    else if (value === undefined) options.problem ??= `\`${name}\` needs a value`
    else if (name === '--client') options.client = value
    else if (name === '--event') options.event = value
    else if (name === '--via') options.via = value
    else if (value === 'open' || value === 'closed') options.onError = value
    else options.problem ??= `\`--on-error\` is \`open\` or \`closed\`, not ${quoted(value)}`
  }
  return options
}
