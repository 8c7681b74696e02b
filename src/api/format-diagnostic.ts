import { formatPolicyError } from '../policy/index.ts'
import type { Diagnostic } from '../types/index.ts'

/**
 * A diagnostic as text: place and message, the line with a mark under it, and the help.
 *
 * @example
 * for (const diagnostic of compile(text).diagnostics) console.error(formatDiagnostic(diagnostic))
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { candidates, client: _, severity: __, ...problem } = diagnostic
  return formatPolicyError({ ...problem, ...(candidates && { words: candidates }) }, file => file)
}
