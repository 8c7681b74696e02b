import * as v from 'valibot'
import { MODES } from '../../engine/index.ts'
import { conditionSchema, stateSchema } from './condition.ts'
import {
  choiceSchema,
  clientTextSchema,
  countSchema,
  fileSchema,
  flagSchema,
  idSchema,
  mappingSchema,
  oneOrManySchema,
  patternsSchema,
  recordSchema,
  regexSchema,
  scalarSchema,
  textSchema,
} from './value.ts'

export const modeSchema = choiceSchema(MODES)
export const onErrorSchema = choiceSchema(['open', 'closed'])

export const bypassSchema = mappingSchema(
  { env: recordSchema(patternsSchema, 'names to values'), message: v.exactOptional(clientTextSchema) },
  'must be { env, message }',
)

const debugSchema = mappingSchema(
  { env: recordSchema(patternsSchema, 'names to values'), message: clientTextSchema },
  'must be { env, message }',
)

/** An event in short form: a shell line, or `{ shell | write | fetch | … }`. */
const shorthandSchema = v.union(
  [textSchema, recordSchema(v.unknown(), 'an event in short form')],
  'must be a text or an event in short form',
)

const examplesSchema = mappingSchema(
  {
    stops: v.exactOptional(v.array(shorthandSchema, 'must be a list of examples')),
    passes: v.exactOptional(v.array(shorthandSchema, 'must be a list of examples')),
  },
  'must be { stops, passes }',
)

const suggestSchema = v.union(
  [
    textSchema,
    mappingSchema({ agent: oneOrManySchema(textSchema, 'an agent') }, 'must be { agent }'),
    mappingSchema({ tool: textSchema, path: v.exactOptional(textSchema) }, 'must be { tool, path }'),
  ],
  'must be a shell line, { agent } or { tool, path }',
)

const captureSchema = recordSchema(
  mappingSchema(
    {
      json: v.union([fileSchema, recordSchema(v.unknown(), 'a JSON Schema')], 'must be a schema file or a JSON Schema'),
    },
    'must be { json }',
  ),
  'a name to { json }',
)

const transitionSchema = mappingSchema(
  {
    id: v.exactOptional(idSchema),
    from: oneOrManySchema(stateSchema, 'open, closed'),
    to: stateSchema,
    when: conditionSchema,
    message: v.exactOptional(clientTextSchema),
    context: v.exactOptional(clientTextSchema),
    capture: v.exactOptional(captureSchema),
    invalid: v.exactOptional(
      mappingSchema(
        { then: choiceSchema(['deny', 'ask', 'warn']), message: clientTextSchema },
        'must be { then, message }',
      ),
    ),
  },
  'must be a transition',
)

const ruleSchema = mappingSchema(
  {
    id: v.exactOptional(idSchema),
    while: v.exactOptional(stateSchema),
    when: conditionSchema,
    unless: v.exactOptional(conditionSchema),
    unsure: v.exactOptional(choiceSchema(['warn', 'deny', 'ask', 'pass'])),
    then: choiceSchema(['deny', 'ask', 'allow', 'warn']),
    message: v.exactOptional(clientTextSchema),
    warning: v.exactOptional(clientTextSchema),
    context: v.exactOptional(clientTextSchema),
    suggest: v.exactOptional(suggestSchema),
    limit: v.exactOptional(countSchema),
    examples: v.exactOptional(examplesSchema),
  },
  'must be a rule',
)

export const routeSchema = mappingSchema(
  {
    url: v.exactOptional(
      oneOrManySchema(v.union([textSchema, regexSchema], 'must be a url or { regex }'), 'a url, { regex }'),
    ),
    pattern: v.exactOptional(textSchema),
    tool: v.exactOptional(oneOrManySchema(textSchema, 'a tool')),
    path: v.exactOptional(oneOrManySchema(textSchema, 'a path')),
    message: v.exactOptional(clientTextSchema),
    suggest: v.exactOptional(suggestSchema),
    allow: v.exactOptional(flagSchema),
    needs: v.exactOptional(mappingSchema({ command: textSchema }, 'must be { command }')),
    examples: v.exactOptional(examplesSchema),
  },
  'must be a route',
)

/** Routes by id. `from` names files with more routes. */
export const routesSchema = v.objectWithRest(
  { from: v.exactOptional(oneOrManySchema(fileSchema, 'a file')) },
  routeSchema,
  'must be a mapping of routes',
)

export const gateSchema = mappingSchema(
  {
    about: v.exactOptional(textSchema),
    mode: v.exactOptional(modeSchema),
    locked: v.exactOptional(flagSchema),
    initial: v.exactOptional(stateSchema),
    scope: v.exactOptional(choiceSchema(['session', 'agent', 'project'])),
    counts: v.exactOptional(conditionSchema),
    onError: v.exactOptional(onErrorSchema),
    opens: v.exactOptional(choiceSchema(['human'])),
    yields: v.exactOptional(flagSchema),
    bypass: v.exactOptional(bypassSchema),
    debug: v.exactOptional(debugSchema),
    transitions: v.exactOptional(v.array(transitionSchema, 'must be a list of transitions')),
    rules: v.exactOptional(v.array(ruleSchema, 'must be a list of rules')),
    routes: v.exactOptional(routesSchema),
    code: v.exactOptional(fileSchema),
  },
  'must be a gate',
)

export const optionValueSchema = v.union([scalarSchema, v.array(scalarSchema)], 'must be a value or a list of values')

export type GateDoc = v.InferInput<typeof gateSchema>
export type RuleDoc = v.InferInput<typeof ruleSchema>
export type TransitionDoc = v.InferInput<typeof transitionSchema>
export type RouteDoc = v.InferInput<typeof routeSchema>
export type RoutesDoc = v.InferInput<typeof routesSchema>
export type BypassDoc = v.InferInput<typeof bypassSchema>
export type SuggestDoc = v.InferInput<typeof suggestSchema>
export type ExamplesDoc = v.InferInput<typeof examplesSchema>
export type TextDoc = v.InferInput<typeof clientTextSchema>
