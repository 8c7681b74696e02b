import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isObject, type Json, type JsonObject } from '../pattern/index.ts'
import { INTENTS } from '../router/intents.ts'
import { didYouMean } from './guess.ts'
import { Places } from './places.ts'
import { type PolicyError, problemAt, problemOf } from './problem.ts'
import { readRegular } from './read.ts'
import { readSource } from './source.ts'

/** A workflow file: whose format it is, is its own affair. What is read is what it says of itself. */
export interface WorkflowFile {
  readonly name: string
  /** from the folder of the project */
  readonly path: string
  readonly about: string
  readonly intents: readonly string[]
  readonly complexity: readonly string[]
}

interface Workflows {
  readonly workflows: readonly WorkflowFile[]
  /** a file that cannot be used is left out, and told of */
  readonly problems: readonly PolicyError[]
}

const MOST = 500
/** The keys under which workflows say what they are for. */
const TELLING = [
  'name',
  'description',
  'about',
  'type',
  'category',
  'project_types',
  'when_to_use',
  'keywords',
  'triggers',
]

export function readWorkflows(root: string, folder: string): Workflows {
  const workflows: WorkflowFile[] = []
  const problems: PolicyError[] = []
  for (const file of filesIn(join(root, folder))) {
    const read = readOne(join(root, folder, file), `${folder}/${file}`)
    problems.push(...read.problems)
    if (read.workflow) workflows.push(read.workflow)
  }
  return { workflows, problems }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(name => /\.ya?ml$/i.test(name))
      .sort()
      .slice(0, MOST)
  } catch {
    return []
  }
}

function readOne(file: string, path: string): { workflow?: WorkflowFile; problems: readonly PolicyError[] } {
  const places = new Places()
  let text: string
  try {
    text = readRegular(file)
  } catch (error) {
    const why = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : 'unreadable'
    return { problems: [problemOf(file, `the workflow cannot be read (${why})`)] }
  }
  const { root, problems } = readSource(text, file, places)
  if (!root) return { problems }
  const inner = isObject(root.workflow) ? root.workflow : {}
  const unknown = [root, inner].flatMap(holder => unknownIn(holder, places))
  const list = (key: string) => [...textsOf(inner[key]), ...textsOf(root[key])]
  const name = basename(path).replace(/\.ya?ml$/i, '')
  const about = TELLING.flatMap(list).join(' ')
  return {
    workflow: { name, path, about, intents: list('intents'), complexity: list('complexity') },
    problems: unknown,
  }
}

/** An intent that nobody decides for would keep the workflow from ever being chosen. */
function unknownIn(holder: JsonObject, places: Places): readonly PolicyError[] {
  const place = places.value(holder, 'intents')
  const wrong = textsOf(holder.intents).find(one => !INTENTS.some(intent => intent === one))
  if (wrong === undefined || !place) return []
  return [problemAt(place, `there is no intent \`${wrong}\``, { help: didYouMean(wrong, INTENTS) })]
}

function textsOf(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return typeof value === 'string' ? [value] : []
}
