import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Client } from '../clients/index.ts'
import { type CommandFiles, type Registering, registeringById } from '../clients/registers.ts'
import type { Policy } from '../policy/index.ts'
import { type At, commandFiles, leftAgents } from './explanations.ts'
import { bytesOf, keptFor, type Manifest } from './manifest.ts'
import { markIn } from './mark.ts'
import { fileAt } from './place.ts'
import { hasSection, needsSection, withoutSection, withSection } from './section.ts'
import { type Telling, tellingsOf, type Whose } from './tellings.ts'

/** A file that `init` wrote from a policy which says something else by now. */
export interface Stale {
  readonly file: string
  readonly why: 'changed' | 'gone' | 'taken'
  /** somebody changed it since: `init` leaves it alone */
  readonly isEdited: boolean
}

/** Of one agent: in the project, and at home. */
export function staleFiles(
  client: Pick<Client, 'id' | 'moves'>,
  policy: Policy,
  place: Parameters<typeof fileAt>[2],
  manifest: Manifest,
): readonly Stale[] {
  const how = registeringById(client.id)
  if (!how) return []
  const at: At = name => (name === undefined ? undefined : fileAt(name, client, place))
  return tellingsOf(policy, place).flatMap(telling => [
    ...commandsIn(how, telling, at),
    ...textsIn(how, telling, at, manifest),
  ])
}

function commandsIn(how: Registering, telling: Telling, at: At): readonly Stale[] {
  const wanted = new Map(commandFiles(how, telling).map(({ name, text }) => [at(name), text]))
  return [how.commands, how.skills]
    .flatMap(kind => filesOf(kind, telling.whose, at))
    .flatMap((file): readonly Stale[] => {
      const mark = markIn(textIn(file) ?? '')
      // somebody's own of that name stays, and the policy's is not there
      if (!mark) return wanted.has(file) && textIn(file) !== undefined ? [{ file, why: 'taken', isEdited: true }] : []
      const text = wanted.get(file)
      const { isEdited } = mark
      if (text === undefined) return [{ file, why: 'gone', isEdited }]
      return markIn(text)?.wrote === mark.wrote ? [] : [{ file, why: 'changed', isEdited }]
    })
}

/** All that lie where ours would, `*` being the name. */
function filesOf(kind: CommandFiles | undefined, whose: Whose, at: At): readonly string[] {
  const example = at(kind?.files[whose]('*'))
  if (example === undefined) return []
  const isFolder = basename(dirname(example)) === '*'
  const folder = isFolder ? dirname(dirname(example)) : dirname(example)
  const ending = basename(example).replace('*', '')
  const names = namesIn(folder).filter(name => isFolder || name.endsWith(ending))
  return names.map(name => (isFolder ? join(folder, name, ending) : join(folder, name)))
}

/** The router, where it is as we wrote it, and the section. */
function textsIn(how: Registering, telling: Telling, at: At, manifest: Manifest): readonly Stale[] {
  const { whose, router, workflows } = telling
  const agent = router && at(how.agents?.files[whose](router.name))
  const agentText = agent && textIn(agent)
  const kept = agent && keptFor(agent, manifest)
  const isOurs = kept && agentText === bytesOf(kept.wrote).toString('utf8')
  const memory = at(how.memory?.[whose])
  const memoryText = (memory && textIn(memory)) ?? ''
  const isOld = hasSection(memoryText) && sectionOf(memoryText, workflows) !== memoryText
  return [
    ...(agent && isOurs && agentText !== how.agents?.text(router) ? [changed(agent)] : []),
    ...leftAgents(how, telling, at, manifest).flatMap((file): readonly Stale[] => {
      const text = textIn(file)
      const wrote = keptFor(file, manifest)?.wrote
      if (text === undefined || wrote === undefined) return []
      return [{ file, why: 'gone', isEdited: text !== bytesOf(wrote).toString('utf8') }]
    }),
    ...(memory && isOld ? [changed(memory)] : []),
  ]
}

const sectionOf = (text: string, workflows: Telling['workflows']): string =>
  needsSection(workflows) ? withSection(text, workflows) : withoutSection(text)

const changed = (file: string): Stale => ({ file, why: 'changed', isEdited: false })

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
