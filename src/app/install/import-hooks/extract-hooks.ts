import {
  type ExistingHook,
  type HookImporter,
  type ImportedHook,
  isSkippedHook,
  type ToolMatcher,
} from '../../../clients/import-hooks.ts'
import type { SettingsEntry } from '../../../clients/settings.ts'
import { isObject } from '../../../lib/json.ts'
import { nodeAt, removeItems } from '../settings-file/edit-jsonc.ts'
import { commentsOf, nodeValue, parseJsonc } from '../settings-file/jsonc.ts'
import { dedupeHooks, type HookConversion } from './dedupe-hooks.ts'
import { findReplacement, type PackReplacement } from './pack-replacements.ts'
import { findUserHooks, type LocatedHook } from './user-hooks.ts'

/** A hook to move into the policy, with the comments around it. */
export interface ExtractedHook {
  readonly hook: ImportedHook
  /** the entry as it was in the settings */
  readonly entry: SettingsEntry
  readonly comments: readonly string[]
  /** duplicate of an earlier hook that the agent runs only once: the policy gets one */
  readonly again?: true
  /** the pack that replaces it; if the pack is in force, the hook is removed from the settings and not added to the policy */
  readonly replacing?: PackReplacement
}

/** A hook that stays in the settings, and why. */
export interface RemainingHook {
  readonly event: string
  /** its command, or another label */
  readonly what: string
  readonly why: string
  readonly replacing?: PackReplacement
}

export interface HookExtraction {
  /** the settings without the extracted hooks */
  readonly text: string
  readonly taken: readonly ExtractedHook[]
  readonly remaining: readonly RemainingHook[]
}

export interface ExtractionOptions {
  /** why a policy cannot use this regex, or null */
  readonly regexFault: (pattern: string) => string | null
  /** why nothing of this file can be extracted */
  readonly keepReason?: string | undefined
  /** whose settings these are */
  readonly whose?: 'user' | 'project'
  /** packs that replace hand-written hooks */
  readonly replacing?: readonly PackReplacement[]
}

/** Takes the hooks out of the settings that a policy can run the same way. Throws `JsoncSyntaxError` if the text is not JSON. */
export function extractHooks(text: string, adopting: HookImporter, judging: ExtractionOptions): HookExtraction {
  const { regexFault, keepReason, whose } = judging
  const found = findUserHooks(text)
  const settings = nodeValue(parseJsonc(text))
  const reason = keepReason ?? (isObject(settings) ? adopting.silent?.(settings) : undefined)
  const judged = found.map(
    (own): HookConversion => ({ own, outcome: reason ?? convertOrExplain(own, adopting, regexFault, whose) }),
  )
  const fates = adopting.same ? dedupeHooks(judged, adopting.same) : judged
  const staying = fates.flatMap(({ own, outcome }) =>
    typeof outcome === 'string'
      ? [{ event: own.event, what: hookLabelOf(own), why: outcome, ...findPackReplacement(own, judging) }]
      : [],
  )
  let rest = text
  const taken: ExtractedHook[] = []
  // from the end, so that earlier positions stay valid
  for (const { own, outcome, again } of fates.toReversed()) {
    if (typeof outcome === 'string') continue
    const less = removeHook(rest, own)
    const comments = missingFrom(commentsOf(rest), commentsOf(less))
    const more = { ...(again && { again }), ...findPackReplacement(own, judging) }
    taken.unshift({ hook: outcome, entry: settingsEntryOf(own), comments, ...more })
    rest = less
  }
  return { text: rest, taken, remaining: staying }
}

function findPackReplacement(
  { handler }: LocatedHook,
  { replacing = [] }: ExtractionOptions,
): Pick<ExtractedHook, 'replacing'> {
  const line = [handler.command, handler.bash].find(value => typeof value === 'string')
  const found = findReplacement(String(line ?? ''), replacing)
  return found ? { replacing: found } : {}
}

/** The hook is added to the policy: it is no duplicate, and no pack in force replaces it. */
export const movesToPolicy = ({ again, replacing }: ExtractedHook): boolean => !again && !replacing?.isInForce

/** A path relative to the agent's current folder: a user's policy has no such folder. */
const RELATIVE_PATH =
  /(?:^|[\s"'=])\.\.?\/|^(?:(?:\S*\/)?(?:sh|bash|zsh|node|deno|bun|ruby|perl|php|python[\d.]*)\s+)?["']?[\w@][\w@.-]*\//

function convertOrExplain(
  own: ExistingHook,
  adopting: HookImporter,
  regexFault: ExtractionOptions['regexFault'],
  whose: ExtractionOptions['whose'],
): ImportedHook | string {
  const fate = adopting.convert(own)
  if (isSkippedHook(fate)) return fate.stays
  if (whose === 'user' && RELATIVE_PATH.test(fate.run))
    return 'its path is relative, so it is another file in each project; your policy would look in its own folder'
  const odd = fate.matcher?.find(
    (matcher): matcher is Exclude<ToolMatcher, string> =>
      typeof matcher !== 'string' && regexFault(matcher.regex) !== null,
  )
  return odd ? `its matcher: ${regexFault(odd.regex)}` : fate
}

function hookLabelOf({ handler }: LocatedHook): string {
  const { command, bash, url, prompt, name } = handler
  const known = [command, bash, url, prompt, name].find(value => typeof value === 'string')
  const [line = ''] = String(known ?? handler.type ?? '?').split('\n', 1)
  return line.length > 50 ? `${line.slice(0, 49)}…` : line
}

/** Removes the group with its last handler: a group without handlers may invalidate the file. */
function removeHook(text: string, { list, at }: LocatedHook): string {
  const handlers = nodeAt(parseJsonc(text), list)
  const nth = list[2]
  const isLast = typeof nth === 'number' && handlers?.kind === 'list' && handlers.items.length === 1
  return isLast ? removeItems(text, list.slice(0, 2), matchNth(nth)) : removeItems(text, list, matchNth(at))
}

/** The handler with its group, which may have contained others too. */
const settingsEntryOf = ({ event, list, group, handler }: LocatedHook): SettingsEntry => ({
  path: ['hooks', event],
  item: list.length > 2 ? { ...group, hooks: [handler] } : handler,
})

/** Matches only the item at this index. */
function matchNth(at: number): () => boolean {
  let nth = -1
  return () => ++nth === at
}

/** Items of `before` that are not in `after`. */
function missingFrom(before: readonly string[], after: readonly string[]): readonly string[] {
  const rest = [...after]
  return before.filter(text => {
    const at = rest.indexOf(text)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}
