import type { DecisionDetail } from '../../../../src/dashboard/api.ts'

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A word of the short form, and where the thing itself stands in a tool's input. */
const FORMS: Readonly<Record<string, readonly [form: string, key: string]>> = {
  Write: ['write', 'file_path'],
  Edit: ['write', 'file_path'],
  Read: ['read', 'file_path'],
  WebFetch: ['fetch', 'url'],
}

/** What was recorded, as a person would type it; undefined where there is no short way to say it. */
export function typed({ explained }: DecisionDetail): string | undefined {
  const { call, prompt, kind } = explained?.event ?? {}
  if (prompt) return `prompt: ${JSON.stringify(prompt.text)}`
  if (!call || kind !== 'tool.before') return undefined
  if (call.tool === 'Bash') return textIn(call.input.command) || undefined
  const [form, key] = FORMS[call.tool] ?? []
  const thing = key === undefined ? '' : textIn(call.input[key])
  return form !== undefined && thing !== '' ? `${form}: ${thing}` : undefined
}
