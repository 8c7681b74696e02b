import { addHooksToPolicy, extractHooks, type HookExtraction } from '../../src/app/install/index.ts'
import { hookImporterById } from '../../src/clients/import-hooks.ts'
import { regex } from '../../src/hook/services/regex.ts'

export const regexFault = (pattern: string): string | null => {
  try {
    regex.search(pattern, '')
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What becomes of a client's settings, as `init --adopt` reads them. */
export function adopted(
  client: string,
  settings: object | string,
  keepReason?: string,
  whose?: 'user' | 'project',
): HookExtraction {
  const adopting = hookImporterById(client)
  if (!adopting) throw new Error(`nobody knows how ${client} reads its hooks`)
  return extractHooks(typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2), adopting, {
    regexFault,
    keepReason,
    ...(whose && { whose }),
  })
}

export const policyOf = (adoption: HookExtraction, policy = ''): string =>
  addHooksToPolicy(policy, adoption.taken, 'settings.json')
