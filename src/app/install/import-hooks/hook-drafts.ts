import type { Client } from '../../../clients/index.ts'
import { type ClientSettings, clientSettingsById, type HookCommand } from '../../../clients/settings.ts'
import { type InstallPaths, resolveClientFile } from '../install-paths.ts'
import type { FileDraft, InitOptions } from '../program/file-draft.ts'
import { buildHookCommand } from '../program/hook-command.ts'
import { assertLoadable } from '../settings-file/client-syntax.ts'
import { UnfitFileError } from '../settings-file/edit-jsonc.ts'
import { addHookEntries } from '../settings-file/hook-entries.ts'
import { PLUGIN_MARK } from '../settings-file/registrations.ts'
import type { HookImportPlan, ImportedHookFile } from './import-plan.ts'

/** The file that registers the hook with this client. Empty if the client has no such file in this scope. */
export function draftHooks(
  client: Client,
  { scope, longestHookMs = 0 }: InitOptions,
  importPlan: HookImportPlan,
  paths: InstallPaths,
): readonly FileDraft[] {
  const how = clientSettingsById(client.id)
  const name = how?.files[scope]
  const file = name && resolveClientFile(name, client, paths)
  if (!how || !file) return []
  const longest = Math.max(longestHookMs, importPlan.longestMs)
  const own = importPlan.files.find(importedHookFile => importedHookFile.file === file)
  return [draftHookFile(file, how, client.title, buildHookCommand(scope, client, paths, longest), own)]
}

function draftHookFile(
  file: string,
  { id, hook }: ClientSettings,
  title: string,
  call: HookCommand,
  own: ImportedHookFile | undefined,
): FileDraft {
  if (hook.kind === 'settings') {
    const entries = hook.entries(call)
    const become = (text: string | null) => {
      assertLoadable(text ?? '', hook.reads, title)
      const after = addHookEntries(
        own && text !== null ? own.adoption.text : (text ?? ''),
        id,
        entries,
        hook.defaultKeys,
      )
      // a byte order mark of an otherwise empty file is still there
      assertLoadable(after, hook.reads, title)
      return after
    }
    const what = `the hook, ${entries.length} events${movedHooksSuffix(own)}`
    return { file, kind: 'hooks', client: id, what, nextContent: become, ...extractedEntriesOf(own) }
  }
  const become = (text: string | null) => {
    if (text !== null && !text.startsWith(PLUGIN_MARK))
      throw new UnfitFileError('already exists and was not written by Signalbox')
    return hook.text(call)
  }
  return { file, kind: 'plugin', client: id, what: 'the plugin that calls the hook', nextContent: become }
}

const extractedEntriesOf = (own: ImportedHookFile | undefined): Pick<FileDraft, 'taken'> =>
  own && own.adoption.taken.length > 0 ? { taken: own.adoption.taken.map(({ entry }) => entry) } : {}

const movedHooksSuffix = (own: ImportedHookFile | undefined): string => {
  const words = own ? movedHooksText(own.adoption) : ''
  return words === '' ? '' : `; ${words}`
}

function movedHooksText({ taken }: ImportedHookFile['adoption']): string {
  const left = taken.filter(({ replacing }) => replacing?.isInForce).length
  const moved = taken.length - left
  return [moved > 0 ? `${moved} of yours moved` : '', left > 0 ? `${left} replaced by a pack` : '']
    .filter(Boolean)
    .join(', ')
}

/** Files that only lose hooks. The file that also registers Signalbox has an earlier draft, which wins. */
export const draftHookRemovals = ({ files }: HookImportPlan): readonly FileDraft[] =>
  files
    .filter(({ adoption }) => adoption.taken.length > 0)
    .map(own => {
      const { file, client, adoption } = own
      return {
        file,
        kind: 'hooks',
        client,
        what: movedHooksText(adoption),
        nextContent: () => adoption.text,
        ...extractedEntriesOf(own),
      }
    })
