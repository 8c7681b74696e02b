import { didYouMean } from '../guess.ts'
import type { CommonDoc } from '../schema/policy.ts'
import { type Context, complain, complainOfKey, mayLoosen, warn } from './context.ts'
import { compileBypass, type Draft } from './gate.ts'
import { idsIn, isWeakerMode, reworded, without } from './relax.ts'
import { items } from './value.ts'

/** A pack's gates as the layer wants them: `mode`, `onError`, `bypass`, `off`, `messages`. */
export function applyCommon(
  context: Context,
  pack: string,
  drafts: readonly Draft[],
  common: CommonDoc,
): readonly Draft[] {
  const rest = dropped(context, pack, drafts, common)
  checkMessages(context, pack, drafts, common)
  return rest.map(draft => {
    const moded = inMode(context, pack, draft, common)
    const guarded = withBypass(context, withOnError(context, pack, moded, common), common)
    return Object.entries(common.messages ?? {}).reduce(
      (one, [id, words]) => (common.messages ? reworded(context, one, common.messages, id, words) : one),
      guarded,
    )
  })
}

function inMode(context: Context, pack: string, draft: Draft, common: CommonDoc): Draft {
  const { mode } = common
  if (mode === undefined || mode === draft.mode) return draft
  if (!isWeakerMode(mode, draft.mode)) return { ...draft, mode }
  if (isLocked(context, draft, common)) return draft
  const what = `gate \`${draft.gate.name}\` of pack \`${pack}\` in mode \`${mode}\``
  return mayLoosen(context, common, 'mode', what) ? { ...draft, mode } : draft
}

function withOnError(context: Context, pack: string, draft: Draft, common: CommonDoc): Draft {
  const { onError } = common
  if (onError === undefined || onError === draft.gate.onError) return draft
  const changed: Draft = { ...draft, gate: { ...draft.gate, onError } }
  if (onError === 'closed') return changed
  if (isLocked(context, draft, common)) return draft
  return mayLoosen(context, common, 'onError', `pack \`${pack}\` with \`onError: open\``) ? changed : draft
}

function withBypass(context: Context, draft: Draft, common: CommonDoc): Draft {
  if (!common.bypass || isLocked(context, draft, common)) return draft
  const { id, name, initial } = draft.gate
  const bypass = compileBypass(context, common, 'bypass', common.bypass, { id, stateful: initial !== undefined }, name)
  return bypass ? { ...draft, gate: { ...draft.gate, bypass } } : draft
}

function dropped(context: Context, pack: string, drafts: readonly Draft[], common: CommonDoc): readonly Draft[] {
  const known = drafts.flatMap(draft => [draft.gate.name, ...idsIn(draft)])
  const ids = [...items(common, 'off', common.off)].flatMap(([id, holder, key]) => {
    if (!known.includes(id)) {
      complain(context, holder, key, `pack \`${pack}\` has nothing named \`${id}\``, {
        help: didYouMean(id, known),
        keys: known,
      })
      return []
    }
    return mayLoosen(context, holder, key, `pack \`${pack}\` without \`${id}\``) ? [id] : []
  })
  if (ids.length === 0) return drafts
  return drafts.flatMap(draft => {
    if (isLocked(context, draft, common)) return [draft]
    return ids.includes(draft.gate.name) ? [] : [without(draft, ids)]
  })
}

function checkMessages(context: Context, pack: string, drafts: readonly Draft[], { messages }: CommonDoc): void {
  const known = drafts.flatMap(idsIn)
  for (const id of Object.keys(messages ?? {})) {
    if (messages && !known.includes(id))
      complainOfKey(context, messages, id, `pack \`${pack}\` has nothing named \`${id}\``, {
        help: didYouMean(id, known),
        keys: known,
      })
  }
}

function isLocked(context: Context, draft: Draft, holder: object): boolean {
  if (draft.locked) warn(context, holder, 'mode', `gate \`${draft.gate.name}\` is locked: it stays as its pack has it`)
  return draft.locked
}
