import type {
  ClientText,
  CommandMatcher,
  Condition,
  Gate,
  Layer,
  PathPattern,
  Route,
  Rule,
  TextPattern,
  WordPattern,
} from '../engine/index.ts'

/** The estimated cost of matching all gates, summed once, so that the cost of an event takes a few multiplications. */
export interface PolicyCost {
  /** condition tests for each action */
  readonly tests: number
  readonly commands: number
  /** words of command patterns with more than `FEW_WORDS` words */
  readonly words: number
  readonly plainPaths: number
  /** lengths of path patterns that may have to be tried at every character */
  readonly starredPaths: number
  readonly routes: number
  /** instructions of the regexes matched against texts of an action */
  readonly actRegexes: number
  /** cost of matching texts, by field of the call or `PROMPT_FIELD`; fields beyond `MAX_FIELDS` are counted under `OTHER_FIELDS` */
  readonly texts: Readonly<Record<string, TextCost>>
  /** cost that does not depend on the event: gates, states, texts that may be shown */
  readonly fixed: number
}

export interface TextCost {
  /** instructions of regexes */
  readonly instructions: number
  readonly finds: number
}

/** These keys start with a space, so no field of a call has the same name. */
export const PROMPT_FIELD = ' prompt'
export const WRITTEN_TEXT = ' text'
export const OTHER_FIELDS = ' others'
const MAX_FIELDS = 32

const ZERO_COST: PolicyCost = {
  tests: 0,
  commands: 0,
  words: 0,
  plainPaths: 0,
  starredPaths: 0,
  routes: 0,
  actRegexes: 0,
  texts: {},
  fixed: 0,
}

type CostTally = { -readonly [key in Exclude<keyof PolicyCost, 'texts'>]: number } & { texts: Record<string, TextCost> }

const createTally = (): CostTally => ({ ...ZERO_COST, texts: {} })

/** The owner of the budget that a gate is charged to. All layers of a project share one budget. */
export type BudgetOwner = 'project' | Exclude<Layer, 'project' | 'nested'>

export const budgetOwnerOf = ({ layer }: Pick<Gate, 'layer'>): BudgetOwner => (layer === 'nested' ? 'project' : layer)

export interface BudgetCost {
  readonly side: BudgetOwner
  readonly weight: PolicyCost
}

/** `sizeOf` returns the number of instructions of a regex. */
export const estimateCosts = (gates: readonly Gate[], sizeOf: (pattern: string) => number): readonly BudgetCost[] =>
  [...new Set(gates.map(budgetOwnerOf))].map(side => ({
    side,
    weight: estimateCost(
      gates.filter(gate => budgetOwnerOf(gate) === side),
      gates.length,
      sizeOf,
    ),
  }))

function estimateCost(gates: readonly Gate[], all: number, sizeOf: (pattern: string) => number): PolicyCost {
  const tally = createTally()
  const add = (condition: Condition | undefined): void => {
    if (condition) addCondition(tally, condition, all, sizeOf)
  }
  for (const gate of gates) {
    tally.fixed += gate.initial === undefined ? GATE_NS : STATEFUL_NS
    for (const rule of gate.rules) {
      add(rule.when)
      add(rule.unless)
      tally.fixed += RULE_NS + textCostOfRule(rule)
    }
    for (const transition of gate.transitions) {
      // counted twice: when a call ends, closing transitions are also matched against its beginning
      add(transition.when)
      add(transition.when)
      tally.fixed +=
        JSON.stringify(transition.capture ?? '').length * SCHEMA_NS +
        textCost(transition.message) +
        textCost(transition.context)
    }
    add(gate.counts)
    add(gate.bypass?.when)
    if (gate.routes) addRoutes(tally, gate.routes.list, sizeOf)
  }
  return tally
}

const GATE_NS = 3000
/** the state is read, counted and written at every event */
const STATEFUL_NS = 12_000
/** a rule that matches is reported, counted and recorded */
const RULE_NS = 2500
const SCHEMA_NS = 10
const TEXT_NS = 30
const VARIABLE_NS = 1000

const textCostOfRule = ({ message, warning, context }: Rule): number =>
  textCost(message) + textCost(warning) + textCost(context)

function textCost(text: ClientText | undefined): number {
  if (text === undefined) return 0
  const longest =
    typeof text === 'string' ? text : Object.values(text).reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest.length * TEXT_NS + (longest.split('{').length - 1) * VARIABLE_NS
}

