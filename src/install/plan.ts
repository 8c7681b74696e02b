import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Adopted } from '../clients/adopts.ts'
import type { Client } from '../clients/index.ts'
import { type Entry, type HookCall, type Registering, registeringById, type Scope } from '../clients/registers.ts'
import type { Policy } from '../policy/index.ts'
import {
  type AdoptedFile,
  type AdoptionPlan,
  type AdoptWanted,
  planAdoption,
  takenIn,
  withAdopted,
  withoutFailed,
} from './adoption.ts'
import { type Change, isChange, type Problem } from './change.ts'
import { type Copy, planCopy } from './copy.ts'
import { isOnPath } from './detect.ts'
import { Unfit } from './edit.ts'
import { explanations } from './explanations.ts'
import { type Found, isReadOnly, keyOf, lookAt, textOf } from './file.ts'
import { hookCall, launcherIn } from './hook-call.ts'
import { PROJECT_MARK, projectLauncherText } from './launcher.ts'
import { launchers, oneShotReason } from './launchers.ts'
import { mustLoad } from './loaded.ts'
import { bytesOf, type Kept, type Kind, keptFor, type Manifest } from './manifest.ts'
import { dataOf, fileAt, type Place } from './place.ts'
import { PLUGIN_MARK, problemOf } from './registrations.ts'
import { registered } from './settings.ts'
import { starterPolicy } from './starter.ts'
import { isOurWord, isWordHeard, wordFile, wordText } from './word.ts'

export interface Wanted {
  readonly clients: readonly Client[]
  readonly scope: Scope
  /** of the slowest hook of the person's own */
  readonly longestHookMs?: number
  /** why a starter policy cannot be used as it would be written */
  readonly unsound?: (text: string) => string | undefined
  /** what is in force here: agents are told of it */
  readonly policy?: Policy
  /** hooks of the person's own go into the policy */
  readonly adopt?: AdoptWanted | undefined
}

export interface Plan {
  readonly scope: Scope
  readonly changes: readonly Change[]
  readonly problems: readonly Problem[]
  /** the program, where it does not lie there yet */
  readonly copy: Copy | undefined
  /** why each hook starts Node: there is no native one here */
  readonly oneShot?: string | undefined
  readonly adoption: AdoptionPlan
}

/** All that is to be done, before anything is done. */
export function planInit(wanted: Wanted, place: Place, manifest: Manifest): Plan {
  const { scope, clients } = wanted
  const adoption = planAdoption(wanted, place)
  // the project's launcher looks for a program: where this person has none, it would find nothing
  const bringsProgram = scope === 'project' && !isInstalled(place)
  const hasProgram = scope !== 'project' || bringsProgram
  const copy = hasProgram ? planCopy(place.program, place.version, dataOf(scope, place)) : undefined
  const drafts: Draft[] = [
    ...(scope === 'project' ? projectLaunchers(place) : []),
    ...(copy ? launchers(bringsProgram ? 'user' : scope, copy, place) : []),
    ...clients.flatMap(client => hooks(client, wanted, adoption, place)),
    ...adopting(adoption),
    ...policies(wanted, adoption, place),
    ...(scope === 'managed'
      ? []
      : clients.flatMap(client => explanations(client, scope, place, wanted.policy, manifest))),
    ...(scope === 'user' || bringsProgram ? word(place) : []),
  ]
  const results = withoutForeign(
    drafts.filter(isFirst).map(draft => tried(draft, scope, manifest)),
    scope,
    place,
  )
  const failed = results.flatMap(one => ('problem' in one ? [one.file] : []))
  // a hook goes from one file into another, or stays: never half of it
  const less = wanted.adopt && withoutFailed(wanted.adopt, adoption, failed)
  if (less) return planInit({ ...wanted, adopt: less }, place, manifest)
  const changes = results.flatMap(one => ('after' in one ? [one] : []))
  return {
    scope,
    changes: changes.filter(isChange),
    problems: results.flatMap(one => ('problem' in one ? [one] : [])),
    copy,
    oneShot: copy && oneShotReason(copy, place),
    adoption,
  }
}

