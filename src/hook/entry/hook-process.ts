import { join } from 'node:path'
import { footprintsByClient } from '../../clients/footprints.ts'
import type { Client, Reply } from '../../clients/index.ts'
import { PolicyCache } from '../../policy/index.ts'
import { Connection, type LibsqlConstructor, requireLibsql } from '../../store/index.ts'
import type { DaemonCall } from '../daemon/index.ts'
import {
  createServices,
  Deadline,
  foldersOf,
  type HookResult,
  handleEvent,
  ProgramCache,
  type RequiresOneShot,
  servicesForEvent,
  storeOptions,
} from '../index.ts'
import type { HookCall } from '../services/hook-services.ts'
import type { CodeGateProcesses } from '../subhooks/code-gates.ts'
import type { LoadBundle } from './code-cache.ts'

/** An event in a one-shot process. */
export interface HookInvocation extends Omit<DaemonCall, 'arrivedAt' | 'left'> {
  readonly stuck?: () => void
}

export interface BundleLoader {
  /** the folder of the bundles */
  readonly folder: string
  /** loads lazily and synchronously: the evaluation cannot wait for a promise */
  readonly load: LoadBundle
  /** the daemon's; without them code gates run in threads */
  readonly codeGateProcesses?: CodeGateProcesses
  /** called with the policy of every event that the daemon evaluates */
  readonly seen?: (policy: {
    readonly hash: string
    readonly folder: string
    readonly env: HookInvocation['env']
  }) => void
}

/** `signalbox hook --client ID [--event E] [--on-error open|closed] [--via WORD]`. Never exits with 1. */
export async function runHook({ args, ...call }: HookInvocation, bundles: BundleLoader): Promise<HookResult> {
  const parts = createLazyDependencies(bundles)
  const request = parseHookRequest(args, parts.client)
  if ('requiresOneShot' in request) return request
  return handleEvent({ ...request, ...call }, createServices(call.env, parts))
}

/** The hook in the daemon, for one state folder. Between events it keeps the open database and the policies that are still valid. */
export function createResidentHook(state: string, bundles: BundleLoader) {
  const { codeGateProcesses } = bundles
  const parts = createLazyDependencies(bundles)
  const clock = () => process.uptime() * 1000
  const connection = new Connection(state, {
    ...storeOptions(foldersOf(process.env)),
    libsql: parts.libsql,
    stays: true,
  })
  const policies = new PolicyCache(clock)
  const programs = new ProgramCache(clock)
  const running = new Set<Deadline>()

  async function answer({ args, answerBy, left, ...call }: DaemonCall): Promise<Reply | undefined> {
    const request = parseHookRequest(args, parts.client)
    if (foldersOf(call.env).state !== state || 'requiresOneShot' in request) return undefined
    const { arrivedAt } = call
    const deadline = new Deadline(arrivedAt, BUDGET_MS)
    running.add(deadline)
    left?.then(() => deadline.abandon())
    try {
      const used = ({ hash }: { readonly hash: string }, folder: string) =>
        bundles.seen?.({ hash, folder, env: call.env })
      const services = servicesForEvent(call.env, call.cwd, parts, {
        ...{ connection, policies, programs, codeGateProcesses, arrivedAt, used },
      })
      const inTime = (ms: number) => {
        deadline.setTo(ms)
        answerBy?.(ms)
      }
      const result = await handleEvent({ ...request, ...call, deadline, answerBy: inTime }, services)
      return 'requiresOneShot' in result ? undefined : result
    } finally {
      deadline.end()
      running.delete(deadline)
    }
  }

  return {
    /** Undefined: a one-shot process has to answer, and nothing has happened. */
    answer,
    /** Ends the events in progress with their failure answer, for this reason. */
    abort(why: Error): void {
      for (const deadline of running) deadline.abort(why)
    },
    get policies(): number {
      return policies.size
    },
    close() {
      codeGateProcesses?.end()
      connection.close()
    },
  }
}

