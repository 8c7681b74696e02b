import {
  type Action,
  actionsOf,
  type Event,
  type EventRecord,
  type Facts,
  findRouteCandidates,
  type Gate,
  type matchFields,
  type Regex,
  type Route,
} from '../../engine/index.ts'
import { type evaluateRuleAlone, formatErrorLine, type LoadedPolicy } from '../../policy/index.ts'

interface Traced {
  readonly policy: LoadedPolicy
  readonly ready: readonly { readonly event: Event; readonly facts: Facts }[]
  readonly records: readonly EventRecord[]
  readonly regex: Regex
  /** passed in, so that the file of the trace holds no second engine */
  readonly engine: { readonly evaluateRuleAlone: typeof evaluateRuleAlone; readonly matchFields: typeof matchFields }
}

const MOST_ACTS = 20

/** Text for stderr if a gate's `debug` is on: the loaded policy, the call's actions, the routes that were tried, and the decision. */
export function debugTrace({ policy, ready, records, regex, engine }: Traced): string {
  const lines = ready.flatMap(({ event, facts }, nth) => {
    if (event.kind !== 'tool.before') return []
    const isDebugged = ({ debug }: Gate): boolean =>
      debug !== undefined &&
      engine.matchFields(debug.env, name => facts.env[name], { regex, fill: text => text }) === 'true'
    const gates = policy.program.gates.filter(isDebugged)
    const world = { program: policy.program, facts, regex }
    const matches = (route: Route, gate: Gate, action: Action): boolean =>
      engine.evaluateRuleAlone(route, gate, withOnly(action, event), world) === 'true'
    if (gates.length === 0) return []
    return [...loading(policy), ...gates.flatMap(gate => asking(gate, event, matches)), ...outcome(records[nth])]
  })
  return lines.map(line => `signalbox debug: ${line}`).join('\n')
}

const withOnly = (action: Action, event: Event): Event =>
  event.call ? { ...event, call: { ...event.call, acts: [action] } } : event

function loading({ layers, problems, warnings, inactive, fromCache }: LoadedPolicy): readonly string[] {
  return [
    ...layers
      .filter(({ layer }) => layer !== 'built-in')
      .map(({ file, state }) => `policy ${file}: ${state}, ${fromCache ? 'from the cache' : 'compiled now'}`),
    ...[...problems, ...warnings].map(problem => `policy: ${formatErrorLine(problem, file => file)}`),
    ...inactive.map(({ route, command }) => `policy: route ${route} is inactive: ${command} is not installed`),
  ]
}

/** Lists the routes as the gate tries them: the few candidates in order, up to the first match. */
function asking(
  gate: Gate,
  event: Event,
  matches: (route: Route, gate: Gate, action: Action) => boolean,
): readonly string[] {
  const { list, index } = gate.routes ?? { list: [], index: { hosts: {}, grams: {}, rest: [] } }
  const actions = actionsOf(event).slice(0, MOST_ACTS)
  const each = actions.flatMap(action => {
    const routes = findRouteCandidates(index, action.url).flatMap(at => list[at] ?? [])
    const end = routes.findIndex(route => matches(route, gate, action))
    const checked = end < 0 ? routes : routes.slice(0, end + 1)
    return [
      `${event.call?.tool}: ${action.action} ${action.url ?? action.place?.lexical ?? action.via ?? ''}: ${routes.length} of its routes can match`,
      ...checked.map((route, nth) => `route ${route.id} (${route.pattern}): ${nth === end ? found(route) : 'no'}`),
    ]
  })
  return [`gate ${gate.id}: ${list.length} routes, ${gate.rules.length} rules, mode ${gate.mode}`, ...each]
}

const found = ({ allow }: Route): string => (allow ? 'matches and allows' : 'matches')

const outcome = (record: EventRecord | undefined): readonly string[] =>
  record
    ? [[`decision: ${record.decision}`, record.gate && `by ${record.gate}, ${record.rule}`].filter(Boolean).join(' ')]
    : []
