import { readFileSync, readlinkSync } from 'node:fs'
import type { Client } from '../../clients/index.ts'
import { tryOr } from '../../lib/errors.ts'
import { processEntry } from '../process/process-table.ts'
import type { HookCall } from '../services/hook-services.ts'

const DEEPEST = 32

/** Removes `ask` from the client's capabilities if nobody can answer and the client would wait forever: `ask` becomes a denial. */
export function denyAskWhenUnattended(request: HookCall, alone: RegExp): HookCall {
  const { client, approval, pid = process.pid } = request
  if (!approval && !isUnattended(pid, client, alone)) return request
  const events = Object.entries(client.capabilities.events).map(([kind, capability]) => [
    kind,
    { ...capability, can: capability.can.filter(decision => decision !== 'ask') },
  ])
  return {
    ...request,
    client: { ...client, capabilities: { ...client.capabilities, events: Object.fromEntries(events) } },
  }
}

/** Finds the client's process above the hook: unattended by its arguments, or without a terminal. False if processes are not visible. */
function isUnattended(pid: number, { processes }: Client, alone: RegExp): boolean {
  let at = pid
  for (let depth = 0; at > 1 && depth < DEEPEST; depth++) {
    const words = wordsOf(at)
    if (at !== pid && words.slice(0, 2).some(word => isOf(processes, word)))
      return words.some(word => alone.test(word)) || !hasTerminal(at)
    at = processEntry(at)?.parent ?? 0
  }
  return false
}

const isOf = (processes: readonly string[], word: string): boolean =>
  processes.some(name => (name.includes('/') ? word.includes(`/${name}/`) : word.split('/').at(-1) === name))

const wordsOf = (pid: number): readonly string[] =>
  tryOr([], () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'))

const hasTerminal = (pid: number): boolean =>
  tryOr(true, () => /^\/dev\/(pts\/|tty|console)/.test(readlinkSync(`/proc/${pid}/fd/0`)))
