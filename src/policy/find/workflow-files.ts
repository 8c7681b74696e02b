import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { tryOr } from '../../lib/errors.ts'
import { readRegularFile } from '../../lib/files.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { INTENTS } from '../intents.ts'
import { type PolicyError, policyErrorAt, policyErrorOfFile } from '../parse/policy-error.ts'
import { SourceMap } from '../parse/source-map.ts'
import { readYamlMapping } from '../parse/yaml-source.ts'

/** A workflow file in any format. Only its description of itself is read. */
export interface WorkflowFile {
  readonly name: string
  /** path relative to the project folder */
  readonly path: string
  readonly about: string
  readonly intents: readonly string[]
  readonly complexity: readonly string[]
}

interface WorkflowFiles {
  readonly workflows: readonly WorkflowFile[]
  /** a file that cannot be used is left out and reported */
  readonly problems: readonly PolicyError[]
}

const MAX_FILES = 500
/** The keys in which workflow files describe themselves. */
const DESCRIPTION_KEYS = [
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

export function readWorkflowFiles(root: string, folder: string): WorkflowFiles {
  const workflows: WorkflowFile[] = []
  const problems: PolicyError[] = []
  for (const file of yamlFilesIn(join(root, folder))) {
    const read = readWorkflowFile(join(root, folder, file), `${folder}/${file}`)
    problems.push(...read.problems)
    if (read.workflow) workflows.push(read.workflow)
  }
  return { workflows, problems }
}

const yamlFilesIn = (folder: string): readonly string[] =>
  tryOr([], () =>
    readdirSync(folder)
      .filter(name => /\.ya?ml$/i.test(name))
      .sort()
      .slice(0, MAX_FILES),
  )

function readWorkflowFile(file: string, path: string): { workflow?: WorkflowFile; problems: readonly PolicyError[] } {
  const sourceMap = new SourceMap()
  let text: string
  try {
    text = readRegularFile(file)
  } catch (error) {
    const why = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : 'unreadable'
    return { problems: [policyErrorOfFile(file, `the workflow cannot be read (${why})`)] }
  }
  const { root, problems } = readYamlMapping(text, file, sourceMap)
  if (!root) return { problems }
  const inner = isObject(root.workflow) ? root.workflow : {}
  const unknown = [root, inner].flatMap(holder => findUnknownIntents(holder, sourceMap))
  const list = (key: string) => [...collectStrings(inner[key]), ...collectStrings(root[key])]
  const name = basename(path).replace(/\.ya?ml$/i, '')
  const about = DESCRIPTION_KEYS.flatMap(list).join(' ')
  return {
    workflow: { name, path, about, intents: list('intents'), complexity: list('complexity') },
    problems: unknown,
  }
}

/** Reports intents that do not exist: they would keep the workflow from ever being chosen. */
function findUnknownIntents(holder: JsonObject, sourceMap: SourceMap): readonly PolicyError[] {
  const location = sourceMap.value(holder, 'intents')
  const wrong = collectStrings(holder.intents).find(string => !INTENTS.some(intent => intent === string))
  if (wrong === undefined || !location) return []
  return [policyErrorAt(location, `there is no intent \`${wrong}\``, { help: didYouMean(wrong, INTENTS) })]
}

function collectStrings(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(collectStrings)
  return typeof value === 'string' ? [value] : []
}
