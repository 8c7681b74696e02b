import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const files = ['src', 'ui/src'].flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => join(ROOT, folder, file)),
)

/** Metaphors and speech: docs/GLOSSARY.md has the word to use instead. */
const BANNED =
  'tell tells told hear hears heard hearing heed heeded desk desks house door doors family families deed deeds wish wishes fog foggy voice voices scene speak speaks spoken said saying kept held standing ground circumstances surroundings brought lesson witness witnessed seal sealed veil mend mends mended mending fare fares flip vain misled barred whoever anew untold unsaid telling spoke overhear hearsay witnesses posture'.split(
    ' ',
  )
/** As types these say that something happened to a thing, and not what the thing is. */
const PARTICIPLES = /^(Told|Kept|Found|Asked|Heard|Given|Taken|Held|Known|Said|Seen|Met|Left|Made|Ended|Named|Linked)$/

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .map(word => word.toLowerCase())
const isBanned = (name: string): boolean => wordsOf(name).some(word => BANNED.includes(word))

interface ExportedName {
  readonly file: string
  readonly name: string
  readonly isType: boolean
}

const exported: readonly ExportedName[] = files.flatMap(file =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^export (?:declare )?(?:async )?(?:abstract )?(const|let|function\*?|class|interface|type|enum) (\w+)/gm,
    ),
  ].map(([, kind = '', name = '']) => ({
    file: relative(ROOT, file),
    name,
    isType: ['class', 'interface', 'type', 'enum'].includes(kind),
  })),
)

/** Comments, strings, templates and patterns: identifiers in them are not looked at. */
const TEXTS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};>]\s*|^\s*|return )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/gm

/** Every identifier: variables, parameters, members, types. */
const identifiers: readonly string[] = files.flatMap(file => {
  const code = readFileSync(file, 'utf8').replace(TEXTS, ' ')
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g))].map(name => `${relative(ROOT, file)}: ${name}`)
})

describe('names', () => {
  it('identifiers use the words of the glossary', () => {
    expect(identifiers.length).toBeGreaterThan(50_000)
    expect(identifiers.filter(line => isBanned(line.slice(line.indexOf(' ') + 1)))).toEqual([])
  })

  it('exported names use the words of the glossary', () => {
    expect(exported.length).toBeGreaterThan(2000)
    const wrong = exported.filter(({ name }) => isBanned(name))
    expect(wrong.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  it('file names use the words of the glossary', () => {
    const wrong = files.filter(file => isBanned(basename(file).replace(/\.tsx?$/, '')))
    expect(wrong.map(file => relative(ROOT, file))).toEqual([])
  })

  it('no type is called by what happened to it', () => {
    const wrong = exported.filter(({ name, isType }) => isType && PARTICIPLES.test(name))
    expect(wrong.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  it('an exported type name has one definition', () => {
    // the public types are written by hand, with the names that people use; test/api/types.test.ts holds them to ours
    const isPublic = (file: string) => /^src\/(types|api)\//.test(file)
    const types = exported.filter(({ isType, file }) => isType && file.startsWith('src/') && !isPublic(file))
    const filesOf = (name: string) => new Set(types.filter(type => type.name === name).map(({ file }) => file))
    const twice = types.filter(({ name }) => filesOf(name).size > 1)
    expect(twice.map(({ file, name }) => `${name}: ${file}`)).toEqual([])
  })
})
