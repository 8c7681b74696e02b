import { basename, dirname, parse } from 'node:path'
import type { Client } from '../../../clients/index.ts'
import {
  type ClientSettings,
  type CommandDefinition,
  type CommandFileFormat,
  clientSettingsById,
  type SettingsScope,
} from '../../../clients/settings.ts'
import type { Policy } from '../../../policy/index.ts'
import { type InstallPaths, resolveClientFile } from '../install-paths.ts'
import { decodeBase64, type InstallManifest, type ManifestEntry, manifestEntryFor } from '../manifest.ts'
import type { FileDraft } from '../program/file-draft.ts'
import { canonicalPath } from '../settings-file/file-snapshot.ts'
import { createBuilderAgent } from './delegation.ts'
import { type DocsContent, docsContentsOf } from './docs-content.ts'
import { addSection, hasSection, needsSection, removeSection } from './docs-section.ts'
import { parseGeneratedMark, withGeneratedMark } from './generated-mark.ts'
import type { OrchestratorCommands } from './orchestrator-commands.ts'

/** Plans the files that explain the policy to an agent: router, commands, skills and a section in its instruction file. */
export function planAgentDocs(
  client: Client,
  scope: SettingsScope,
  paths: InstallPaths,
  policy: Policy | undefined,
  manifest: InstallManifest,
): readonly FileDraft[] {
  const how = clientSettingsById(client.id)
  // without a readable policy it is unknown which files belong to it
  if (!how || !policy) return []
  const at: ResolvePath = name => (name === undefined ? undefined : resolveClientFile(name, client, paths))
  return docsContentsOf(policy, paths, scope).flatMap(content => [
    ...planScopeDocs(how, content, at, manifest),
    ...planObsoleteCommands(how, content, at, manifest),
    ...planObsoleteAgents(how, content, at, manifest).map(file =>
      draftRemoval(file, 'agent', 'an agent: no longer needed here'),
    ),
  ])
}

export type ResolvePath = (name: string | undefined) => string | undefined

function planScopeDocs(
  how: ClientSettings,
  content: DocsContent,
  at: ResolvePath,
  manifest: InstallManifest,
): readonly FileDraft[] {
  const { whose, router, workflows, bringsRouter } = content
  const agent = router && at(how.agents?.files[whose](router.name))
  const memory = at(how.memory?.[whose])
  const isWritten = bringsRouter || manifest.files.some(({ kind, file }) => kind === 'agent' && file === agent)
  return [
    ...(how.agents && agent && isWritten ? [draftAgent(agent, how.agents.text(router))] : []),
    ...workflows.delegates.flatMap(name => {
      const file = at(how.agents?.files[whose](name))
      return how.agents && file
        ? [draftAgent(file, how.agents.text(createBuilderAgent(name)), 'an agent that edits files')]
        : []
    }),
    ...renderCommandFiles(how, content).flatMap(({ name, ...one }) => {
      const file = at(name)
      return file ? [draftCommand({ ...one, file })] : []
    }),
    ...(memory ? [draftSection(memory, workflows, manifestEntryFor(memory, manifest))] : []),
  ]
}

export interface CommandFile {
  /** path in the client's notation */
  readonly name: string
  readonly what: string
  readonly text: string
}

/** The orchestrator's commands and skills in one agent's format. */
export function renderCommandFiles(how: ClientSettings, { workflows, whose }: DocsContent): readonly CommandFile[] {
  const put = (
    kind: CommandFileFormat | undefined,
    all: readonly CommandDefinition[],
    what: (name: string) => string,
  ) =>
    kind
      ? all.map(definition => ({
          name: kind.files[whose](definition.name),
          what: what(definition.name),
          text: withGeneratedMark(mark => kind.text(definition, mark)),
        }))
      : []
  return [
    ...put(how.commands, workflows.commands, name => `a command: /${name}`),
    ...put(how.skills, workflows.skills, name => `a skill: ${name}`),
  ]
}

const draftCommand = ({ file, what, text }: Omit<CommandFile, 'name'> & { readonly file: string }): FileDraft => ({
  file,
  kind: 'command',
  what,
  // a teammate's file is updated too, by its mark; an edited file belongs to the user
  nextContent: now => (now === null || parseGeneratedMark(now)?.isEdited === false ? keepLineEndings(now, text) : null),
})

/** Keeps a file that differs only in line ends. */
const keepLineEndings = (now: string | null, text: string): string =>
  now?.replaceAll('\r\n', '\n') === text ? now : text

/** Commands that we wrote and that the policy no longer has. Checks the manifest only: other files may come from a teammate's policy. */
function planObsoleteCommands(
  how: ClientSettings,
  content: DocsContent,
  at: ResolvePath,
  { files }: InstallManifest,
): readonly FileDraft[] {
  const { whose } = content
  const isOf = (file: string): boolean =>
    [how.commands, how.skills].some(kind => possibleNamesOf(file).some(name => at(kind?.files[whose](name)) === file))
  const keys = renderCommandFiles(how, content)
    .flatMap(({ name }) => at(name) ?? [])
    .map(canonicalPath)
  return files
    .filter(({ kind, file }) => kind === 'command' && isOf(file))
    .filter(({ file }) => !keys.includes(canonicalPath(file)))
    .map(({ file }) => draftRemoval(file, 'command', 'no longer in the policy'))
}

/** Agents that we wrote in this scope and that no gate needs any more. Checks the manifest only, as above. */
export function planObsoleteAgents(
  how: ClientSettings,
  { whose, router, workflows }: DocsContent,
  at: ResolvePath,
  { files }: InstallManifest,
): readonly string[] {
  const wanted = [...(router ? [router.name] : []), ...workflows.delegates]
  return files
    .filter(({ kind, file }) => kind === 'agent' && at(how.agents?.files[whose](agentNameOf(file))) === file)
    .map(({ file }) => file)
    .filter(file => !wanted.includes(agentNameOf(file)))
}

/** `router.md`, `router.agent.md`, `router.toml`: agent names contain no dot. */
const agentNameOf = (file: string): string => basename(file).replace(/\..*$/, '')

const draftRemoval = (file: string, kind: FileDraft['kind'], what: string): FileDraft => ({
  file,
  kind,
  what,
  isRemoved: true,
})

/** `bmad.md` or `bmad/SKILL.md`: the caller checks which of the two names leads to the file. */
const possibleNamesOf = (file: string): readonly string[] => [parse(file).name, basename(dirname(file))]

const draftAgent = (file: string, text: string, what = 'an agent that routes requests'): FileDraft => ({
  file,
  kind: 'agent',
  what,
  // a user's own file stays
  nextContent: (now, ours) => (now === null || ours ? text : null),
})

/** Updates an existing section, or adds one. An empty section is removed, and so is a file that was created for it. */
function draftSection(file: string, workflows: OrchestratorCommands, entry: ManifestEntry | undefined): FileDraft {
  const base = { file, kind: 'section' } as const
  if (needsSection(workflows))
    return { ...base, what: 'a section for agents', nextContent: now => addSection(now ?? '', workflows) }
  const isMade = entry?.original === null && removeSection(decodeBase64(entry.wrote).toString('utf8')) === ''
  return {
    ...base,
    what: 'a section for agents: no longer needed here',
    nextContent: now => (hasSection(now ?? '') ? removeSection(now ?? '') : null),
    ...(isMade && { isRemoved: true }),
  }
}
