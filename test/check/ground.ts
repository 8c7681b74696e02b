import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import {
  type ShorthandEvent,
  type VerificationInput,
  type VerificationResult,
  verifyPolicy,
} from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import { policyInput } from '../../src/hook/index.ts'
import * as regexes from '../../src/hook/services/regex.ts'
import * as compiler from '../../src/policy/compile/compiler.ts'
import { type LoadedPolicy, loadPolicy } from '../../src/policy/index.ts'

const PACKS = resolve(import.meta.dirname, '../../packs')

/** A folder with policies in it, for as long as `work` takes. */
export function withPolicies<T>(work: (load: (policy: unknown) => LoadedPolicy, root: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-check-'))
  const root = join(folder, 'project')
  const home = join(folder, 'home')
  for (const one of [root, home]) mkdirSync(one)
  const userFile = join(home, 'signalbox.yaml')
  const folders = {
    ...{ home, userFile, managedFile: join(folder, 'etc/none.yaml') },
    ...{ state: join(folder, 'state'), data: join(folder, 'data') },
  }
  const parts = {
    clients: () => clients,
    shell: () => shell,
    regex: () => regexes,
    compiler: () => compiler,
    packsDir: PACKS,
  }
  const load = (policy: unknown): LoadedPolicy => {
    writeFileSync(userFile, typeof policy === 'string' ? policy : stringify(policy))
    const loaded = loadPolicy(
      { ...policyInput(root, root, {}, folders, parts), hasCommand: () => true },
      () => compiler,
    )
    if (loaded.problems.length > 0) throw new Error(JSON.stringify(loaded.problems))
    return loaded
  }
  try {
    return work(load, root)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a proof of it is asked with. */
export function inputOf(policy: LoadedPolicy, root: string, more: Partial<VerificationInput> = {}): VerificationInput {
  const read = (short: ShorthandEvent) => {
    const reading = compiler.parseEventShorthand(short, { root, home: '/home/nobody' })
    return 'event' in reading ? reading.event : null
  }
  const written = (at: string, rule: string) =>
    compiler.readWrittenUnless(join(root, '../home/signalbox.yaml'), Number(at.replace(/^.*:/, '')), rule)
  return {
    policy: policy.program,
    clients,
    regex: regexes.regex,
    root,
    parseEvent: read,
    writtenUnless: written,
    ...more,
  }
}

export const proofOf = (
  policy: LoadedPolicy,
  root: string,
  more: Partial<VerificationInput> = {},
): VerificationResult => verifyPolicy(inputOf(policy, root, more))
