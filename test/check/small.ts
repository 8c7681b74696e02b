import { stringify } from 'yaml'
import { type ShorthandEvent, type VerificationResult, verifyPolicy } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import { policyInput } from '../../src/hook/index.ts'
import * as regexes from '../../src/hook/services/regex.ts'
import * as compiler from '../../src/policy/compile/compiler.ts'
import type { Doc, Profile } from './doc.ts'

const ROOT = '/nowhere/project'

/** Clients with these profiles, by id. */
export const PROFILES: Readonly<Record<string, Profile>> = {
  'claude-code': { asks: true, stopsAgents: true, untold: [] },
  opencode: { asks: false, stopsAgents: false, untold: ['TaskOutput'] },
}

const folders = {
  home: '/nowhere/home',
  userFile: '/nowhere/u.yaml',
  managedFile: '/nowhere/m.yaml',
  state: '/nowhere/state',
  data: '/nowhere/data',
}
const parts = {
  clients: () => clients,
  shell: () => shell,
  regex: () => regexes,
  compiler: () => compiler,
  packsDir: '/nowhere/packs',
}

/** The policy compiled without a file, and proven. */
export function proofOfDoc(doc: Doc, client: string): VerificationResult {
  const input = policyInput(ROOT, ROOT, {}, folders, parts)
  const layers = [{ layer: 'user' as const, file: folders.userFile, text: stringify(doc) }]
  const { program, problems } = compiler.compilePolicy({
    input,
    layers,
    trusted: () => undefined,
    lastGood: () => null,
  })
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  const read = (short: ShorthandEvent) => {
    const reading = compiler.parseEventShorthand(short, { root: ROOT, home: folders.home })
    return 'event' in reading ? reading.event : null
  }
  const shown = clients.filter(one => one.id === client)
  return verifyPolicy({ policy: program, clients: shown, regex: regexes.regex, root: ROOT, parseEvent: read })
}
