import type { PathRef } from '../../match/path-ref.ts'
import { isKnownShopt, normalizeOptionName } from './shell-options.ts'
import type { Looseness, ShellScope } from './shell-scope.ts'

const ALL: readonly Looseness[] = ['hidden', 'case', 'patterns', 'folders']

const OPTIONS: Readonly<Record<string, readonly Looseness[]>> = {
  dotglob: ['hidden'],
  globdots: ['hidden'],
  caseglob: ['case'],
  caseinsensitive: ['case'],
  extendedglob: ['patterns'],
  braceccl: ['patterns'],
  kshglob: ['patterns'],
  bareglobqual: ['patterns'],
  cdablevars: ['folders'],
}

/** Options of zsh that change nothing about which paths a word names. */
const NEUTRAL_OPTIONS = new Set(
  'nullglob cshnullglob match globstarshort markdirs numericglobsort shwordsplit interactivecomments localoptions localtraps errreturn unset promptsubst histexpand banghist autocd autopushd beep'.split(
    ' ',
  ),
)

/** What an option changes about paths, in whichever direction it is set. An unknown option may change anything. */
export function loosenessOfOption(name: string | null | undefined): readonly Looseness[] {
  if (typeof name !== 'string') return ALL
  const plain = normalizeOptionName(name).replace(/^no(?=.)/, '')
  const known = OPTIONS[plain]
  if (known !== undefined) return known
  return isKnownShopt(name) || isKnownShopt(`no${plain}`) || isKnownShopt(plain) || NEUTRAL_OPTIONS.has(plain)
    ? []
    : ALL
}

/** What a variable changes about paths as soon as it has a value. */
export function loosenessOfVariable(name: string, value: string | null): readonly Looseness[] {
  if (value === '') return []
  if (name === 'CDPATH' || name === 'cdpath') return ['folders']
  if (name === 'GLOBIGNORE') return ['hidden']
  return name === 'BASHOPTS' || name === 'SHELLOPTS' || name === 'options' ? ALL : []
}

export function addLooseness(scope: ShellScope, kinds: Iterable<Looseness>): void {
  const all = new Set([...scope.loose, ...kinds])
  if (all.size > scope.loose.size) scope.loose = all
}

interface StartOptions {
  readonly errexit?: boolean
  readonly pipefail?: boolean
  readonly options?: readonly (string | null)[]
}

/** The options that a shell is started with: `bash -e -O dotglob`. */
export function applyStartOptions(scope: ShellScope, { errexit, pipefail, options = [] }: StartOptions): void {
  scope.errexit ||= errexit === true
  scope.pipefail ||= pipefail === true
  addLooseness(scope, options.flatMap(loosenessOfOption))
}

/** More variants than this are not listed one by one. */
const MAX_HIDDEN_PARTS = 3

/** The paths that a wildcard may match with the options of this shell. */
export function loosePaths(place: PathRef, { loose }: ShellScope): readonly PathRef[] {
  if (loose.size === 0 || place.lexical === null) return [place]
  const wild = loose.has('patterns') ? withMoreWildcards(place) : place
  if (!wild.glob) return [wild]
  const texts = loose.has('hidden') || wild !== place ? withHiddenNames(wild.lexical ?? '') : [wild.lexical]
  return texts.map(lexical => ({ ...wild, lexical, ...(loose.has('case') && { foldCase: true }) }))
}

/** `.cla^x/f`, `.claud{d-f}/f`: a part with such a character matches whatever begins like it. `(#i)` holds for all parts behind it. */
function withMoreWildcards(place: PathRef): PathRef {
  const text = place.lexical ?? ''
  const flag = text.indexOf('(#')
  const parts = text.split('/')
  let at = 0
  const loosened = parts.map((part, nth) => {
    const from = at
    at += part.length + 1
    if (flag !== -1 && flag < from) return '*'
    const odd = part.search(nth === 0 ? /(?!^)~|[#^{(|<]/ : /[#^~{(|<]/)
    return odd === -1 ? part : `${part.slice(0, odd).replace(/[*?[].*$/, '')}*`
  })
  const lexical = loosened.join('/')
  return lexical === text ? place : { ...place, lexical, glob: true }
}

/** Each part that begins with a wildcard also matches names that begin with a dot. */
function withHiddenNames(wildcard: string): readonly string[] {
  let texts: readonly (readonly string[])[] = [[]]
  let count = 0
  for (const part of wildcard.split('/')) {
    const isOpen = /^[*?[]/.test(part)
    if (isOpen) count += 1
    const choices = isOpen ? (count > MAX_HIDDEN_PARTS ? [`.${part}`] : [part, `.${part}`]) : [part]
    texts = texts.flatMap(text => choices.map(choice => [...text, choice]))
  }
  return texts.map(text => text.join('/'))
}