/** A file somebody wants to be so. */
export interface Draft {
  readonly file: string
  readonly kind: Kind
  readonly client?: string
  readonly what: string
  readonly mode?: number
  /** whose, if not of what was asked for */
  readonly scope?: Scope
  /** what it becomes; null: it stays. Throws where it must not be touched. `ours`: nobody changed what we wrote there */
  become?(text: string | null, ours: boolean): string | null
  /** the same where what is there is not looked at: a program is ours as a whole */
  readonly bytes?: Buffer
  /** it goes, unless somebody changed it */
  readonly goes?: true
  readonly spare?: Buffer
  readonly taken?: readonly Entry[]
  readonly adopted?: readonly Adopted[]
}

/** Two agents may read the same file about the project, also by two names. */
const isFirst = ({ file, kind }: Draft, at: number, all: readonly Draft[]): boolean =>
  all.findIndex(one => one.kind === kind && keyOf(one.file) === keyOf(file)) === at

function tried(draft: Draft, scope: Scope, manifest: Manifest): Change | Problem {
  // everybody's files are for everybody to read, whatever the umask
  const { file, kind, client, what, mode = scope === 'managed' ? 0o644 : undefined, taken, adopted, spare } = draft
  try {
    const found = lookAt(file)
    const kept = keptFor(file, manifest)
    const text = draft.bytes ? null : found.bytes && textOf(found.bytes)
    const after = draft.bytes ?? draft.become?.(text, isAsWritten(found, kept)) ?? null
    const isGoing = draft.goes && isAsWritten(found, kept)
    const bytes = isGoing ? null : after === null ? found.bytes : Buffer.from(after)
    const change = {
      file,
      real: found.real,
      before: found.bytes,
      after: bytes,
      spare,
      mode,
      scope: draft.scope ?? scope,
      kind,
      client,
      what,
      taken,
      adopted,
    }
    if (isChange(change) && isReadOnly(found)) throw new Unfit('is read-only')
    return change
  } catch (error) {
    const told = problemOf(error, file)
    return { file, client, ...told, ...(told.problem === 'is read-only' && { help: `chmod u+w ${file}` }) }
  }
}

const isAsWritten = ({ bytes }: Found, kept: Kept | undefined): boolean =>
  bytes !== null && kept !== undefined && bytes.equals(bytesOf(kept.wrote))

const projectLauncher = ({ project }: Place): string | undefined => project && join(project, '.signalbox', 'hook')

function projectLaunchers({ project }: Place): readonly Draft[] {
  if (!project) return []
  const file = join(project, '.signalbox', 'hook')
  const become = (text: string | null) => {
    if (text !== null && !text.includes(PROJECT_MARK)) throw new Unfit('is there, and is not ours')
    if (!keyOf(file).startsWith(`${keyOf(project)}${sep}`)) throw new Unfit('leads out of the project')
    return projectLauncherText()
  }
  return [{ file, kind: 'launcher', what: 'starts Signalbox, for everybody', mode: 0o755, become }]
}

/** Nothing is told to start a file that somebody else has put where ours would be. */
function withoutForeign(
  results: readonly (Change | Problem)[],
  scope: Scope,
  place: Place,
): readonly (Change | Problem)[] {
  const launcher = projectLauncher(place)
  const isForeign = scope === 'project' && results.some(one => 'problem' in one && one.file === launcher)
  if (!isForeign) return results
  return results.map(one =>
    'after' in one && (one.kind === 'hooks' || one.kind === 'plugin')
      ? {
          file: one.file,
          client: one.client,
          problem: 'would start .signalbox/hook, which is not ours',
          help: `look at ${launcher}, remove it, and run this again`,
        }
      : one,
  )
}

const isInstalled = ({ data }: Place): boolean =>
  [launcherIn(data), join(data, 'current/bin/signalbox.cjs')].every(file => existsSync(file))

/** Agents are told to say `signalbox run -- …`: it is made a word where it is none. */
function word(place: Place): readonly Draft[] {
  const file = wordFile(place)
  const isThere = isOnPath('signalbox', place.env.PATH)
  const become = (text: string | null) =>
    text === null ? (isThere ? null : wordText(place)) : isOurWord(text) ? wordText(place) : null
  return isWordHeard(place)
    ? [{ file, kind: 'launcher', what: 'the word `signalbox`', mode: 0o755, scope: 'user', become }]
    : []
}

