import type { HereDoc, Redirection, SyntaxNode } from 'unbash'
import type { Act } from '../core/index.ts'
import { defer } from './evaluated.ts'
import { places } from './place.ts'
import { opaque, Unreadable } from './reading.ts'
import type { Scope } from './scope.ts'
import { readWhole } from './word.ts'

const NUMBER = /^(\d+-?|-)$/

/** Reads the redirections of a command: adds file acts, and gives what standard input becomes (undefined: unchanged). */
export function readRedirects(
  redirects: readonly Redirection[],
  scope: Scope,
  via: string,
  acts: Act[],
  pending: SyntaxNode[],
): string | null | undefined {
  let stdin: string | null | undefined
  for (const redirect of redirects) {
    const input = redirect.descriptor === undefined || isZero(redirect)
    if (redirect.type === 'HereDoc') {
      const text = bodyText(redirect, scope, pending)
      if (input) stdin = text
      continue
    }
    if (redirect.target === undefined) continue
    const target = readWhole(redirect.target, scope, pending)
    if (redirect.type === 'HereString') {
      if (input) stdin = target.text === null ? null : `${target.text}\n`
      continue
    }
    const { operator } = redirect
    const copies =
      operator === '<&' || (operator === '>&' && (redirect.descriptor !== undefined || NUMBER.test(target.text ?? '')))
    if (operator.startsWith('<') && input) stdin = null
    if (copies) continue
    // a connection: what it brings and what it does elsewhere cannot be told
    if (target.text?.startsWith('/dev/tcp/') || target.text?.startsWith('/dev/udp/')) acts.push(opaque(via))
    for (const place of places(target, scope)) {
      if (operator === '<' || operator === '<>') acts.push({ action: 'read', place, via })
      if (operator !== '<') acts.push({ action: 'write', place, via })
    }
  }
  return stdin
}

const isZero = (redirect: Redirection): boolean =>
  redirect.descriptor?.type === 'FileDescriptor' && redirect.descriptor.value === 0

/** The body as a command reads it, or null when it holds expansions. */
function bodyText(heredoc: HereDoc, scope: Scope, pending: SyntaxNode[]): string | null {
  const { parts, text } = heredoc.body
  // where such a body ends differs from shell to shell
  if (heredoc.delimiter?.value.includes('\n')) throw new Unreadable('heredoc')
  if (parts === undefined) return text
  defer(heredoc.body, scope, pending)
  let whole = ''
  for (const part of parts) {
    if (part.type !== 'Literal') return null
    whole += part.value
  }
  return whole
}
