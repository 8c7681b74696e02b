import { basename, dirname, parse } from 'node:path'
import type { Client } from '../clients/index.ts'
import {
  type CommandFiles,
  type CommandText,
  type Registering,
  registeringById,
  type Scope,
} from '../clients/registers.ts'
import type { Policy } from '../policy/index.ts'
import { builderOf } from './boundary.ts'
import type { Workflows } from './commands.ts'
import { keyOf } from './file.ts'
import { bytesOf, type Kept, keptFor, type Manifest } from './manifest.ts'
import { marked, markIn } from './mark.ts'
import { fileAt, type Place } from './place.ts'
import type { Draft } from './plan.ts'
import { hasSection, needsSection, withoutSection, withSection } from './section.ts'
import { type Telling, tellingsOf } from './tellings.ts'

/** What an agent is told in files of its own: the router, commands, skills, a section. */
export function explanations(
  client: Client,
  scope: Scope,
  place: Place,
  policy: Policy | undefined,
  manifest: Manifest,
): readonly Draft[] {
  const how = registeringById(client.id)
  // where the policy cannot be read, nobody knows what belongs to it
  if (!how || !policy) return []
  const at: At = name => (name === undefined ? undefined : fileAt(name, client, place))
  return tellingsOf(policy, place, scope).flatMap(telling => [
    ...told(how, telling, at, manifest),
    ...leftDrafts(how, telling, at, manifest),
    ...leftAgents(how, telling, at, manifest).map(file => gone(file, 'agent', 'an agent: no longer needed here')),
  ])
}

export type At = (name: string | undefined) => string | undefined

function told(how: Registering, telling: Telling, at: At, manifest: Manifest): readonly Draft[] {
  const { whose, router, workflows, bringsRouter } = telling
  const agent = router && at(how.agents?.files[whose](router.name))
  const memory = at(how.memory?.[whose])
  const isWritten = bringsRouter || manifest.files.some(({ kind, file }) => kind === 'agent' && file === agent)
  return [
    ...(how.agents && agent && isWritten ? [agentDraft(agent, how.agents.text(router))] : []),
    ...workflows.delegates.flatMap(name => {
      const file = at(how.agents?.files[whose](name))
      return how.agents && file ? [agentDraft(file, how.agents.text(builderOf(name)), 'an agent: it edits')] : []
    }),
    ...commandFiles(how, telling).flatMap(({ name, ...one }) => {
      const file = at(name)
      return file ? [commandDraft({ ...one, file })] : []
    }),
    ...(memory ? [sectionDraft(memory, workflows, keptFor(memory, manifest))] : []),
  ]
}

export interface CommandFile {
  /** as the client's data names it */
  readonly name: string
  readonly what: string
  readonly text: string
}

/** What a policy makes of the orchestrator, in the words of one agent. */
export function commandFiles(how: Registering, { workflows, whose }: Telling): readonly CommandFile[] {
  const put = (kind: CommandFiles | undefined, all: readonly CommandText[], what: (name: string) => string) =>
    kind
      ? all.map(one => ({
          name: kind.files[whose](one.name),
          what: what(one.name),
          text: marked(mark => kind.text(one, mark)),
        }))
      : []
  return [
    ...put(how.commands, workflows.commands, name => `a command: /${name}`),
    ...put(how.skills, workflows.skills, name => `a skill: ${name}`),
  ]
}

const commandDraft = ({ file, what, text }: Omit<CommandFile, 'name'> & { readonly file: string }): Draft => ({
  file,
  kind: 'command',
  what,
  // a teammate's is renewed too, by the mark in it; one that somebody edited is theirs
  become: now => (now === null || markIn(now)?.isEdited === false ? sameText(now, text) : null),
})

/** With other ends of lines it says the same. */
const sameText = (now: string | null, text: string): string => (now?.replaceAll('\r\n', '\n') === text ? now : text)

/** Commands that we wrote, and that are no longer in the policy. Only by the record: a teammate's policy may have them. */
function leftDrafts(how: Registering, telling: Telling, at: At, { files }: Manifest): readonly Draft[] {
  const { whose } = telling
  const isOf = (file: string): boolean =>
    [how.commands, how.skills].some(kind => namesIn(file).some(name => at(kind?.files[whose](name)) === file))
  const keys = commandFiles(how, telling)
    .flatMap(({ name }) => at(name) ?? [])
    .map(keyOf)
  return files
    .filter(({ kind, file }) => kind === 'command' && isOf(file))
    .filter(({ file }) => !keys.includes(keyOf(file)))
    .map(({ file }) => gone(file, 'command', 'no longer in the policy'))
}

/** Agents that we wrote on this side, and that no gate of it waits for any more. By the record, as above. */
export function leftAgents(
  how: Registering,
  { whose, router, workflows }: Telling,
  at: At,
  { files }: Manifest,
): readonly string[] {
  const wanted = [...(router ? [router.name] : []), ...workflows.delegates]
  return files
    .filter(({ kind, file }) => kind === 'agent' && at(how.agents?.files[whose](agentIn(file))) === file)
    .map(({ file }) => file)
    .filter(file => !wanted.includes(agentIn(file)))
}

/** `router.md`, `router.agent.md`, `router.toml`: names of agents have no dot. */
const agentIn = (file: string): string => basename(file).replace(/\..*$/, '')

const gone = (file: string, kind: Draft['kind'], what: string): Draft => ({ file, kind, what, goes: true })

/** `bmad.md` or `bmad/SKILL.md`: whichever of the two leads back to the file is it. */
const namesIn = (file: string): readonly string[] => [parse(file).name, basename(dirname(file))]

const agentDraft = (file: string, text: string, what = 'an agent: the router'): Draft => ({
  file,
  kind: 'agent',
  what,
  // somebody's own stays
  become: (now, ours) => (now === null || ours ? text : null),
})

/** One that is there is renewed, whoever asked for it; one without anything to say goes, and a file that was made for it. */
function sectionDraft(file: string, workflows: Workflows, kept: Kept | undefined): Draft {
  const base = { file, kind: 'section' } as const
  if (needsSection(workflows))
    return { ...base, what: 'a section for agents', become: now => withSection(now ?? '', workflows) }
  const isMade = kept?.original === null && withoutSection(bytesOf(kept.wrote).toString('utf8')) === ''
  return {
    ...base,
    what: 'a section for agents: no longer needed here',
    become: now => (hasSection(now ?? '') ? withoutSection(now ?? '') : null),
    ...(isMade && { goes: true }),
  }
}
