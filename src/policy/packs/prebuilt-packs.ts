import { createHash } from 'node:crypto'
import { LineCounter, parseDocument } from 'yaml'
import { toYamlTree, type YamlTree } from '../parse/yaml-tree.ts'

/** Built-in packs parsed at build time. Parsing them is half of the time that compiling a policy takes. */
export interface PrebuiltPacks {
  /** of the packs that a first policy names, by hash of the text: a pack that was changed since the build is parsed like any other file */
  readonly trees: Readonly<Record<string, YamlTree>>
  /** regexes of these packs that passed `isSound` at build time */
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

/** Called by the build. */
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
