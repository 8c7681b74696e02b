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
import type { Manifest } from './manifest.ts'
import { marked, markIn } from './mark.ts'
import { fileAt, type Place } from './place.ts'
import type { Draft } from './plan.ts'
import { hasSection, withSection } from './section.ts'
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
  if (!how) return []
  const at: At = name => (name === undefined ? undefined : fileAt(name, client, place))
  return tellingsOf(policy, place, scope).flatMap(telling => [
    ...told(how, telling, at, manifest),
    // where the policy cannot be read nobody knows what is no longer in it
    ...(policy ? leftDrafts(how, telling, at, manifest) : []),
  ])
}

type At = (name: string | undefined) => string | undefined

function told(how: Registering, telling: Telling, at: At, manifest: Manifest): readonly Draft[] {
  const { whose, router, workflows, brings } = telling
  const agent = at(how.agents?.files[whose](router.name))
  const memory = at(how.memory?.[whose])
  const isOurs = manifest.files.some(({ kind, file }) => kind === 'agent' && file === agent)
  const isWritten = brings.router || (isOurs && whose === 'user')
  return [
    ...(how.agents && agent && isWritten ? [agentDraft(agent, how.agents.text(router))] : []),
    // it would be taken before the person's own
    ...(agent && isOurs && !isWritten ? [gone(agent, 'agent', 'it is yours: in your own folder')] : []),
    ...workflows.delegates.flatMap(name => {
      const file = at(how.agents?.files[whose](name))
      return how.agents && file ? [agentDraft(file, how.agents.text(builderOf(name)), 'an agent: it edits')] : []
    }),
    ...commandFiles(how, telling).flatMap(({ name, ...one }) => {
      const file = at(name)
      return file ? [commandDraft({ ...one, file })] : []
    }),
    ...(memory ? [sectionDraft(memory, workflows, brings.section)] : []),
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
  become: now => (now === null || markIn(now)?.isEdited === false ? kept(now, text) : null),
})

/** With other ends of lines it says the same. */
const kept = (now: string | null, text: string): string => (now?.replaceAll('\r\n', '\n') === text ? now : text)

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

/** One that is there is renewed, whoever asked for it. */
const sectionDraft = (file: string, workflows: Workflows, isWanted: boolean): Draft => ({
  file,
  kind: 'section',
  what: 'a section for agents',
  become: now => (isWanted || hasSection(now ?? '') ? withSection(now ?? '', workflows) : null),
})