/** At most one route of a table applies to an action, so only the longest text counts. */
function addRoutes(tally: CostTally, routes: readonly Route[], sizeOf: (pattern: string) => number): void {
  for (const route of routes) {
    const own = createTally()
    addCondition(own, route.when, 0, sizeOf)
    tally.actRegexes += own.actRegexes
    tally.routes += 1 + own.tests
    tally.starredPaths += own.starredPaths
  }
  tally.fixed += Math.max(0, ...routes.map(textCostOfRule))
}

function addCondition(
  tally: CostTally,
  condition: Condition,
  gates: number,
  sizeOf: (pattern: string) => number,
): void {
  if ('all' in condition) for (const item of condition.all) addCondition(tally, item, gates, sizeOf)
  else if ('any' in condition) for (const item of condition.any) addCondition(tally, item, gates, sizeOf)
  else if ('not' in condition) addCondition(tally, condition.not, gates, sizeOf)
  else if ('with' in condition) addCondition(tally, condition.with, gates, sizeOf)
  else addLeaf(tally, condition, gates, sizeOf)
}

type ConditionLeaf = Extract<Condition, { readonly key: unknown }>

function addLeaf(tally: CostTally, leaf: ConditionLeaf, gates: number, sizeOf: (pattern: string) => number): void {
  tally.tests += 1
  if (leaf.key === 'command') for (const matcher of leaf.in) addCommand(tally, matcher)
  else if (leaf.key === 'path') for (const pattern of leaf.in) addPath(tally, pattern)
  else if (leaf.key === 'url')
    for (const pattern of leaf.in) tally.actRegexes += 'regex' in pattern ? sizeOf(pattern.regex) : URL_INSTRUCTIONS
  else if (leaf.key === 'prompt') addTexts(tally, PROMPT_FIELD, leaf.in, sizeOf)
  else if (leaf.key === 'text') addTexts(tally, WRITTEN_TEXT, leaf.in, sizeOf)
  else if (leaf.key === 'input') for (const field of leaf.fields) addTexts(tally, field.field, field.in, sizeOf)
  else if (leaf.key === 'words') addShortTexts(tally, leaf.in, sizeOf)
  else if ('fields' in leaf) for (const field of leaf.fields) addShortTexts(tally, field.in, sizeOf)
  else if (leaf.key === 'gate') tally.tests += leaf.states.length * (1 + gates / 4)
  else if ('in' in leaf) tally.tests += leaf.in.length
}

/** A URL template with a regex in it is matched against one part of a URL, which is short. */
const URL_INSTRUCTIONS = 20

function addCommand(tally: CostTally, matcher: CommandMatcher): void {
  tally.commands += 1
  if ('words' in matcher && matcher.words.length > FEW_WORDS) tally.words += matcher.words.length
}

const FEW_WORDS = 8

function addPath(tally: CostTally, { glob }: PathPattern): void {
  const stars = glob.split('*').length - 1
  const choices = 2 ** Math.min(6, glob.split('{').length - 1)
  if (stars <= FEW_STARS && choices === 1) tally.plainPaths += 1
  else tally.starredPaths += glob.length * choices
}

const FEW_STARS = 5

function addTexts(
  tally: CostTally,
  field: string,
  list: readonly TextPattern[],
  sizeOf: (pattern: string) => number,
): void {
  const isKnown = Object.hasOwn(tally.texts, field) || Object.keys(tally.texts).length < MAX_FIELDS
  const to = isKnown ? field : OTHER_FIELDS
  const { instructions, finds } = tally.texts[to] ?? { instructions: 0, finds: 0 }
  const sizes = list.reduce((sum, pattern) => sum + ('regex' in pattern ? sizeOf(pattern.regex) : 0), 0)
  const more = list.filter(pattern => !('regex' in pattern)).length
  tally.texts[to] = { instructions: instructions + sizes, finds: finds + more }
}

/** Variables and captures are short, and each action may have its own. */
function addShortTexts(
  tally: CostTally,
  list: readonly (TextPattern | WordPattern)[],
  sizeOf: (pattern: string) => number,
): void {
  for (const pattern of list) {
    if ('regex' in pattern) tally.actRegexes += sizeOf(pattern.regex)
    tally.tests += 1
  }
}
