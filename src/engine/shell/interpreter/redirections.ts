import type { HereDoc, Redirect, Redirection, SyntaxNode } from 'unbash'
import type { PathRef } from '../../match/path-ref.ts'
import type { Action } from '../../model/action.ts'
import { type Arg, argSuffix } from '../calls/argument.ts'
import {
  type DescriptorTable,
  type DescriptorTarget,
  descriptorTargetOf,
  openDescriptor,
  openPipe,
  UNKNOWN_DESCRIPTOR,
} from '../scope/file-descriptors.ts'
import { resolvePaths } from '../scope/path-resolution.ts'
import { portableVariables, type ShellScope, untrackVariable } from '../scope/scope.ts'
import { variableRiskOf } from '../scope/variable-risk.ts'
import { opaqueAction, UnreadableLineError } from './effect-collector.ts'
import { deferEvaluation } from './word-evaluation.ts'
import { expandUnsplitWord } from './word-expansion.ts'

const DESCRIPTOR_NUMBER = /^(\d+)-?$/

/** `10>f` and `{fd}>f` name a descriptor to bash; to shells that know one digit only they are a word of the command. */
export function descriptorWord(redirect: Redirection, source: string): string | undefined {
  const { descriptor } = redirect
  const text = descriptor === undefined ? '' : source.slice(descriptor.pos, descriptor.end)
  return text.length > 1 ? text : undefined
}

/** What standard input becomes (undefined: unchanged), and what all descriptors lead to while the command runs. */
export interface RedirectionResult {
  readonly stdin: string | null | undefined
  readonly descriptors: DescriptorTable
}

/** All but texts of the line, copies of descriptors and what is thrown away: a file may not be there, or not be allowed. */
export const mayRedirectionFail = (redirect: Redirection): boolean =>
  redirect.type === 'Redirect' && !/^(\/dev\/null|[012])$/.test(redirect.target?.text ?? '')

/** Reads the redirections of a command, from left to right, and adds file acts. */
export function interpretRedirections(
  redirects: readonly Redirection[],
  scope: ShellScope,
  via: string,
  acts: Action[],
  pending: SyntaxNode[],
): RedirectionResult {
  let stdin: string | null | undefined
  const outer = scope.descriptors
  const { vars } = scope
  const sure = portableVariables(scope)
  scope.vars = sure
  for (const redirect of redirects) {
    const number = descriptorNumberOf(redirect)
    // bash puts a number into the variable: `{PATH}<f`
    if (redirect.descriptor?.type === 'FileDescriptorVariable')
      assignDescriptorVariable(redirect.descriptor.name, scope)
    if (redirect.type === 'HereDoc') {
      const text = heredocBodyText(redirect, scope, pending)
      if (number === 0) stdin = text
      scope.descriptors = openPipe(scope.descriptors, number)
      continue
    }
    if (redirect.target === undefined) continue
    const target = expandUnsplitWord(redirect.target, scope, pending)
    if (redirect.type === 'HereString') {
      if (number === 0) stdin = target.text === null ? null : `${target.text}\n`
      scope.descriptors = openPipe(scope.descriptors, number)
      continue
    }
    if (number === 0 && redirect.operator.startsWith('<')) stdin = null
    interpretRedirection(redirect, number, target, scope, via, acts)
  }
  const { descriptors } = scope
  scope.descriptors = outer
  if (scope.vars === sure) scope.vars = vars
  return { stdin, descriptors }
}

function assignDescriptorVariable(name: string, scope: ShellScope): void {
  if (variableRiskOf(name, null) !== 'plain') scope.tainted = true
  untrackVariable(scope, name)
}

/** The descriptor that a redirection opens. */
function descriptorNumberOf({ descriptor, ...redirect }: Redirection): number {
  if (descriptor?.type === 'FileDescriptor') return descriptor.value
  if (descriptor !== undefined) return UNKNOWN_DESCRIPTOR
  return redirect.type === 'Redirect' && !redirect.operator.startsWith('<') ? 1 : 0
}

function interpretRedirection(
  { operator, target: word }: Redirect,
  number: number,
  target: Arg,
  scope: ShellScope,
  via: string,
  acts: Action[],
): void {
  const { text } = target
  // to dash `$''` is a `$` before quotes, and names a file
  if (text === '' && /\$['"]/.test(word?.text ?? '')) {
    acts.push(opaqueAction(via))
    return
  }
  const output = number === 1 || number === 2
  if (operator === '>&' || operator === '<&') {
    // bash expands it once more
    if (text === null ? /['\\]/.test(word?.text ?? '') : /[$`]/.test(text)) {
      acts.push(opaqueAction(via))
      scope.tainted = true
    }
    if (text === '-') return
    const from = DESCRIPTOR_NUMBER.exec(text ?? '')?.[1]
    if (from !== undefined) {
      const copied = descriptorTargetOf(scope.descriptors, Number(from))
      if (output)
        for (const place of copied.places) if (!isWrittenFile(place, acts)) acts.push({ action: 'write', place, via })
      scope.descriptors = openDescriptor(scope.descriptors, number, copied)
    }
    // only a number makes a copy; `3-` is a file to zsh, in both directions
    if (from === text) return
  }
  // a connection: what it brings and what it does elsewhere cannot be told
  if (text?.startsWith('/dev/tcp/') || text?.startsWith('/dev/udp/')) acts.push(opaqueAction(via))
  const written = redirectTargets(target, word?.text ?? '').flatMap(one => resolvePaths(one, scope, 'write'))
  if (operator.startsWith('<'))
    for (const place of resolvePaths(target, scope, 'read')) acts.push({ action: 'read', place, via })
  // what is opened as the output is written, by whatever name
  if (operator !== '<' || output) for (const place of written) acts.push({ action: 'write', place, via })
  const opened = toDescriptorTarget(written)
  scope.descriptors = openDescriptor(scope.descriptors, number, opened)
  if (operator === '>&' || operator.startsWith('&')) scope.descriptors = openDescriptor(scope.descriptors, 2, opened)
}

const isWrittenFile = (file: PathRef, acts: readonly Action[]): boolean =>
  acts.some(({ action, place }) => action === 'write' && place === file)

const toDescriptorTarget = (files: readonly PathRef[]): DescriptorTarget => {
  const known = files.filter(place => place.lexical !== null)
  return { places: known, sure: known.length === files.length }
}

/** `>!f` is `>|f` to zsh. */
function redirectTargets(target: Arg, written: string): readonly Arg[] {
  if (!/^[!|]/.test(written)) return [target]
  if (written.length === 1) throw new UnreadableLineError('redirection')
  return [target, argSuffix(target, 1)]
}

/** One that every shell takes for the same: a plain word, as it is or in quotes. */
const PORTABLE_DELIMITER = /^(?:\\?[\w.,:@%+=/!-]+|'[^'\\\n$`]+'|"[^"\\\n$`]+")$/

/** The body as a command reads it, or null when it holds expansions. */
function heredocBodyText(heredoc: HereDoc, scope: ShellScope, pending: SyntaxNode[]): string | null {
  const { parts, text } = heredoc.body
  // where such a body ends differs from shell to shell
  if (!PORTABLE_DELIMITER.test(heredoc.delimiter?.text ?? '')) throw new UnreadableLineError('heredoc')
  if (parts === undefined) return text
  deferEvaluation(heredoc.body, scope, pending)
  let whole = ''
  for (const part of parts) {
    if (part.type !== 'Literal') return null
    whole += part.value
  }
  return whole
}
