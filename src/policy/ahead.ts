import { createHash } from 'node:crypto'
import { LineCounter, parseDocument } from 'yaml'
import { type Tree, treeOf } from './tree.ts'

/** What the build has read, so that the first call in a project need not: half of what it takes to compile a policy is built-in packs. */
export interface Ahead {
  /** by the sum of their text: a pack that was changed since is read as any other file */
  readonly trees: Readonly<Record<string, Tree>>
  /** that the engine runs, on texts of any length that matters */
  readonly regexes: readonly string[]
}

declare const SIGNALBOX_AHEAD: string | undefined

let ahead: Ahead | undefined
let regexes: ReadonlySet<string> | undefined

function whatIsRead(): Ahead {
  ahead ??= typeof SIGNALBOX_AHEAD === 'string' ? JSON.parse(SIGNALBOX_AHEAD) : { trees: {}, regexes: [] }
  return ahead as Ahead
}

export const treeAhead = (text: string): Tree | undefined => whatIsRead().trees[sumOf(text)]

export function isKnownRegex(pattern: string): boolean {
  regexes ??= new Set(whatIsRead().regexes)
  return regexes.has(pattern)
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** For the build. */
export function readAhead(texts: readonly string[], isSound: (pattern: string) => boolean): Ahead {
  const trees = texts.flatMap(text => {
    const tree = treeOf(
      parseDocument(text, { lineCounter: new LineCounter(), prettyErrors: false, uniqueKeys: true, strict: true }),
    )
    return tree ? [[sumOf(text), tree] as const] : []
  })
  return {
    trees: Object.fromEntries(trees),
    regexes: [...new Set(trees.flatMap(([, tree]) => regexesIn(tree)))].filter(isSound),
  }
}

function regexesIn([, , value]: Tree): readonly string[] {
  if ('list' in value) return value.list.flatMap(regexesIn)
  if ('alias' in value) return regexesIn(value.alias)
  if (!('map' in value)) return []
  return value.map.flatMap(([, , name, inner]) =>
    name === 'regex' && inner && 'leaf' in inner[2] ? [String(inner[2].leaf)] : inner ? regexesIn(inner) : [],
  )
}