function hooks(
  client: Client,
  { scope, longestHookMs = 0 }: Wanted,
  adoption: AdoptionPlan,
  place: Place,
): readonly Draft[] {
  const how = registeringById(client.id)
  const name = how?.files[scope]
  const file = name && fileAt(name, client, place)
  if (!how || !file) return []
  const longest = Math.max(longestHookMs, adoption.longestMs)
  const own = adoption.files.find(one => one.file === file)
  return [hookDraft(file, how, client.title, hookCall(scope, client, place, longest), own)]
}

function hookDraft(
  file: string,
  { id, hook }: Registering,
  title: string,
  call: HookCall,
  own: AdoptedFile | undefined,
): Draft {
  if (hook.kind === 'settings') {
    const entries = hook.entries(call)
    const become = (text: string | null) => {
      mustLoad(text ?? '', hook.reads, title)
      const after = registered(own && text !== null ? own.adoption.text : (text ?? ''), id, entries, hook.beside)
      // of a file that was empty but for a mark, the mark is still there
      mustLoad(after, hook.reads, title)
      return after
    }
    const what = `the hook, ${entries.length} events${movedText(own)}`
    return { file, kind: 'hooks', client: id, what, become, ...takenOf(own) }
  }
  const become = (text: string | null) => {
    if (text !== null && !text.startsWith(PLUGIN_MARK)) throw new Unfit('is there, and is not ours')
    return hook.text(call)
  }
  return { file, kind: 'plugin', client: id, what: 'the plugin that calls the hook', become }
}

const takenOf = (own: AdoptedFile | undefined): Pick<Draft, 'taken'> =>
  own && own.adoption.taken.length > 0 ? { taken: own.adoption.taken.map(({ entry }) => entry) } : {}

const movedText = (own: AdoptedFile | undefined): string => {
  const words = own ? movedWords(own.adoption) : ''
  return words === '' ? '' : `; ${words}`
}

function movedWords({ taken }: AdoptedFile['adoption']): string {
  const left = taken.filter(({ replacing }) => replacing?.isInForce).length
  const moved = taken.length - left
  return [moved > 0 ? `${moved} of yours moved` : '', left > 0 ? `${left} replaced by a pack` : '']
    .filter(Boolean)
    .join(', ')
}

/** Files that only lose hooks; the one that the agent is told of Signalbox in comes first, and is written once. */
const adopting = ({ files }: AdoptionPlan): readonly Draft[] =>
  files
    .filter(({ adoption }) => adoption.taken.length > 0)
    .map(own => {
      const { file, client, adoption } = own
      return { file, kind: 'hooks', client, what: movedWords(adoption), become: () => adoption.text, ...takenOf(own) }
    })

/** What is taken over goes behind what is there. */
function policies(wanted: Wanted, adoption: AdoptionPlan, place: Place): readonly Draft[] {
  const [starter] = starters(wanted, place)
  const { policy } = adoption
  if (!starter || policy === undefined) return starter ? [starter] : []
  const adopted = takenIn(adoption).map(({ hook }) => hook)
  const what = `${adopted.length} of your hooks`
  const filled = (base: Draft | undefined): Draft => ({
    file: policy,
    kind: 'policy',
    what: base ? `${base.what}; ${what}` : what,
    adopted,
    become: (text, ours) => withAdopted(base?.become?.(text, ours) ?? text ?? '', adoption, place),
  })
  return starter.file === policy ? [filled(starter)] : [starter, filled(undefined)]
}

/** Never over one that is there. */
function starters({ scope, unsound }: Wanted, place: Place): readonly Draft[] {
  const { project, userPolicy, managedPolicy } = place
  const file =
    scope === 'managed' ? `${place.root ?? ''}${managedPolicy}` : project ? join(project, 'signalbox.yaml') : userPolicy
  const become = (text: string | null, ours: boolean) => {
    if (text !== null && !ours) return null
    const starter = starterPolicy(place.program, scope === 'managed' ? undefined : project, dataOf(scope, place))
    const why = unsound?.(starter)
    if (why !== undefined) throw new Unfit(`would not load: ${why}`)
    // one that nobody touched since stays too: a policy does not change by itself
    return text ?? starter
  }
  return [{ file, kind: 'policy', what: 'routes block, one gate observes', become }]
}