const BUDGET_MS = 2000

export function createLazyDependencies({ folder, load }: BundleLoader) {
  const client = (text: string): Client => load(`./client-${text}.cjs`).client
  return {
    client,
    clients: () => Object.keys(footprintsByClient).map(client),
    shell: () => load('./shell.cjs'),
    regex: () => load('./regex.cjs'),
    compiler: () => load('./compiler.cjs'),
    libsql: () => loadLibsql(load),
    packsDir: join(folder, '../packs'),
    debugTrace: () => load('./debug-trace.cjs').debugTrace,
    codeWorker: join(folder, 'code-worker.mjs'),
  }
}

type HookRequest = Pick<HookCall, 'client' | 'event' | 'onError' | 'via'>

/** The hook's command line. With a wrong one, the last resort decides without a client what to deny. */
export function parseHookRequest(
  args: readonly string[],
  clientOf: (id: string) => Client,
): HookRequest | RequiresOneShot {
  const { client: id = '', event, onError, via, problem } = parseHookOptions(args)
  if (Object.hasOwn(footprintsByClient, id) && !problem) return { client: clientOf(id), event, onError, via }
  const why = problem ?? (id ? `unknown client ${quoteWord(id)}${suggestClient(id)}` : '`--client` is missing')
  return {
    requiresOneShot: `${why}; clients: ${Object.keys(footprintsByClient).join(', ')}`,
    onRecord: `the hook command is wrong: ${maskUnknownWords(why)}`,
  }
}

/** Masks words that are neither an option nor a client's name: they could be secrets. */
const maskUnknownWords = (why: string): string =>
  why.replace(/`[^`]*`/g, word => (/^`(--client )?-{0,2}[a-z][a-z-]{0,20}`$/.test(word) ? word : '`…`'))

const quoteWord = (word: string): string => `\`${word.replaceAll('`', "'")}\``

/** Our bundle loads faster but expects its binary beside it. Some installers keep the binary beside the package. */
export function loadLibsql(load: LoadBundle): LibsqlConstructor {
  try {
    return load('./libsql.cjs')
  } catch {
    return requireLibsql()
  }
}

/** Suggests `codex-cli` for `codex`. */
function suggestClient(id: string): string {
  const short = id
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, 4)
  const found = Object.keys(footprintsByClient).find(name => short !== '' && name.replace('-', '').startsWith(short))
  return found ? `: did you mean \`${found}\`?` : ''
}

interface HookOptions {
  client?: string
  event?: string
  via?: string
  onError?: 'open' | 'closed'
  problem?: string
}

const OPTION_NAMES = ['--client', '--event', '--on-error', '--via']

/** Parsed by hand: an argument parser would take longer than the evaluation. */
function parseHookOptions(args: readonly string[]): HookOptions {
  const options: HookOptions = {}
  const rest = args.flatMap(arg =>
    /^--[\w-]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg],
  )
  for (let at = 0; at < rest.length; at += 2) {
    const [name = '', value] = rest.slice(at, at + 2)
    if (!name.startsWith('-')) {
      const meant = Object.hasOwn(footprintsByClient, name) ? `: did you mean \`--client ${name}\`?` : ''
      options.problem ??= `unexpected argument ${quoteWord(name)}${meant}`
      at--
      continue
    }
    // the other options still count: `--on-error` decides what to answer, and only `open` lets a call pass
    if (name === '--on-error') options.onError = value === 'open' ? value : 'closed'
    if (!OPTION_NAMES.includes(name)) options.problem ??= `unknown option ${quoteWord(name)}`
    else if (value === undefined) options.problem ??= `\`${name}\` needs a value`
    else if (name === '--client') options.client = value
    else if (name === '--event') options.event = value
    else if (name === '--via') options.via = value
    else if (value !== options.onError)
      options.problem ??= `\`--on-error\` is \`open\` or \`closed\`, not ${quoteWord(value)}`
  }
  return options
}
