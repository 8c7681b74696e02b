import { didYouMean } from '../../lib/did-you-mean.ts'
import { type CompileContext, mayLoosen, reportError, reportErrorAtKey, reportWarning } from '../compile/context.ts'
import { compileBypass } from '../compile/gates/gate.ts'
import {
  type GateDraft,
  isWeakerMode,
  overrideMessage,
  removeRules,
  ruleAndTransitionIdsOf,
} from '../compile/gates/overrides.ts'
import { eachItem } from '../compile/values/value.ts'
import type { CommonOptionsDoc } from '../schema/policy.ts'

/** Applies the options that every pack has to its gates: `mode`, `onError`, `bypass`, `off`, `messages`. */
export function applyCommonOptions(
  context: CompileContext,
  pack: string,
  drafts: readonly GateDraft[],
  common: CommonOptionsDoc,
): readonly GateDraft[] {
  const rest = removeDisabled(context, pack, drafts, common)
  checkMessages(context, pack, drafts, common)
  return applyInheritedOptions(context, pack, rest, common).map(draft =>
    Object.entries(common.messages ?? {}).reduce(
      (gateDraft, [id, words]) =>
        common.messages ? overrideMessage(context, gateDraft, common.messages, id, words) : gateDraft,
      draft,
    ),
  )
}

/** The options that a pack hands to the packs it uses. `off` and `messages` name parts of one pack, so they stay with it. */
export const applyInheritedOptions = (
  context: CompileContext,
  pack: string,
  drafts: readonly GateDraft[],
  common: CommonOptionsDoc,
): readonly GateDraft[] =>
  drafts.map(draft => {
    const moded = applyMode(context, pack, draft, common)
    return applyBypass(context, applyOnError(context, pack, moded, common), common)
  })

function applyMode(context: CompileContext, pack: string, draft: GateDraft, common: CommonOptionsDoc): GateDraft {
  const { mode } = common
  if (mode === undefined || mode === draft.mode) return draft
  if (!isWeakerMode(mode, draft.mode)) return { ...draft, mode }
  if (warnIfLocked(context, draft, common)) return draft
  const what = `gate \`${draft.gate.name}\` of pack \`${pack}\` in mode \`${mode}\``
  return mayLoosen(context, common, 'mode', what) ? { ...draft, mode } : draft
}

function applyOnError(context: CompileContext, pack: string, draft: GateDraft, common: CommonOptionsDoc): GateDraft {
  const { onError } = common
  if (onError === undefined || onError === draft.gate.onError) return draft
  const changed: GateDraft = { ...draft, gate: { ...draft.gate, onError } }
  if (onError === 'closed') return changed
  if (warnIfLocked(context, draft, common)) return draft
  return mayLoosen(context, common, 'onError', `pack \`${pack}\` with \`onError: open\``) ? changed : draft
}

function applyBypass(context: CompileContext, draft: GateDraft, common: CommonOptionsDoc): GateDraft {
  if (!common.bypass || warnIfLocked(context, draft, common)) return draft
  const { id, name, initial } = draft.gate
  const bypass = compileBypass(context, common, 'bypass', common.bypass, { id, stateful: initial !== undefined }, name)
  return bypass ? { ...draft, gate: { ...draft.gate, bypass } } : draft
}

function removeDisabled(
  context: CompileContext,
  pack: string,
  drafts: readonly GateDraft[],
  common: CommonOptionsDoc,
): readonly GateDraft[] {
  const known = drafts.flatMap(draft => [draft.gate.name, ...ruleAndTransitionIdsOf(draft)])
  const ids = [...eachItem(common, 'off', common.off)].flatMap(([id, holder, key]) => {
    if (!known.includes(id)) {
      reportError(context, holder, key, `pack \`${pack}\` has nothing named \`${id}\``, {
        help: didYouMean(id, known),
        keys: known,
      })
      return []
    }
    return mayLoosen(context, holder, key, `pack \`${pack}\` without \`${id}\``) ? [id] : []
  })
  if (ids.length === 0) return drafts
  return drafts.flatMap(draft => {
    if (warnIfLocked(context, draft, common)) return [draft]
    return ids.includes(draft.gate.name) ? [] : [removeRules(draft, ids)]
  })
}

function checkMessages(
  context: CompileContext,
  pack: string,
  drafts: readonly GateDraft[],
  { messages }: CommonOptionsDoc,
): void {
  const known = drafts.flatMap(ruleAndTransitionIdsOf)
  for (const id of Object.keys(messages ?? {})) {
    if (messages && !known.includes(id))
      reportErrorAtKey(context, messages, id, `pack \`${pack}\` has nothing named \`${id}\``, {
        help: didYouMean(id, known),
        keys: known,
      })
  }
}

function warnIfLocked(context: CompileContext, draft: GateDraft, holder: object): boolean {
  if (draft.locked)
    reportWarning(context, holder, 'mode', `gate \`${draft.gate.name}\` is locked: its pack does not allow changes`)
  return draft.locked
}
