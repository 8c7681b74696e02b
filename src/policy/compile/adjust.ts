import { LAYERS } from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import type { AdjustDoc, PolicyDoc } from '../schema/policy.ts'
import { type Context, listOf, mayLoosen, warn } from './context.ts'
import type { Draft } from './gate.ts'
import { idsIn, isWeakerMode, reworded, without } from './relax.ts'

/** The gates of all layers after this layer's `adjust`. What it may not touch stays, with a warning. */
export function applyAdjustments(
  context: Context,
  doc: PolicyDoc | undefined,
  drafts: readonly Draft[],
): readonly Draft[] {
  const table = doc?.adjust ?? {}
  return Object.entries(table).reduce((all, [name, adjustment]) => {
    // each looks at every gate
    context.notes.limits?.spend('gates', 1)
    const named = all.filter(draft => draft.gate.name === name)
    const mine = named.filter(draft => mayAdjust(context, draft))
    if (named.length === 0) {
      warn(context, table, name, `there is no gate \`${name}\` to adjust`, {
        help: didYouMean(
          name,
          all.map(draft => draft.gate.name),
        ),
      })
    } else if (mine.length === 0) {
      const layers = [...new Set(named.map(draft => draft.gate.layer))].join(', ')
      warn(context, table, name, `gate \`${name}\` cannot be adjusted here: it belongs to a stronger layer (${layers})`)
    }
    return all.map(draft => (mine.includes(draft) ? adjusted(context, table, draft, adjustment) : draft))
  }, drafts)
}

function mayAdjust({ unit }: Context, { gate }: Draft): boolean {
  const weaker = LAYERS.indexOf(gate.layer) < LAYERS.indexOf(unit.layer)
  return weaker || (gate.layer === unit.layer && gate.id === `${unit.prefix}/${gate.name}`)
}

function adjusted(context: Context, table: object, draft: Draft, adjustment: AdjustDoc): Draft {
  const { name } = draft.gate
  if (draft.locked && draft.file !== context.unit.file) {
    warn(context, table, name, `gate \`${name}\` is locked: it cannot be adjusted from elsewhere`)
    return draft
  }
  const moded = inMode(context, draft, adjustment)
  const known = idsIn(draft)
  for (const id of [...listOf(adjustment.off), ...Object.keys(adjustment.messages ?? {})]) {
    if (!known.includes(id))
      warn(context, table, name, `gate \`${name}\` has nothing named \`${id}\``, {
        help: didYouMean(id, known),
        keys: known,
      })
  }
  const off = listOf(adjustment.off).filter(
    id => known.includes(id) && mayLoosen(context, adjustment, 'off', `gate \`${name}\` without \`${id}\``),
  )
  const { messages } = adjustment
  const rest = off.length > 0 ? without(moded, off) : moded
  return Object.entries(messages ?? {}).reduce(
    (one, [id, words]) => (messages ? reworded(context, one, messages, id, words) : one),
    rest,
  )
}

function inMode(context: Context, draft: Draft, adjustment: AdjustDoc): Draft {
  const { mode } = adjustment
  if (mode === undefined || mode === draft.mode) return draft
  const what = `gate \`${draft.gate.name}\` in mode \`${mode}\``
  if (isWeakerMode(mode, draft.mode) && !mayLoosen(context, adjustment, 'mode', what)) return draft
  return { ...draft, mode }
}
