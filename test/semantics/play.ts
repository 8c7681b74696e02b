import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import { clientById, clients } from '../../src/clients/index.ts'
import type { GateState } from '../../src/engine/index.ts'
import {
  type Capabilities,
  type CodeGate,
  type EvaluationResult,
  type EvaluationTools,
  type Event,
  evaluate,
  newSession,
  type Session,
  type Verdict,
} from '../../src/engine/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import {
  attestedRunsOf,
  gatherFacts,
  policyInput,
  suggestionConflicts,
  withActions,
  withRunEnds,
} from '../../src/hook/index.ts'
import * as regexes from '../../src/hook/services/regex.ts'
import * as compiler from '../../src/policy/compile/compiler.ts'
import { type LoadedPolicy, loadPolicy, setTrust } from '../../src/policy/index.ts'
import { disagreements } from '../explain/agrees.ts'
import type { Case, Policy, Step } from './case.ts'

const MANAGED = 'etc/signalbox.yaml'
const FOLDER_OF: Record<string, string> = { user: 'home/.config/signalbox', project: 'project', managed: 'etc' }

/** What a case is played with beside itself. */
export interface Ground {
  /** real packs instead of the case's own */
  readonly packsDir?: string
  /** told of every answer */
  readonly heard?: (result: EvaluationResult) => void
}

