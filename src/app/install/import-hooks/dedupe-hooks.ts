import type { ExistingHook, ImportedHook } from '../../../clients/import-hooks.ts'
import type { LocatedHook } from './user-hooks.ts'

/** A hook and its conversion; a text: why it stays. */
export interface HookConversion {
  readonly own: LocatedHook
  readonly outcome: ImportedHook | string
  /** duplicate of an earlier hook */
  readonly again?: true
}

/** Merges hooks that the agent runs once per call, so that the policy runs them once too. */
export function dedupeHooks(
  judged: readonly HookConversion[],
  same: (own: ExistingHook) => string,
): readonly HookConversion[] {
  const groups: HookConversion[][] = []
  for (const conversion of judged) {
    const isTwin = (other: HookConversion): boolean =>
      other.own.event === conversion.own.event &&
      same(other.own) === same(conversion.own) &&
      canRunTogether(other, conversion)
    const known = groups.filter(group => group.some(isTwin))
    for (const group of known) groups.splice(groups.indexOf(group), 1)
    groups.push([...known.flat(), conversion])
  }
  const settled = new Map(groups.flatMap(mergeDuplicates))
  return judged.map(conversion => settled.get(conversion) ?? conversion)
}

/** Two hooks for different tools never run for the same call. */
function canRunTogether({ outcome: a }: HookConversion, { outcome: b }: HookConversion): boolean {
  if (typeof a === 'string' || typeof b === 'string') return true
  const names = a.matcher
  if (!names || !b.matcher || [...names, ...b.matcher].some(matcher => typeof matcher !== 'string')) return true
  return b.matcher.some(matcher => names.includes(matcher))
}

/** Merges duplicates into one hook for all their tools. If they differ otherwise, only the agent knows which one runs. */
function mergeDuplicates(group: readonly HookConversion[]): readonly (readonly [HookConversion, HookConversion])[] {
  const outcomes = group.flatMap(({ outcome }) => (typeof outcome === 'string' ? [] : [outcome]))
  const [first] = outcomes
  if (group.length === 1 || !first) return group.map(conversion => [conversion, conversion])
  const isOdd =
    outcomes.length < group.length ||
    outcomes.some(hook => serializeWithoutMatcher(hook) !== serializeWithoutMatcher(first))
  if (isOdd)
    return group.map(conversion => [
      conversion,
      typeof conversion.outcome === 'string' ? conversion : { own: conversion.own, outcome: AMBIGUOUS_DUPLICATE },
    ])
  const { matcher: _, ...rest } = first
  const tools = outcomes.flatMap(({ matcher = [] }) => matcher).map(matcher => JSON.stringify(matcher))
  const isAll = outcomes.some(({ matcher }) => matcher === undefined)
  const outcome = isAll ? rest : { ...first, matcher: [...new Set(tools)].map(text => JSON.parse(text)) }
  return group.map((conversion, nth) => [
    conversion,
    { own: conversion.own, outcome, ...(nth > 0 && { again: true as const }) },
  ])
}

const AMBIGUOUS_DUPLICATE = 'it is listed more than once with differences, and the agent runs only one of them'

const serializeWithoutMatcher = ({ matcher: _, ...rest }: ImportedHook): string => JSON.stringify(rest)
