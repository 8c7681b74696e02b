import * as v from 'valibot'
import { MODES } from '../../core/index.ts'
import { condition, state } from './condition.ts'
import {
  choice,
  count,
  file,
  flag,
  id,
  mapping,
  named,
  oneOrMany,
  patterns,
  regex,
  scalar,
  text,
  words,
} from './value.ts'

export const mode = choice(MODES)
export const onError = choice(['open', 'closed'])

export const bypass = mapping(
  { env: named(patterns, 'names to values'), message: v.exactOptional(words) },
  'must be { env, message }',
)

const debug = mapping({ env: named(patterns, 'names to values'), message: words }, 'must be { env, message }')

/** An event in short form: a shell line, or `{ shell | write | fetch | … }`. */
const short = v.union([text, named(v.unknown(), 'an event in short form')], 'must be a text or an event in short form')

const examples = mapping(
  {
    stops: v.exactOptional(v.array(short, 'must be a list of examples')),
    passes: v.exactOptional(v.array(short, 'must be a list of examples')),
  },
  'must be { stops, passes }',
)

const suggest = v.union(
  [
    text,
    mapping({ agent: oneOrMany(text, 'an agent') }, 'must be { agent }'),
    mapping({ tool: text, path: v.exactOptional(text) }, 'must be { tool, path }'),
  ],
  'must be a shell line, { agent } or { tool, path }',
)

const capture = named(
  mapping(
    { json: v.union([file, named(v.unknown(), 'a JSON Schema')], 'must be a schema file or a JSON Schema') },
    'must be { json }',
  ),
  'a name to { json }',
)

const transition = mapping(
  {
    id: v.exactOptional(id),
    from: oneOrMany(state, 'open, closed'),
    to: state,
    when: condition,
    message: v.exactOptional(words),
    context: v.exactOptional(words),
    capture: v.exactOptional(capture),
    invalid: v.exactOptional(
      mapping({ then: choice(['deny', 'ask', 'warn']), message: words }, 'must be { then, message }'),
    ),
  },
  'must be a transition',
)

const rule = mapping(
  {
    id: v.exactOptional(id),
    while: v.exactOptional(state),
    when: condition,
    unless: v.exactOptional(condition),
    unsure: v.exactOptional(choice(['warn', 'deny', 'ask', 'pass'])),
    then: choice(['deny', 'ask', 'allow', 'warn']),
    message: v.exactOptional(words),
    warning: v.exactOptional(words),
    context: v.exactOptional(words),
    suggest: v.exactOptional(suggest),
    limit: v.exactOptional(count),
    examples: v.exactOptional(examples),
  },
  'must be a rule',
)

export const route = mapping(
  {
    url: v.exactOptional(oneOrMany(v.union([text, regex], 'must be a url or { regex }'), 'a url, { regex }')),
    pattern: v.exactOptional(text),
    tool: v.exactOptional(oneOrMany(text, 'a tool')),
    path: v.exactOptional(oneOrMany(text, 'a path')),
    message: v.exactOptional(words),
    suggest: v.exactOptional(suggest),
    allow: v.exactOptional(flag),
    needs: v.exactOptional(mapping({ command: text }, 'must be { command }')),
    examples: v.exactOptional(examples),
  },
  'must be a route',
)

/** Beside the routes by id, `from` names files with more. */
export const routes = v.objectWithRest(
  { from: v.exactOptional(oneOrMany(file, 'a file')) },
  route,
  'must be a mapping of routes',
)

export const gate = mapping(
  {
    about: v.exactOptional(text),
    mode: v.exactOptional(mode),
    locked: v.exactOptional(flag),
    initial: v.exactOptional(state),
    scope: v.exactOptional(choice(['session', 'agent', 'project'])),
    counts: v.exactOptional(condition),
    onError: v.exactOptional(onError),
    opens: v.exactOptional(choice(['human'])),
    yields: v.exactOptional(flag),
    bypass: v.exactOptional(bypass),
    debug: v.exactOptional(debug),
    transitions: v.exactOptional(v.array(transition, 'must be a list of transitions')),
    rules: v.exactOptional(v.array(rule, 'must be a list of rules')),
    routes: v.exactOptional(routes),
    code: v.exactOptional(file),
  },
  'must be a gate',
)

export const optionValue = v.union([scalar, v.array(scalar)], 'must be a value or a list of values')

export type GateDoc = v.InferInput<typeof gate>
export type RuleDoc = v.InferInput<typeof rule>
export type TransitionDoc = v.InferInput<typeof transition>
export type RouteDoc = v.InferInput<typeof route>
export type RoutesDoc = v.InferInput<typeof routes>
export type BypassDoc = v.InferInput<typeof bypass>
export type SuggestDoc = v.InferInput<typeof suggest>
export type ExamplesDoc = v.InferInput<typeof examples>
export type WordsDoc = v.InferInput<typeof words>