/** A project, a home and a managed file in a folder of their own, with the policy of one case in force. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-semantics-'))
  readonly root = join(this.folder, 'project')
  readonly home = join(this.folder, 'home')
  readonly #state = join(this.folder, 'state')
  readonly policy: LoadedPolicy
  /** of the program, which is large: made once, not for each event */
  #copy: LoadedPolicy['program'] | undefined
  readonly #case: Case
  readonly #ground: Ground
  readonly #sessions = new Map<string, Session>()
  #shared: Session['shared'] = {}
  #now = Date.UTC(2026, 0, 1)

  constructor(one: Case, ground: Ground = {}) {
    this.#case = one
    this.#ground = ground
    for (const folder of [this.root, this.home, join(this.root, one.cwd ?? '')]) mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(one.files ?? {})) this.#write(name.replace(/^~/, '../home'), text)
    for (const [id, pack] of Object.entries(one.packs ?? {})) this.#write(`../packs/${id}/pack.yaml`, textOf(pack))
    for (const [from, to] of Object.entries(one.links ?? {})) this.#link(from, to)
    for (const [name, file] of Object.entries(one.hardLinks ?? {})) this.#hardLink(name, file)
    this.#lay(one.layers ?? { user: policyOf(one) })
    let policy = this.#load()
    const trusted = policy.layers.filter(({ layer }) => one.trust?.includes(layer))
    for (const { file, trustHash } of trusted) setTrust(this.#state, file, trustHash)
    this.#lay(one.changed ?? {})
    if (one.trust || one.changed) policy = this.#load()
    this.policy = deepFreeze(policy)
  }

  tearDown(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Evaluates twice, over frozen copies: the answer depends on nothing else, and nothing else comes of it. What explains it agrees. */
  play(step: Step): EvaluationResult {
    const one = this.#case
    this.#now += (step.wait ?? 0) * 1000
    const event = deepFreeze(this.#event(step))
    const { program } = this.policy
    const env = step.env ?? {}
    const facts = deepFreeze({
      ...gatherFacts(event, program, { now: this.#now, env, root: this.root, home: this.home }),
      ...(step.replies && { replies: step.replies.map(verdict => ({ from: 'hook:user/1', verdict })) }),
      ...(step.approved && { approved: true }),
    })
    const session = deepFreeze(structuredClone(this.#session(event.session)))
    const given = { event, session, facts, capabilities: capabilitiesOf(one) }
    const input = { ...given, program }
    const place = { root: this.root, home: this.home, program, cwd: this.root, shell: () => shell }
    const conflicts: EvaluationTools['conflicts'] = (...asked) =>
      suggestionConflicts(other => withActions(other, place), ...asked)
    const tools = { regex: regexes.regex, codeGates: this.#codeGates(), conflicts }
    const result = evaluate(input, tools)
    this.#copy ??= structuredClone(program)
    const again = evaluate({ ...structuredClone(given), program: this.#copy }, tools)
    if (JSON.stringify(result) !== JSON.stringify(again)) throw new Error('the same input gave two answers')
    const stored: unknown = JSON.parse(JSON.stringify(result.session))
    if (!isDeepStrictEqual(stored, result.session)) throw new Error('the session is not what the store would give back')
    const wrong = disagreements(input, tools, result)
    if (wrong.length > 0) throw new Error(`the explanation is wrong: ${wrong.join('; ')}`)
    this.#sessions.set(event.session, result.session)
    this.#shared = result.session.shared
    this.#ground.heard?.(result)
    return result
  }

  /** `g`, `layer/g`, or `g@agent id` for a gate of scope agent. */
  gateState(name: string, { session }: EvaluationResult): GateState | undefined {
    const [gateName = '', agent] = name.split('@')
    const gate = this.#gate(gateName)
    const key = agent === undefined ? gate.id : `${gate.id}@agent:${agent}`
    return (session.gates[key] ?? session.shared[key])?.state ?? gate.initial
  }

  #write(name: string, text: string): void {
    const file = join(this.root, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  #link(from: string, to: string): void {
    mkdirSync(join(this.root, to), { recursive: true })
    mkdirSync(dirname(join(this.root, from)), { recursive: true })
    symlinkSync(join(this.root, to), join(this.root, from))
  }

  #hardLink(name: string, file: string): void {
    const at = join(this.root, name)
    mkdirSync(dirname(at), { recursive: true })
    linkSync(join(this.root, file.replace(/^~/, '../home')), at)
  }

  /** Layers by name; any other name is a nested folder. */
  #lay(layers: Readonly<Record<string, Policy>>): void {
    for (const [layer, policy] of Object.entries(layers)) {
      const folder = FOLDER_OF[layer] ?? `project/${layer}`
      this.#write(`../${folder}/signalbox.yaml`, textOf(policy))
      for (const gate of Object.keys(this.#case.code ?? {})) this.#write(`../${folder}/${gate}.mjs`, '')
    }
  }

  #load(): LoadedPolicy {
    const folders = {
      home: this.home,
      userFile: join(this.home, '.config/signalbox/signalbox.yaml'),
      managedFile: join(this.folder, MANAGED),
      state: this.#state,
      data: join(this.home, '.local/share/signalbox'),
    }
    const { packsDir = join(this.folder, 'packs') } = this.#ground
    const shared = { clients: () => clients, shell: () => shell, regex: () => regexes }
    const parts = { ...shared, compiler: () => compiler, packsDir }
    const env = this.#filled({ env: this.#case.env ?? {} }).env ?? {}
    const input = policyInput(this.root, join(this.root, this.#case.cwd ?? ''), env, folders, parts)
    const hasCommand = (name: string): boolean => (this.#case.commands ?? []).includes(name)
    return loadPolicy({ ...input, hasCommand }, () => compiler)
  }

  #gate(name: string) {
    const gate = this.policy.program.gates.find(one => one.id === name || one.name === name)
    if (!gate) throw new Error(`no gate \`${name}\` in the policy`)
    return gate
  }

  #session(id: string): Session {
    const known = this.#sessions.get(id) ?? this.#begin(id)
    return { ...known, shared: this.#shared }
  }

  #begin(id: string): Session {
    const session = newSession(id, this.root, this.#now)
    const mark = { at: this.#now, turn: 0, operations: 0 }
    const given = Object.entries(this.#case.given ?? {}).map(([name, state]) => {
      const stamp = state === 'open' ? { opened: mark } : { closed: mark }
      return [this.#gate(name).id, { state, operations: 0, changed: mark, ...stamp }]
    })
    return { ...session, gates: Object.fromEntries(given) }
  }

  #codeGates(): Record<string, CodeGate> {
    const code = Object.entries(this.#case.code ?? {})
    const gates = code.flatMap(([name, says]) => {
      const found = this.policy.program.gates.find(gate => gate.name === name)
      return found ? [[found.id, () => spoken(says)]] : []
    })
    return Object.fromEntries(gates)
  }

  /** The short form, with what only a test needs beside it. */
  #event(step: Step): Event {
    const { event, id, session, stopActive, caller, client, cwd, ...rest } = this.#filled(step)
    const {
      expect: _expect,
      wait: _wait,
      env: _env,
      replies: _replies,
      approved: _approved,
      signed = {},
      ...short
    } = {
      ...rest,
      ...(typeof caller === 'string' ? { caller } : {}),
    }
    const named = { client: client ?? this.#case.client ?? 'claude-code', session: session ?? 'one' }
    const base: Event = { kind: event ?? 'other', name: event ?? 'other', caller: { kind: 'main' }, ...named }
    const ground = { root: this.root, home: this.home, client: named.client }
    const reading = Object.keys(short).length === 0 ? { event: base } : compiler.parseEventShorthand(short, ground)
    if ('problem' in reading) throw new Error(`${JSON.stringify(short)}: ${reading.problem}`)
    const stopped = step.stops ?? step.starts
    const given = typeof caller === 'object' ? caller : undefined
    const full: Event = {
      ...reading.event,
      ...named,
      ...(event && { kind: event }),
      ...(stopped !== undefined && !step.as && { caller: { kind: 'agent', id: stopped, type: stopped } }),
      ...(given && { caller: given }),
      ...(stopActive !== undefined && { stopActive }),
    }
    const there = {
      root: this.root,
      cwd: join(this.root, cwd ?? this.#case.cwd ?? ''),
      home: this.home,
      shell: () => shell,
      program: this.policy.program,
    }
    const { call } = full
    if (!call) return full
    const tool = canonical(call.tool)
    const read = withActions({ ...full, call: { ...call, tool, ...(id !== undefined && { id }) } }, there)
    return withRunEnds(read, attestedRunsOf(read, there), argv => endOf(signed[JSON.parse(argv).join(' ')]))
  }

  /** `<root>`, `<home>`, `<state>`, `<install>` and `<5000 x>` stand for what they say. */
  #filled(step: Step): Step {
    const text = JSON.stringify(step)
      .replaceAll('<root>', this.root)
      .replaceAll('<home>', this.home)
      .replaceAll('<state>', this.#state)
      .replaceAll('<install>', join(import.meta.dirname, '../..'))
      .replace(/<(\d+) x>/g, (_, count) => 'x'.repeat(Number(count)))
    return JSON.parse(text)
  }
}

const canonical = (tool: string): string =>
  clients.map(client => client.toolNames[tool]).find(name => name !== undefined) ?? tool

const textOf = (policy: Policy): string => (typeof policy === 'string' ? policy : stringify(policy))

/** `when` and `unless` of a case are those of one rule that denies. */
function policyOf({ policy, when, unless }: Case): Policy {
  if (policy !== undefined) return policy
  const rule = { when: { event: 'tool.before', ...when }, ...(unless && { unless }), then: 'deny', message: 'stopped' }
  return { gates: { g: { rules: [rule] } } }
}

function capabilitiesOf({ capabilities, client = 'claude-code' }: Case): Capabilities {
  const base = clientById(client)?.capabilities
  if (!base) throw new Error(`no client \`${client}\``)
  const { shortens = base.shortens, callers = base.callers, ...events } = capabilities ?? {}
  return { ...base, shortens, callers, events: Object.keys(events).length > 0 ? events : base.events }
}

function spoken(says: 'throws' | Verdict): Verdict {
  if (says === 'throws') throw new Error('broken on purpose')
  return says
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
  return value
}

const endOf = (status: number | undefined) => (status === undefined ? undefined : status === 0 ? 'succeeded' : 'failed')
