import { readFileSync } from 'node:fs'
import { tryOr } from '../../lib/errors.ts'

/** Limits of the process that started the daemon, which would apply to every caller. */
const MUST_BE_UNLIMITED = ['cpu time', 'file size', 'data size', 'address space']
/** For connections, the database, and files that are read meanwhile. */
const MIN_OPEN_FILES = 1024

/** Why a process with these limits must not answer for others; undefined: it may, or this system does not report limits. */
export function findResourceLimit(limits: string): string | undefined {
  const softOf = (name: string) => new RegExp(`^Max ${name} +(\\S+)`, 'm').exec(limits)?.[1]
  const limited = MUST_BE_UNLIMITED.find(name => ![undefined, 'unlimited'].includes(softOf(name)))
  if (limited !== undefined) return `${limited} is limited to ${softOf(limited)} (ulimit)`
  const files = Number(softOf('open files'))
  return files < MIN_OPEN_FILES
    ? `only ${files} files may be open (ulimit -n), and ${MIN_OPEN_FILES} are needed`
    : undefined
}

export const findOwnResourceLimit = (): string | undefined =>
  tryOr(undefined, () => findResourceLimit(readFileSync('/proc/self/limits', 'utf8')))
