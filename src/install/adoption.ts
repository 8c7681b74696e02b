import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Adopting, adoptingById } from '../clients/adopts.ts'
import type { Client } from '../clients/index.ts'
import { registeringById, type Scope } from '../clients/registers.ts'
import { type Adoption, adopt, isMoved, type Judging, type Stays, type Taken } from './adopt.ts'
import { clientsFound } from './detect.ts'
import { Unfit } from './edit.ts'
import { lookAt, textOf } from './file.ts'
import { Malformed } from './jsonc.ts'
import { fileAt, labelOf, type Place } from './place.ts'
import { withHooks } from './policy-hooks.ts'

export interface AdoptWanted extends Pick<Judging, 'regexFault' | 'replacing'> {
  /** why nothing can be taken now */
  readonly kept?: string | undefined
  /** files that cannot be written */
  readonly unfit?: readonly string[]
}

/** A file whose hooks were read. */
export interface AdoptedFile {
  readonly file: string
  readonly client: string
  readonly adoption: Adoption
}

export interface AdoptionPlan {
  readonly files: readonly AdoptedFile[]
  /** the policy that they go into */
  readonly policy: string | undefined
  /** what the slowest of them may take */
  readonly longestMs: number
}

export const NO_ADOPTION: AdoptionPlan = { files: [], policy: undefined, longestMs: 0 }

/** The hooks of each agent's settings in this scope: those of the person go to the person's policy, a project's to the project's. */
export function planAdoption(
  { clients, scope, adopt: wanted }: { clients: readonly Client[]; scope: Scope; adopt?: AdoptWanted | undefined },
  place: Place,
): AdoptionPlan {
  if (!wanted || scope === 'managed') return NO_ADOPTION
  const files = clients.flatMap(client => {
    const adopting = adoptingById(client.id)
    return adopting ? filesOf(client, adopting, scope, place, wanted) : []
  })
  const times = files.flatMap(({ adoption }) => adoption.taken.filter(isMoved).map(({ hook }) => hook.timeoutMs))
  const policy = scope === 'user' ? place.userPolicy : place.project && join(place.project, 'signalbox.yaml')
  return { files, policy: times.length > 0 ? policy : undefined, longestMs: Math.max(0, ...times) }
}

type Whose = 'user' | 'project'

function filesOf(client: Client, adopting: Adopting, whose: Whose, place: Place, wanted: AdoptWanted) {
  const own = registeringById(client.id)?.files[whose]
  const named = [...(own ? [own] : []), ...adopting.files[whose].flatMap(name => expanded(name, client, place))]
  const files = [...new Set(named)].flatMap((name): AdoptedFile[] => {
    const file = fileAt(name, client, place)
    if (!file || wanted.unfit?.includes(file)) return []
    const kept = wanted.kept ?? borrowed(name, client, whose, place)
    const adoption = read(file, adopting, { ...wanted, kept, whose })
    return adoption ? [{ file, client: client.id, adoption }] : []
  })
  return [...files, ...(adopting.foreign?.[whose] ?? []).flatMap(one => foreign(one, client, place))]
}

/** A folder stands for what is in it. */
function expanded(name: string, client: Client, place: Place): readonly string[] {
  if (!name.endsWith('/')) return [name]
  try {
    const inside = readdirSync(fileAt(name, client, place) ?? '')
    return inside.filter(one => one.endsWith('.json')).map(one => `${name}${one}`)
  } catch {
    return []
  }
}

/** Another agent that is here runs the same hooks: they would be lost to it. */
function borrowed(name: string, client: Client, whose: Whose, place: Place): string | undefined {
  const other = clientsFound(place).find(
    ({ id }) => id !== client.id && adoptingById(id)?.borrows?.[whose].includes(name),
  )
  return other && `${other.title} runs it too, and would no longer`
}

/** What cannot be read is told by who writes it. */
function read(file: string, adopting: Adopting, judging: Judging): Adoption | undefined {
  try {
    const { bytes } = lookAt(file)
    const text = bytes ? textOf(bytes) : ''
    return text.replace(/^\ufeff/, '').trim() === '' ? undefined : adopt(text, adopting, judging)
  } catch (error) {
    if (error instanceof Unfit || error instanceof Malformed) return undefined
    throw error
  }
}

function foreign(
  { file: name, sign, why }: { readonly file: string; readonly sign: RegExp; readonly why: string },
  client: Client,
  place: Place,
): readonly AdoptedFile[] {
  try {
    const file = fileAt(name, client, place) ?? ''
    const { bytes } = lookAt(file)
    const text = bytes ? textOf(bytes) : ''
    if (!sign.test(text)) return []
    const staying: Stays[] = [{ event: 'hooks', what: labelOf(file, place), why }]
    return [{ file, client: client.id, adoption: { text, taken: [], staying } }]
  } catch {
    return []
  }
}

/** What is to be taken where some of these files failed; undefined where that changes nothing. */
export function withoutFailed(
  wanted: AdoptWanted,
  { files, policy }: AdoptionPlan,
  failed: readonly string[],
): AdoptWanted | undefined {
  if (policy === undefined) return undefined
  if (failed.includes(policy)) return { ...wanted, kept: `${policy} cannot be written` }
  const unfit = files.filter(one => failed.includes(one.file)).map(one => one.file)
  return unfit.length === 0 ? undefined : { ...wanted, unfit: [...(wanted.unfit ?? []), ...unfit] }
}

/** The policy with all that was taken, file by file. */
export const withAdopted = (text: string, { files }: AdoptionPlan, place: Place): string =>
  files.reduce((policy, { file, adoption }) => withHooks(policy, adoption.taken, labelOf(file, place)), text)

/** What was taken, in the order of the files. */
export const takenIn = ({ files }: AdoptionPlan): readonly Taken[] =>
  files.flatMap(({ adoption }) => adoption.taken.filter(isMoved))
