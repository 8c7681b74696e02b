import { join } from 'node:path'
import { clientById, clients, type Reply } from '../clients/index.ts'
import { handle, openHouse } from '../runtime/index.ts'
import { type Libsql, requireLibsql } from '../store/index.ts'
import type { Load } from './code-cache.ts'

export interface Invocation {
  readonly args: readonly string[]
  readonly text: string
  readonly bytes: Uint8Array
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly now: number
  readonly answerBy?: (ms: number) => void
  readonly stuck?: () => void
}

interface Bundles {
  /** where they are */
  readonly folder: string
  /** lazily, and synchronously: the evaluation that may need them does not wait */
  readonly load: Load
}

/** `signalbox hook --client ID [--event E] [--on-error open|closed] [--via WORD]`. Never exits 1, whatever happens. */
export async function runHook({ args, ...call }: Invocation, { folder, load }: Bundles): Promise<Reply> {
  const options = readOptions(args)
  const client = clientById(options.client ?? '')
  if (!client || options.problem) {
    const known = clients.map(one => one.id).join(', ')
    const why =
      options.problem ??
      (options.client ? `unknown client \`${options.client}\`${nearest(options.client)}` : 'missing `--client`')
    // the last resort knows what may be refused without a client
    throw new Error(`${why}; clients: ${known}`)
  }
  const house = openHouse(call.env, {
    shell: () => load('./shell.cjs'),
    regex: () => load('./regex.cjs'),
    compiler: () => load('./compiler.cjs'),
    libsql: () => loadLibsql(load),
    packsDir: join(folder, '../packs'),
    codeWorker: join(folder, 'code-worker.mjs'),
  })
  return handle({ client, event: options.event, onError: options.onError, via: options.via, ...call }, house)
}

/** Our bundle of it loads sooner, but looks for its binary beside us: some installers keep it beside the package. */
function loadLibsql(load: Load): Libsql {
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
  const found = clients.find(one => short !== '' && one.id.replace('-', '').startsWith(short))
  return found ? `: did you mean \`${found.id}\`?` : ''
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
    // the others still count: what to answer then is one of them
    if (!OPTIONS.includes(name)) options.problem ??= `unknown option \`${name}\``
    else if (value === undefined) options.problem ??= `\`${name}\` needs a value`
    else if (name === '--client') options.client = value
    else if (name === '--event') options.event = value
    else if (name === '--via') options.via = value
    else if (value === 'open' || value === 'closed') options.onError = value
    else options.problem ??= `\`--on-error\` is \`open\` or \`closed\`, not \`${value}\``
  }
  return options
}
