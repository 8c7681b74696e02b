import type { HereDoc, Redirect, Redirection, SyntaxNode } from 'unbash'
import type { PathRef } from '../../match/path-ref.ts'
import type { Action } from '../../model/event.ts'
import { type Arg, argSuffix } from '../calls/argument.ts'
import {
  type DescriptorTable,
  type DescriptorTarget,
  descriptorTargetOf,
  openDescriptor,
  openPipe,
  UNKNOWN_DESCRIPTOR,
} from '../scope/file-descriptors.ts'
import { resolveArgumentPaths } from '../scope/path-resolution.ts'
import { portableVariables, untrackVariable } from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { variableRiskOf } from '../scope/variable-risk.ts'
import { opaqueAction, UnreadableLineError } from './effect-collector.ts'
import { deferEvaluation } from './word-evaluation.ts'
import { expandUnsplitWord } from './word-expansion.ts'

const DESCRIPTOR_NUMBER = /^(\d+)-?$/

/** In bash `10>f` and `{fd}>f` name a descriptor. Shells that accept only one digit read it as an argument of the command. */
export function descriptorWord(redirect: Redirection, source: string): string | undefined {
  const { descriptor } = redirect
  const text = descriptor === undefined ? '' : source.slice(descriptor.pos, descriptor.end)
  return text.length > 1 ? text : undefined
}

/** Text of standard input (undefined: unchanged, null: unknown), and the descriptor table while the command runs. */
export interface RedirectionResult {
  readonly stdin: string | null | undefined
  readonly descriptors: DescriptorTable
}

/** A file may be missing or not permitted. Heredocs, here-strings, copies of descriptors 0 to 2 and `/dev/null` do not fail. */
export const mayRedirectionFail = (redirect: Redirection): boolean =>
  redirect.type === 'Redirect' && !/^(\/dev\/null|[012])$/.test(redirect.target?.text ?? '')

/** Interprets the redirections of a command from left to right, and adds actions for the files. */
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
    // bash stores the descriptor number in the variable: `{PATH}<f`
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

/** The number of the descriptor that a redirection opens. */
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
  // dash reads `$''` as a `$` before quotes, which names a file
  if (text === '' && /\$['"]/.test(word?.text ?? '')) {
    acts.push(opaqueAction(via))
    return
  }
  const output = number === 1 || number === 2
  if (operator === '>&' || operator === '<&') {
    // bash expands this target a second time
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
    // only a plain number copies a descriptor; zsh reads `3-` as a file, for input and output
    if (from === text) return
  }
  // a network connection: neither the data nor its effect is known
  if (text?.startsWith('/dev/tcp/') || text?.startsWith('/dev/udp/')) acts.push(opaqueAction(via))
  const written = redirectTargets(target, word?.text ?? '').flatMap(one => resolveArgumentPaths(one, scope, 'write'))
  if (operator.startsWith('<'))
    for (const place of resolveArgumentPaths(target, scope, 'read')) acts.push({ action: 'read', place, via })
  // a file opened as standard output or error is written, even with `<`
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

/** Zsh reads `>!f` as `>|f`, so the target without its first character is possible too. */
function redirectTargets(target: Arg, written: string): readonly Arg[] {
  if (!/^[!|]/.test(written)) return [target]
  if (written.length === 1) throw new UnreadableLineError('redirection')
  return [target, argSuffix(target, 1)]
}

/** A delimiter that all shells read alike: a plain word, quoted or not. */
const PORTABLE_DELIMITER = /^(?:\\?[\w.,:@%+=/!-]+|'[^'\\\n$`]+'|"[^"\\\n$`]+")$/

/** The heredoc body that the command reads, or null if the body contains expansions. */
function heredocBodyText(heredoc: HereDoc, scope: ShellScope, pending: SyntaxNode[]): string | null {
  const { parts, text } = heredoc.body
  // shells disagree about where a body with another delimiter ends
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
