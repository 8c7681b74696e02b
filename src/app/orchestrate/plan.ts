import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Backend, TaskMode } from './backends/backend.ts'
import { backends as known } from './backends/index.ts'
import { isQuestionOnly } from './question-detection.ts'
import type { RoutingDecision } from './router/index.ts'

/** Everything that is decided before a task runs. */
export interface TaskPlan {
  readonly task: string
  readonly mode: TaskMode
  readonly decision: RoutingDecision
  /** backends that can do the task, best first */
  readonly candidates: readonly Backend[]
  /** preferred backends that are not installed */
  readonly missing: readonly Backend[]
  readonly why: string
  /** a slash command or skill that no backend has here */
  readonly unknown?: string
}

export interface TaskPreferences {
  readonly backend?: string | undefined
  readonly mode?: TaskMode | undefined
  /** the order in the policy */
  readonly order?: readonly string[] | undefined
  /** what named the backend, if not the person */
  readonly by?: string | undefined
}

interface TaskPaths {
  readonly root: string
  readonly home: string
  readonly path: string | undefined
}

/** Deterministic: the same task in the same project gives the same plan. No model is asked. */
export function planTask(
  task: string,
  decision: RoutingDecision,
  preferences: TaskPreferences,
  where: TaskPaths,
): TaskPlan {
  const slash = /^\/(?:skill\s+)?([\w:-]+)/.exec(task)?.[1]
  const has = (backend: Backend, kind: 'commands' | 'skills') =>
    slash !== undefined && isCommandDefined(slash, backend[kind], where)
  const mode = preferences.mode ?? chooseMode(task, decision, known, has)
  const { list, why } = orderBackends(mode, decision.intent, preferences, has)
  const isHere = (backend: Backend) => findProgram(backend.program, where.path) !== undefined
  const isUnknown = slash !== undefined && !known.some(backend => has(backend, 'commands') || has(backend, 'skills'))
  const sides = { candidates: list.filter(isHere), missing: list.filter(backend => !isHere(backend)) }
  return { task, mode, decision, ...sides, why, ...(isUnknown && { unknown: slash }) }
}

type HasCommand = (backend: Backend, kind: 'commands' | 'skills') => boolean

function chooseMode(task: string, decision: RoutingDecision, all: readonly Backend[], has: HasCommand): TaskMode {
  if (/^\/skill\s/.test(task) || all.some(backend => has(backend, 'skills'))) return 'skill'
  if (task.startsWith('/')) return 'command'
  return isQuestionOnly(task, decision) ? 'prompt' : 'agent'
}

/** The named backend; else the policy's order; else backends that know the command, then backends that suit the intent. */
function orderBackends(
  mode: TaskMode,
  intent: RoutingDecision['intent'],
  { backend, order, by }: TaskPreferences,
  has: HasCommand,
) {
  const kind = mode === 'skill' ? 'skills' : 'commands'
  const score = (item: Backend) => Number(has(item, kind)) * 2 + Number(item.preferredIntents.includes(intent))
  const list = order ? order.map(backendByName) : [...known].sort((a, b) => score(b) - score(a))
  if (backend !== undefined) {
    const own = backendByName(backend)
    return { list: [own, ...list.filter(candidate => candidate !== own)], why: by ?? 'you named it' }
  }
  if (order) return { list, why: 'first in the order of the policy' }
  const first = list[0]
  const why =
    !first || score(first) === 0 ? 'the default order' : score(first) > 1 ? `it has this ${mode}` : `best for ${intent}`
  return { list, why }
}

function backendByName(id: string): Backend {
  const found = known.find(backend => backend.id === id || backend.program === id)
  if (found) return found
  throw new Error(`unknown backend \`${id}\`; there are ${known.map(backend => backend.id).join(', ')}`)
}

const isCommandDefined = (name: string, places: readonly string[], { root, home }: TaskPaths): boolean =>
  places.some(place => [root, home].some(base => existsSync(join(base, place.replace('*', name.replace(/:/g, '/'))))))

/** Finds a program on the PATH as a shell does. */
export function findProgram(name: string, path = ''): string | undefined {
  const files = path.split(delimiter).flatMap(folder => (isAbsolute(folder) ? join(folder, name) : []))
  return files.find(file => {
    try {
      accessSync(file, constants.X_OK)
      return statSync(file).isFile()
    } catch {
      return false
    }
  })
}
