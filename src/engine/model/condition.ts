import type { CommandMatcher } from '../match/command.ts'
import type { WordPattern } from '../match/command-words.ts'
import type { FileState } from '../match/file-state.ts'
import type { PathPattern } from '../match/path.ts'
import type { FieldPattern, Regex, TextPattern } from '../match/text.ts'
import type { Truth } from '../match/three-valued.ts'
import { findUrlMatch, type UrlPattern } from '../match/url.ts'
import type { ActionKind, EventKind, GateState, Layer, PromptSource } from './vocabulary.ts'

/**
 * A condition in its compiled form: keys are AND (`all`), lists are OR. Three-valued when matched. `maker`: the action may also be
 * what the command does to a file or a page.
 */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  /** another action of the same call matches */
  | { readonly with: Condition }
  | { readonly key: 'event'; readonly in: readonly EventKind[] }
  | { readonly key: 'caller' | 'tool' | 'agent'; readonly in: readonly string[] }
  | { readonly key: 'action'; readonly in: readonly ActionKind[] }
  | { readonly key: 'command'; readonly in: readonly CommandMatcher[]; readonly maker?: true }
  | { readonly key: 'words'; readonly in: readonly WordPattern[]; readonly maker?: true }
  | { readonly key: 'path'; readonly in: readonly PathPattern[] }
  | { readonly key: 'url'; readonly in: readonly UrlPattern[] }
  | { readonly key: 'prompt' | 'text'; readonly in: readonly TextPattern[] }
  | { readonly key: 'source'; readonly in: readonly PromptSource[] }
  | { readonly key: 'succeeded'; readonly in: readonly Truth[] }
  /** for `captured` a field is `layer/gate.name.field` */
  | { readonly key: 'input' | 'env' | 'assigns' | 'captured'; readonly fields: readonly FieldPattern[] }
  | { readonly key: 'file'; readonly in: readonly FileState[] }
  | { readonly key: 'gate'; readonly states: readonly GateCondition[] }
  | { readonly key: 'since'; readonly counters: readonly SinceCondition[] }
  | AllowListCondition
  | { readonly key: 'approved'; readonly is: boolean }

/** A condition without conditions in it. */
export type ConditionLeaf = Extract<Condition, { readonly key: string }>

/** Does this field of an `env` condition ask about the repository, the session or the time instead of a variable? */
export const isFactField = (field: string): boolean => /^(git|session|time)\./.test(field)

/** `gate` is the compiled id (`layer/name`). */
export interface GateCondition {
  readonly gate: string
  readonly state: readonly GateState[]
}

/** At least this many turns, seconds or operations have passed since the mark. */
export interface SinceCondition {
  readonly mark: 'opened' | 'closed' | 'changed'
  readonly unit: 'turns' | 'seconds' | 'operations'
  readonly atLeast: number
}

/** The action is on an `allow:` list of one of these layers. */
export interface AllowListCondition {
  readonly key: 'whitelisted'
  readonly is: boolean
  readonly layers: readonly Layer[]
}

/** The names a condition gives to parts of the URL it matches. */
export function urlParts(condition: Condition, url: string, regex: Regex): Readonly<Record<string, string>> {
  if ('not' in condition || 'with' in condition) return {}
  if ('key' in condition) return (condition.key === 'url' && findUrlMatch(condition.in, url, regex)) || {}
  const parts = 'all' in condition ? condition.all : condition.any
  return Object.assign({}, ...parts.map(part => urlParts(part, url, regex)))
}
