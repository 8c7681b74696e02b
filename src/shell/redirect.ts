import type { HereDoc, Redirect, Redirection, SyntaxNode } from 'unbash'
import type { Act } from '../core/index.ts'
import type { Place } from '../pattern/index.ts'
import { type Arg, after } from './arg.ts'
import { type Descriptors, type Opened, open, openedAt, openPipe, UNNUMBERED } from './descriptor.ts'
import { defer } from './evaluated.ts'
import { places } from './place.ts'
import { opaque, Unreadable } from './reading.ts'
import { type Scope, untrack, withoutVaried } from './scope.ts'
import { weigh } from './variable.ts'
import { readWhole } from './word.ts'

const NUMBER = /^(\d+)-?$/

/** `10>f` and `{fd}>f` name a descriptor to bash; to shells that know one digit only they are a word of the command. */
export function wordBefore(redirect: Redirection, source: string): string | undefined {
  const { descriptor } = redirect
  const text = descriptor === undefined ? '' : source.slice(descriptor.pos, descriptor.end)
  return text.length > 1 ? text : undefined
}

/** What standard input becomes (undefined: unchanged), and what all descriptors lead to while the command runs. */
export interface Redirected {
  readonly stdin: string | null | undefined
  readonly descriptors: Descriptors
}

/** All but texts of the line, copies of descriptors and what is thrown away: a file may not be there, or not be allowed. */
export const mayFail = (redirect: Redirection): boolean =>
  redirect.type === 'Redirect' && !/^(\/dev\/null|[012])$/.test(redirect.target?.text ?? '')

/** Reads the redirections of a command, from left to right, and adds file acts. */
export function readRedirects(
  redirects: readonly Redirection[],
  scope: Scope,
  via: string,
  acts: Act[],
  pending: SyntaxNode[],
): Redirected {
  let stdin: string | null | undefined
  const outer = scope.descriptors
  const { vars } = scope
  const sure = withoutVaried(scope)
  scope.vars = sure
  for (const redirect of redirects) {
    const number = numberOf(redirect)
    // bash puts a number into the variable: `{PATH}<f`
    if (redirect.descriptor?.type === 'FileDescriptorVariable') setsNumber(redirect.descriptor.name, scope)
    if (redirect.type === 'HereDoc') {
      const text = bodyText(redirect, scope, pending)
      if (number === 0) stdin = text
      scope.descriptors = openPipe(scope.descriptors, number)
      continue
    }
    if (redirect.target === undefined) continue
    const target = readWhole(redirect.target, scope, pending)
    if (redirect.type === 'HereString') {
      if (number === 0) stdin = target.text === null ? null : `${target.text}\n`
      scope.descriptors = openPipe(scope.descriptors, number)
      continue
    }
    if (number === 0 && redirect.operator.startsWith('<')) stdin = null
    readRedirect(redirect, number, target, scope, via, acts)
  }
  const { descriptors } = scope
  scope.descriptors = outer
  if (scope.vars === sure) scope.vars = vars
  return { stdin, descriptors }
}

function setsNumber(name: string, scope: Scope): void {
  if (weigh(name, null) !== 'plain') scope.tainted = true
  untrack(scope, name)
}

/** The descriptor that a redirection opens. */
function numberOf({ descriptor, ...redirect }: Redirection): number {
  if (descriptor?.type === 'FileDescriptor') return descriptor.value
  if (descriptor !== undefined) return UNNUMBERED
  return redirect.type === 'Redirect' && !redirect.operator.startsWith('<') ? 1 : 0
}

function readRedirect(
  { operator, target: word }: Redirect,
  number: number,
  target: Arg,
  scope: Scope,
  via: string,
  acts: Act[],
): void {
  const { text } = target
  // to dash `$''` is a `$` before quotes, and names a file
  if (text === '' && /\$['"]/.test(word?.text ?? '')) {
    acts.push(opaque(via))
    return
  }
  const output = number === 1 || number === 2
  if (operator === '>&' || operator === '<&') {
    // bash expands it once more
    if (text === null ? /['\\]/.test(word?.text ?? '') : /[$`]/.test(text)) {
      acts.push(opaque(via))
      scope.tainted = true
    }
    if (text === '-') return
    const from = NUMBER.exec(text ?? '')?.[1]
    if (from !== undefined) {
      const copied = openedAt(scope.descriptors, Number(from))
      if (output)
        for (const place of copied.places) if (!isWritten(place, acts)) acts.push({ action: 'write', place, via })
      scope.descriptors = open(scope.descriptors, number, copied)
    }
    // only a number makes a copy; `3-` is a file to zsh, in both directions
    if (from === text) return
  }
  // a connection: what it brings and what it does elsewhere cannot be told
  if (text?.startsWith('/dev/tcp/') || text?.startsWith('/dev/udp/')) acts.push(opaque(via))
  const written = targets(target, word?.text ?? '').flatMap(one => places(one, scope, 'write'))
  if (operator.startsWith('<'))
    for (const place of places(target, scope, 'read')) acts.push({ action: 'read', place, via })
  // what is opened as the output is written, by whatever name
  if (operator !== '<' || output) for (const place of written) acts.push({ action: 'write', place, via })
  const opened = openedBy(written)
  scope.descriptors = open(scope.descriptors, number, opened)
  if (operator === '>&' || operator.startsWith('&')) scope.descriptors = open(scope.descriptors, 2, opened)
}

const isWritten = (file: Place, acts: readonly Act[]): boolean =>
  acts.some(({ action, place }) => action === 'write' && place === file)

const openedBy = (files: readonly Place[]): Opened => {
  const known = files.filter(place => place.lexical !== null)
  return { places: known, sure: known.length === files.length }
}

/** `>!f` is `>|f` to zsh. */
function targets(target: Arg, written: string): readonly Arg[] {
  if (!/^[!|]/.test(written)) return [target]
  if (written.length === 1) throw new Unreadable('redirection')
  return [target, after(target, 1)]
}

/** One that every shell takes for the same: a plain word, as it is or in quotes. */
const DELIMITER = /^(?:\\?[\w.,:@%+=/!-]+|'[^'\\\n$`]+'|"[^"\\\n$`]+")$/

/** The body as a command reads it, or null when it holds expansions. */
function bodyText(heredoc: HereDoc, scope: Scope, pending: SyntaxNode[]): string | null {
  const { parts, text } = heredoc.body
  // where such a body ends differs from shell to shell
  if (!DELIMITER.test(heredoc.delimiter?.text ?? '')) throw new Unreadable('heredoc')
  if (parts === undefined) return text
  defer(heredoc.body, scope, pending)
  let whole = ''
  for (const part of parts) {
    if (part.type !== 'Literal') return null
    whole += part.value
  }
  return whole
}
