import { basename, dirname, join } from 'node:path'
import type { Client } from '../../../clients/index.ts'
import { type ClientSettings, type CommandFileFormat, clientSettingsById } from '../../../clients/settings.ts'
import { listFolder, readTextOrUndefined } from '../../../lib/files.ts'
import type { Policy } from '../../../policy/index.ts'
import { resolveClientFile } from '../install-paths.ts'
import { decodeBase64, type InstallManifest, manifestEntryFor } from '../manifest.ts'
import { planObsoleteAgents, type ResolvePath, renderCommandFiles } from './agent-docs.ts'
import { type DocsContent, type DocsScope, docsContentsOf } from './docs-content.ts'
import { addSection, hasSection, needsSection, removeSection } from './docs-section.ts'
import { parseGeneratedMark } from './generated-mark.ts'

/** A file that `init` generated from an older version of the policy. */
export interface StaleFile {
  readonly file: string
  readonly why: 'changed' | 'gone' | 'taken'
  /** edited since: `init` does not change it */
  readonly isEdited: boolean
}

/** Stale files of one agent, in the project and in the home folder. */
export function findStaleFiles(
  client: Pick<Client, 'id' | 'moves'>,
  policy: Policy,
  place: Parameters<typeof resolveClientFile>[2],
  manifest: InstallManifest,
): readonly StaleFile[] {
  const how = clientSettingsById(client.id)
  if (!how) return []
  const at: ResolvePath = name => (name === undefined ? undefined : resolveClientFile(name, client, place))
  return docsContentsOf(policy, place).flatMap(content => [
    ...staleCommandFiles(how, content, at),
    ...staleDocs(how, content, at, manifest),
  ])
}

function staleCommandFiles(how: ClientSettings, content: DocsContent, at: ResolvePath): readonly StaleFile[] {
  const wanted = new Map(renderCommandFiles(how, content).map(({ name, text }) => [at(name), text]))
  return [how.commands, how.skills]
    .flatMap(kind => existingFilesOf(kind, content.whose, at))
    .flatMap((file): readonly StaleFile[] => {
      const mark = parseGeneratedMark(readTextOrUndefined(file) ?? '')
      // a user's own file has the name of a policy command, which is therefore missing
      if (!mark)
        return wanted.has(file) && readTextOrUndefined(file) !== undefined
          ? [{ file, why: 'taken', isEdited: true }]
          : []
      const text = wanted.get(file)
      const { isEdited } = mark
      if (text === undefined) return [{ file, why: 'gone', isEdited }]
      return parseGeneratedMark(text)?.wrote === mark.wrote ? [] : [{ file, why: 'changed', isEdited }]
    })
}

/** All files in the places where ours would be; `*` stands for the name. */
function existingFilesOf(kind: CommandFileFormat | undefined, whose: DocsScope, at: ResolvePath): readonly string[] {
  const example = at(kind?.files[whose]('*'))
  if (example === undefined) return []
  const isFolder = basename(dirname(example)) === '*'
  const folder = isFolder ? dirname(dirname(example)) : dirname(example)
  const ending = basename(example).replace('*', '')
  const names = listFolder(folder).filter(name => isFolder || name.endsWith(ending))
  return names.map(name => (isFolder ? join(folder, name, ending) : join(folder, name)))
}

/** The router agent, if it is as we wrote it, obsolete agents, and the section. */
function staleDocs(
  how: ClientSettings,
  content: DocsContent,
  at: ResolvePath,
  manifest: InstallManifest,
): readonly StaleFile[] {
  const { whose, router, workflows } = content
  const agent = router && at(how.agents?.files[whose](router.name))
  const agentText = agent && readTextOrUndefined(agent)
  const entry = agent && manifestEntryFor(agent, manifest)
  const isOurs = entry && agentText === decodeBase64(entry.wrote).toString('utf8')
  const memory = at(how.memory?.[whose])
  const memoryText = (memory && readTextOrUndefined(memory)) ?? ''
  const isOld = hasSection(memoryText) && expectedSectionText(memoryText, workflows) !== memoryText
  return [
    ...(agent && isOurs && agentText !== how.agents?.text(router) ? [createChangedFile(agent)] : []),
    ...planObsoleteAgents(how, content, at, manifest).flatMap((file): readonly StaleFile[] => {
      const text = readTextOrUndefined(file)
      const wrote = manifestEntryFor(file, manifest)?.wrote
      if (text === undefined || wrote === undefined) return []
      return [{ file, why: 'gone', isEdited: text !== decodeBase64(wrote).toString('utf8') }]
    }),
    ...(memory && isOld ? [createChangedFile(memory)] : []),
  ]
}

const expectedSectionText = (text: string, workflows: DocsContent['workflows']): string =>
  needsSection(workflows) ? addSection(text, workflows) : removeSection(text)

const createChangedFile = (file: string): StaleFile => ({ file, why: 'changed', isEdited: false })
