import { type Client, clients } from '../clients/index.ts'
import type { Gate } from '../core/index.ts'
import type { Policy, PolicyError } from '../policy/index.ts'
import { Places, type StepDoc, type TestDoc, type TestsDoc } from '../policy/tests.ts'
import { checkAgent, checkAsking } from './asking.ts'
import { complain, type Desk } from './desk.ts'
import { gateNamed, isNamed, wholeOf } from './expectation.ts'

/** The clients a test is played for, by name. */
export function clientsOf(doc: TestsDoc | TestDoc | StepDoc, desk: Desk): readonly Client[] {
  const named = [doc.client ?? []].flat()
  if (doc.client !== undefined && named.length === 0)
    complain(desk, doc, 'client', '`client` is empty: name one, or leave it out')
  return named.flatMap(id => {
    const found = clients.find(one => one.id === id)
    if (!found)
      complain(desk, doc, 'client', `unknown client \`${id}\``, { known: clients.map(one => one.id), written: id })
    return found ?? []
  })
}

/** A test that names what is not in the policy would be green for ever: it is a mistake. */
export function checkTest(test: TestDoc, holder: TestsDoc | TestDoc, { gates }: Policy, desk: Desk): void {
  for (const name of Object.keys(holder.given ?? {})) checkState(holder.given ?? {}, name, gates, desk)
  const isSilent = !test.events.some(step => step.expect !== undefined && Object.keys(wholeOf(step.expect)).length > 0)
  // what could not be read may be what expects something
  if (isSilent && !desk.partial.has(test))
    complain(desk, test, 'name', `test \`${test.name}\` expects nothing: give one of its events an \`expect\``)
  for (const step of test.events) checkStep(step, test, gates, desk)
}

function checkStep(step: StepDoc, test: TestDoc, gates: readonly Gate[], desk: Desk): void {
  clientsOf(step, desk)
  checkKeys(step, desk)
  if (step.expect === undefined || typeof step.expect === 'string') return
  const { expect } = step
  checkAsking(step, expect, desk)
  for (const key of ['reason', 'context', 'message'] as const)
    for (const part of [expect[key] ?? []].flat()) {
      const problem = typeof part === 'string' ? null : desk.checkRegex(part.regex)
      if (problem !== null) complain(desk, expect, key, `the regex of \`${key}\` cannot be used: ${problem}`)
    }
  if (expect.gate !== undefined) checkGate(expect, 'gate', expect.gate, gates, desk)
  for (const name of Object.keys(expect.gates ?? {})) checkState(expect.gates ?? {}, name, gates, desk, test)
  if (expect.rule === undefined) return
  const meant = gates.filter(gate => expect.gate === undefined || isNamed(gate.id, expect.gate))
  const rules = meant.flatMap(rulesOf)
  const where = expect.gate === undefined ? 'the policy' : `gate \`${expect.gate}\``
  if (meant.length > 0 && !rules.includes(expect.rule))
    complain(desk, expect, 'rule', `unknown rule \`${expect.rule}\` in ${where}`, {
      known: own(rules, gates, expect.gate),
      written: expect.rule,
    })
}

const CALLS = ['shell', 'write', 'edit', 'read', 'delete', 'fetch', 'spawn', 'tool']
const WHATS = [...CALLS, 'prompt', 'stops', 'starts', 'stop', 'payload']

/** Which of them a key says something of; elsewhere it would be read by nobody. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['after', 'output', 'input', 'background', 'signed'].map(key => [key, CALLS])),
  ...Object.fromEntries(['path', 'url', 'command', 'agent'].map(key => [key, ['tool']])),
  id: [...CALLS, 'payload'],
  source: ['prompt'],
  answer: ['stops'],
}

/** What is said of an agent names it: else it is about nobody. */
const AGENTS: Readonly<Record<string, readonly [string, string]>> = {
  'agent.start': ['starts', 'reviewer'],
  'agent.stop': ['stops', 'reviewer'],
}

/** What is wrong with an event that stands in no file. */
export function eventProblems(step: StepDoc, checkRegex: Desk['checkRegex']): readonly PolicyError[] {
  const desk: Desk = { file: 'event', places: new Places(), checkRegex, problems: [], partial: new Set() }
  clientsOf(step, desk)
  checkKeys(step, desk)
  return desk.problems
}

/** One thing happens, and every key says something of it. */
function checkKeys(step: StepDoc, desk: Desk): void {
  const keys = Object.keys(step)
  const whats = keys.filter(key => WHATS.includes(key))
  const [first, second] = whats
  if (second !== undefined)
    complain(desk, step, second, `\`${first}\` and \`${second}\` are two events`, { ofKey: true })
  if (first === undefined && step.event === undefined)
    complain(desk, step, 'expect', 'nothing happens in this event', { known: WHATS, ofKey: true })
  const [short, agent] = AGENTS[step.event ?? ''] ?? []
  if (short !== undefined && first === undefined)
    complain(desk, step, 'event', `\`event: ${step.event}\` names no agent: write \`${short}: ${step.as ?? agent}\``)
  if (step.signed && step.after === undefined)
    complain(desk, step, 'signed', '`signed` says nothing here: it goes with `after`', { ofKey: true })
  for (const key of keys) {
    const needed = NEEDS[key]
    if (needed && !whats.some(one => needed.includes(one)))
      complain(
        desk,
        step,
        key,
        `\`${key}\` says nothing here: it goes with ${needed.map(one => `\`${one}\``).join(', ')}`,
        { ofKey: true },
      )
  }
}

/** Without a gate named, what is built in is no guess. */
const own = (rules: readonly string[], gates: readonly Gate[], gate: string | undefined): readonly string[] =>
  gate === undefined ? gates.filter(one => one.layer !== 'built-in').flatMap(rulesOf) : rules

/** All that can speak under a name of its own. */
const rulesOf = ({ rules, routes, transitions, code }: Gate): readonly string[] => [
  ...rules.map(one => one.id),
  ...(routes?.list ?? []).map(one => one.id),
  ...transitions.filter(one => one.invalid).map(one => one.id),
  ...(code === undefined ? [] : ['code']),
]

function checkGate(holder: object, key: string, name: string, gates: readonly Gate[], desk: Desk): Gate | undefined {
  const found = gateNamed(gates, name)
  const known = [...new Set(gates.filter(one => one.layer !== 'built-in').map(one => one.name))]
  if (!found) complain(desk, holder, key, `unknown gate \`${name}\``, { known, written: name, ofKey: key !== 'gate' })
  return found
}

/** `gate`, or `gate@agent` where each agent has its own. */
function checkState(holder: object, key: string, gates: readonly Gate[], desk: Desk, test?: TestDoc): void {
  const [name = ''] = key.split('@')
  const gate = checkGate(holder, key, name, gates, desk)
  if (gate && gate.initial === undefined)
    complain(desk, holder, key, `gate \`${name}\` has no state: it says no \`initial\``, { ofKey: true })
  else checkAgent(holder, key, gates, desk, test)
}
