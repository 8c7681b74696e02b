import { type Adopted, type Adopting, isStaying, type OwnHook, type ToolName } from '../clients/adopts.ts'
import type { Entry } from '../clients/registers.ts'
import { isObject } from '../pattern/index.ts'
import { partAt, withdraw } from './edit.ts'
import { commentsIn, parseJsonc, saidBy } from './jsonc.ts'
import { type Judged, onceEach } from './once-each.ts'
import { type Found, ownHooks } from './own-hooks.ts'
import { type Replacing, replacedBy } from './replaced.ts'

/** A hook on its way into the policy, with what was written beside it. */
export interface Taken {
  readonly hook: Adopted
  /** as it stood in the settings */
  readonly entry: Entry
  readonly comments: readonly string[]
  /** the agent ran it together with the same one before it: the policy has it once */
  readonly again?: true
  /** the pack that does its work: in force, it goes from the settings and not into the policy */
  readonly replacing?: Replacing
}

/** One that is not touched, and why. */
export interface Stays {
  readonly event: string
  /** its command, or what else it is known by */
  readonly what: string
  readonly why: string
  readonly replacing?: Replacing
}

export interface Adoption {
  /** the settings without what was taken */
  readonly text: string
  readonly taken: readonly Taken[]
  readonly staying: readonly Stays[]
}

export interface Judging {
  /** what keeps a policy from running this regex, or null */
  readonly regexFault: (pattern: string) => string | null
  /** why nothing of this file can go */
  readonly kept?: string | undefined
  /** whose settings they are */
  readonly whose?: 'user' | 'project'
  /** packs that do the work of hooks written by hand */
  readonly replacing?: readonly Replacing[]
}

/** What can go into the policy without a difference, taken out of the settings. Throws `Malformed` for what is none. */
export function adopt(text: string, adopting: Adopting, judging: Judging): Adoption {
  const { regexFault, kept, whose } = judging
  const found = ownHooks(text)
  const settings = saidBy(parseJsonc(text))
  const reason = kept ?? (isObject(settings) ? adopting.silent?.(settings) : undefined)
  const judged = found.map((own): Judged => ({ own, fate: reason ?? soundFate(own, adopting, regexFault, whose) }))
  const fates = adopting.same ? onceEach(judged, adopting.same) : judged
  const staying = fates.flatMap(({ own, fate }) =>
    typeof fate === 'string' ? [{ event: own.event, what: nameOf(own), why: fate, ...replacingOf(own, judging) }] : [],
  )
  let rest = text
  const taken: Taken[] = []
  // from the end, so that places before it stay what they are
  for (const { own, fate, again } of fates.toReversed()) {
    if (typeof fate === 'string') continue
    const less = without(rest, own)
    const comments = lost(commentsIn(rest), commentsIn(less))
    const more = { ...(again && { again }), ...replacingOf(own, judging) }
    taken.unshift({ hook: fate, entry: entryOf(own), comments, ...more })
    rest = less
  }
  return { text: rest, taken, staying }
}

function replacingOf({ handler }: Found, { replacing = [] }: Judging): Pick<Taken, 'replacing'> {
  const line = [handler.command, handler.bash].find(one => typeof one === 'string')
  const found = replacedBy(String(line ?? ''), replacing)
  return found ? { replacing: found } : {}
}

/** It goes into the policy: no pack in force does its work, and it is not there yet. */
export const isMoved = ({ again, replacing }: Taken): boolean => !again && !replacing?.isInForce

/** Found from the folder that the agent happens to work in: a policy of the person's own has no such folder. */
const RELATIVE =
  /(?:^|[\s"'=])\.\.?\/|^(?:(?:\S*\/)?(?:sh|bash|zsh|node|deno|bun|ruby|perl|php|python[\d.]*)\s+)?["']?[\w@][\w@.-]*\//

function soundFate(
  own: OwnHook,
  adopting: Adopting,
  regexFault: Judging['regexFault'],
  whose: Judging['whose'],
): Adopted | string {
  const fate = adopting.fate(own)
  if (isStaying(fate)) return fate.stays
  if (whose === 'user' && RELATIVE.test(fate.run))
    return 'its path is relative, so it is another file in each project; a policy of yours looks beside itself'
  const odd = fate.matcher?.find(
    (one): one is Exclude<ToolName, string> => typeof one !== 'string' && regexFault(one.regex) !== null,
  )
  return odd ? `its matcher: ${regexFault(odd.regex)}` : fate
}

function nameOf({ handler }: Found): string {
  const { command, bash, url, prompt, name } = handler
  const known = [command, bash, url, prompt, name].find(one => typeof one === 'string')
  const [line = ''] = String(known ?? handler.type ?? '?').split('\n', 1)
  return line.length > 50 ? `${line.slice(0, 49)}…` : line
}

/** A group goes with its last handler: one without any is no hook, and may void the file. */
function without(text: string, { list, at }: Found): string {
  const handlers = partAt(parseJsonc(text), list)
  const nth = list[2]
  const isLast = typeof nth === 'number' && handlers?.kind === 'list' && handlers.items.length === 1
  return isLast ? withdraw(text, list.slice(0, 2), only(nth)) : withdraw(text, list, only(at))
}

/** With its group around it, which may have held others too. */
const entryOf = ({ event, list, group, handler }: Found): Entry => ({
  path: ['hooks', event],
  item: list.length > 2 ? { ...group, hooks: [handler] } : handler,
})

/** The item at this place, once. */
function only(at: number): () => boolean {
  let nth = -1
  return () => ++nth === at
}

/** What was there and is no more. */
function lost(before: readonly string[], after: readonly string[]): readonly string[] {
  const rest = [...after]
  return before.filter(one => {
    const at = rest.indexOf(one)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}
