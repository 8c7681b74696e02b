import { join, resolve } from 'node:path'
import { compilePolicyInMemory } from '../../src/analysis/policy-test/index.ts'
import { Simulator, simulatePayload } from '../../src/analysis/simulator/index.ts'
import { compileDependencies } from '../../src/api/compile-dependencies.ts'
import { clientById } from '../../src/clients/index.ts'
import { type Action, type Event, newSession } from '../../src/engine/index.ts'
import { foldersOf } from '../../src/hook/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import { formatPolicyError, type Policy } from '../../src/policy/index.ts'
import { parseTestStep } from '../../src/policy/parse/policy-tests.ts'

/** `in doubt`: the call runs, and the agent gets a warning. `silent`: the call runs without a word. */
export const ANSWERS = ['refused', 'asked', 'in doubt', 'silent'] as const
export type Answer = (typeof ANSWERS)[number]

export interface Judgement {
  readonly answer: Answer
  /** the rules that matched, as `gate/rule`; with `?` if they could not be certain */
  readonly rules: readonly string[]
  /** what the reader sees, as the audit log writes it */
  readonly acts: readonly string[]
  readonly reader: ReaderResult
}

/** What the reader alone sees, without a policy. */
interface ReaderResult {
  /** a part of the call cannot be read */
  readonly isOpaque: boolean
  /** every act is known to only read */
  readonly onlyReads: boolean
}

export type CaseJudge = (call: string) => Judgement

/** Neither folder exists, so that an answer does not depend on the machine. */
const PLACE = { root: '/home/dev/shop', home: '/home/dev' }
/** `{ write: .env }`, and not the group of a shell line: `{ ls; }` */
export const isShortForm = (call: string): boolean => /^\{ \w+: /.test(call)
const ANSWER_OF = { deny: 'refused', ask: 'asked', allow: 'silent' } as const

/** Judges calls with one policy, each in a new session of Claude Code. */
export function caseJudge(text: string, folder: string): CaseJudge {
  const program = compiled(text, folder)
  return call => {
    const event = eventOf(call)
    const session = newSession('scores', PLACE.root, 0)
    const simulator = new Simulator({ ...PLACE, program, client: claudeCode(), tools: { regex } }, { session, now: 0 })
    const { outcome, record } = simulator.preview(event)
    const warns = record.matches.some(({ effect }) => effect === 'warn')
    return {
      answer: outcome.decision === 'pass' ? (warns ? 'in doubt' : 'silent') : ANSWER_OF[outcome.decision],
      rules: record.matches.map(
        ({ gate, rule, unsure }) => `${gate.replace(/^\w+\//, '')}/${rule}${unsure ? '?' : ''}`,
      ),
      acts: record.acts,
      reader: readerResult(event.call?.acts ?? []),
    }
  }
}

/** The call as an event, with its acts. Throws if it is not one. */
export function eventOf(call: string): Event {
  const parsed = isShortForm(call) ? parseTestStep(call) : { step: { shell: call } }
  if ('problem' in parsed) throw new Error(`${call}: ${parsed.problem.message}`)
  const simulated = simulatePayload(parsed.step, { ...PLACE, client: claudeCode() })
  if ('problem' in simulated) throw new Error(`${call}: ${simulated.problem}`)
  const [event] = simulated.events
  if (event?.kind !== 'tool.before') throw new Error(`${call}: it is not a tool call`)
  return event
}

const readerResult = (acts: readonly Action[]): ReaderResult => ({
  isOpaque: acts.some(act => act.opaque),
  onlyReads: acts.length > 0 && acts.every(actOnlyReads),
})

function actOnlyReads({ action, onlyReads, altered, opaque, place, url }: Action): boolean {
  if (opaque || altered) return false
  if (action === 'run') return onlyReads === true
  // what is fetched is only put out, or the command would not be one that only reads
  if (action === 'fetch') return typeof url === 'string'
  return (action === 'read' || action === 'search') && place?.lexical !== null
}

function claudeCode() {
  const client = clientById('claude-code')
  if (!client) throw new Error('no client')
  return client
}

/** `folder`: where the policy's files are read from. Its paths are relative to the project of the corpus. */
function compiled(text: string, folder: string): Policy {
  const folders = foldersOf({ HOME: PLACE.home })
  const built = compileDependencies()
  // absolute: self-protection guards the program that the packs belong to, and not folders of the same names in the project
  const options = { parts: { ...built, packsDir: resolve(built.packsDir) }, folders, everyLayer: false }
  const file = join(folder, 'signalbox.yaml')
  const { program, problems } = compilePolicyInMemory({ root: PLACE.root, folder }, options, { file, text })
  if (problems.length > 0) throw new Error(problems.map(one => formatPolicyError(one, name => name)).join('\n'))
  return program
}
