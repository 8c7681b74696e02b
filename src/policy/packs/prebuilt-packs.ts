import { createHash } from 'node:crypto'
import { LineCounter, parseDocument } from 'yaml'
import { toYamlTree, type YamlTree } from '../parse/yaml-tree.ts'

/** What the build has read, so that the first call in a project need not: half of what it takes to compile a policy is built-in packs. */
export interface PrebuiltPacks {
  /** by the sum of their text: a pack that was changed since is read as any other file */
  readonly trees: Readonly<Record<string, YamlTree>>
  /** that the engine runs, on texts of any length that matters */
  readonly regexes: readonly string[]
}

declare const SIGNALBOX_AHEAD: string | undefined

let prebuilt: PrebuiltPacks | undefined
let knownRegexes: ReadonlySet<string> | undefined

function loadPrebuiltPacks(): PrebuiltPacks {
  prebuilt ??= typeof SIGNALBOX_AHEAD === 'string' ? JSON.parse(SIGNALBOX_AHEAD) : { trees: {}, regexes: [] }
  return prebuilt as PrebuiltPacks
}

export const findPrebuiltTree = (text: string): YamlTree | undefined => loadPrebuiltPacks().trees[hashText(text)]

export function isKnownRegex(pattern: string): boolean {
  knownRegexes ??= new Set(loadPrebuiltPacks().regexes)
  return knownRegexes.has(pattern)
}

const hashText = (text: string): string => createHash('sha256').update(text).digest('base64')

/** For the build. */
export function prebuildPacks(texts: readonly string[], isSound: (pattern: string) => boolean): PrebuiltPacks {
  const trees = texts.flatMap(text => {
    const tree = toYamlTree(
      parseDocument(text, { lineCounter: new LineCounter(), prettyErrors: false, uniqueKeys: true, strict: true }),
    )
    return tree ? [[hashText(text), tree] as const] : []
  })
  return {
    trees: Object.fromEntries(trees),
    regexes: [...new Set(trees.flatMap(([, tree]) => regexesIn(tree)))].filter(isSound),
  }
}

function regexesIn([, , value]: YamlTree): readonly string[] {
  if ('list' in value) return value.list.flatMap(regexesIn)
  if ('alias' in value) return regexesIn(value.alias)
  if (!('map' in value)) return []
  return value.map.flatMap(([, , name, inner]) =>
    name === 'regex' && inner && 'leaf' in inner[2] ? [String(inner[2].leaf)] : inner ? regexesIn(inner) : [],
  )
}
