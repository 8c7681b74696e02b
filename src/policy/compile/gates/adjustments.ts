import { LAYERS } from '../../../engine/index.ts'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import type { AdjustDoc, PolicyDoc } from '../../schema/policy.ts'
import { type CompileContext, mayLoosen, reportWarning, toList } from '../context.ts'
import type { GateDraft } from './overrides.ts'
import { isWeakerMode, overrideMessage, removeRules, ruleAndTransitionIdsOf } from './overrides.ts'

/** Applies this layer's `adjust` to the gates of all layers. A gate that it may not adjust stays as it is, with a warning. */
export function applyAdjustments(
  context: CompileContext,
  doc: PolicyDoc | undefined,
  drafts: readonly GateDraft[],
): readonly GateDraft[] {
  const table = doc?.adjust ?? {}
  return Object.entries(table).reduce((all, [name, adjustment]) => {
    // each adjustment searches all gates
    context.notes.limits?.spend('gates', 1)
    const named = all.filter(draft => draft.gate.name === name)
    const mine = named.filter(draft => mayAdjust(context, draft))
    if (named.length === 0) {
      reportWarning(context, table, name, `there is no gate \`${name}\` to adjust`, {
        help: didYouMean(
          name,
          all.map(draft => draft.gate.name),
        ),
      })
    } else if (mine.length === 0) {
      const layers = [...new Set(named.map(draft => draft.gate.layer))].join(', ')
      reportWarning(
        context,
        table,
        name,
        `gate \`${name}\` cannot be adjusted here: it belongs to a stronger layer (${layers})`,
      )
    }
    return all.map(draft => (mine.includes(draft) ? adjustGate(context, table, draft, adjustment) : draft))
  }, drafts)
}

function mayAdjust({ unit }: CompileContext, { gate }: GateDraft): boolean {
  const weaker = LAYERS.indexOf(gate.layer) < LAYERS.indexOf(unit.layer)
  return weaker || (gate.layer === unit.layer && gate.id === `${unit.prefix}/${gate.name}`)
}

function adjustGate(context: CompileContext, table: object, draft: GateDraft, adjustment: AdjustDoc): GateDraft {
  const { name } = draft.gate
  if (draft.locked && draft.file !== context.unit.file) {
    reportWarning(context, table, name, `gate \`${name}\` is locked: other layers cannot adjust it`)
    return draft
  }
  const moded = applyMode(context, draft, adjustment)
  const known = ruleAndTransitionIdsOf(draft)
  for (const id of [...toList(adjustment.off), ...Object.keys(adjustment.messages ?? {})]) {
    if (!known.includes(id))
      reportWarning(context, table, name, `gate \`${name}\` has nothing named \`${id}\``, {
        help: didYouMean(id, known),
        keys: known,
      })
  }
  const off = toList(adjustment.off).filter(
    id => known.includes(id) && mayLoosen(context, adjustment, 'off', `gate \`${name}\` without \`${id}\``),
  )
  const { messages } = adjustment
  const rest = off.length > 0 ? removeRules(moded, off) : moded
  return Object.entries(messages ?? {}).reduce(
    (gateDraft, [id, words]) => (messages ? overrideMessage(context, gateDraft, messages, id, words) : gateDraft),
    rest,
  )
}

function applyMode(context: CompileContext, draft: GateDraft, adjustment: AdjustDoc): GateDraft {
  const { mode } = adjustment
  if (mode === undefined || mode === draft.mode) return draft
  const what = `gate \`${draft.gate.name}\` in mode \`${mode}\``
  if (isWeakerMode(mode, draft.mode) && !mayLoosen(context, adjustment, 'mode', what)) return draft
  return { ...draft, mode }
}
