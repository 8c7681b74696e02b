import { cloud, noteName } from './fog.ts'
import { type Ever, eitherFolder, noteArray, noteInteger, type Scope, stopTracking } from './scope.ts'

/** `scope` becomes what the shell may be after either of two ways: only what both agree on is certain. */
export function join(scope: Scope, other: Scope): void {
  joinNames(scope, other)
  scope.voided ||= other.voided
  scope.untracked ||= other.untracked
  scope.errexit &&= other.errexit
  scope.pipefail &&= other.pipefail
  scope.cwds = eitherFolder(scope.cwds, other.cwds)
  if (other.wildCwds.size > 0) scope.wildCwds = new Set([...scope.wildCwds, ...other.wildCwds])
  if (other.varied.size > 0) scope.varied = new Set([...scope.varied, ...other.varied])
  if (other.vars !== scope.vars)
    scope.vars = new Map([...scope.vars].filter(([name, value]) => other.vars.get(name) === value))
}

/** The same where the other way began with less known: only what it has changed counts. */
export function joinOther(scope: Scope, before: Scope, after: Scope): void {
  joinNames(scope, after)
  scope.voided ||= after.voided
  scope.untracked ||= after.untracked
  if (after.cwds !== before.cwds) scope.cwds = eitherFolder(scope.cwds, after.cwds)
  if (after.wildCwds !== before.wildCwds) scope.wildCwds = new Set([...scope.wildCwds, ...after.wildCwds])
  if (after.vars !== before.vars)
    scope.vars = new Map(
      [...scope.vars].filter(([name, value]) => {
        const other = after.vars.get(name)
        return other === before.vars.get(name) || other === value
      }),
    )
}

/** What another way may have made of the variables, and with them of every program. */
export function joinNames(scope: Scope, other: Scope): void {
  scope.tainted ||= other.tainted
  scope.exported ||= other.exported
  scope.homeless ||= other.homeless
  scope.adrift ||= other.adrift
  if (other.untracked) stopTracking(scope)
  if (other.fog !== scope.fog) for (const name of other.fog) cloud(scope, name)
  if (other.names !== scope.names) for (const name of other.names) noteName(scope, name)
  if (other.integers !== scope.integers) for (const name of other.integers) noteInteger(scope, name)
  if (other.arrays !== scope.arrays) for (const name of other.arrays) noteArray(scope, name)
}

/** Code that runs later, as a function or a trap does: by then any variable may hold what it holds anywhere in the line. */
export function meetEver(scope: Scope): void {
  const { ever } = scope
  ever.met = Math.min(ever.met, sizeOf(ever))
  for (const name of ever.fog) cloud(scope, name)
  for (const name of ever.names) noteName(scope, name)
  for (const name of ever.integers) noteInteger(scope, name)
}

const sizeOf = ({ fog, names, integers }: Ever): number => fog.size + names.size + integers.size

/** Whether something was set after code was read that may run later still. */
export const missesSome = (ever: Ever): boolean => ever.met < sizeOf(ever)

/** Whether a second turn through the same code would find the shell as the first one did. */
export const isSettled = (before: Scope, after: Scope): boolean =>
  FLAGS.every(flag => before[flag] === after[flag]) &&
  SIZES.every(set => before[set] === after[set] || before[set].size === after[set].size)

const FLAGS = ['tainted', 'exported', 'homeless', 'adrift', 'untracked', 'errexit', 'descriptors'] as const
const SIZES = ['fog', 'names', 'integers', 'arrays', 'vars', 'varied', 'wildCwds'] as const
