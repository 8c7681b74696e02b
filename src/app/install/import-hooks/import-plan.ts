import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type HookImporter, hookImporterById } from '../../../clients/import-hooks.ts'
import type { Client } from '../../../clients/index.ts'
import { clientSettingsById, type SettingsScope } from '../../../clients/settings.ts'
import { detectClients } from '../detect-clients.ts'
import { displayPath, type InstallPaths, resolveClientFile } from '../install-paths.ts'
import { UnfitFileError } from '../settings-file/edit-jsonc.ts'
import { decodeUtf8, readSnapshot } from '../settings-file/file-snapshot.ts'
import { JsoncSyntaxError } from '../settings-file/jsonc.ts'
import {
  type ExtractedHook,
  type ExtractionOptions,
  extractHooks,
  type HookExtraction,
  movesToPolicy,
  type RemainingHook,
} from './extract-hooks.ts'
import { addHooksToPolicy } from './policy-hooks.ts'

export interface HookImportOptions extends Pick<ExtractionOptions, 'regexFault' | 'replacing'> {
  /** why no hook can be imported now */
  readonly keepReason?: string | undefined
  /** files that cannot be written */
  readonly unwritableFiles?: readonly string[]
}

/** A file whose hooks were read. */
export interface ImportedHookFile {
  readonly file: string
  readonly client: string
  readonly adoption: HookExtraction
}

export interface HookImportPlan {
  readonly files: readonly ImportedHookFile[]
  /** the policy that the hooks are added to */
  readonly policy: string | undefined
  /** the longest timeout of the hooks */
  readonly longestMs: number
}

export const NO_HOOK_IMPORT: HookImportPlan = { files: [], policy: undefined, longestMs: 0 }

/** Plans the import of all hooks in this scope: user hooks go into the user's policy, project hooks into the project's. */
export function planHookImport(
  {
    clients,
    scope,
    adopt: wanted,
  }: { clients: readonly Client[]; scope: SettingsScope; adopt?: HookImportOptions | undefined },
  paths: InstallPaths,
): HookImportPlan {
  if (!wanted || scope === 'managed') return NO_HOOK_IMPORT
  const files = clients.flatMap(client => {
    const adopting = hookImporterById(client.id)
    return adopting ? readHookFiles(client, adopting, scope, paths, wanted) : []
  })
  const times = files.flatMap(({ adoption }) => adoption.taken.filter(movesToPolicy).map(({ hook }) => hook.timeoutMs))
  const policy = scope === 'user' ? paths.userPolicy : paths.project && join(paths.project, 'signalbox.yaml')
  return { files, policy: times.length > 0 ? policy : undefined, longestMs: Math.max(0, ...times) }
}

type ImportScope = 'user' | 'project'

function readHookFiles(
  client: Client,
  adopting: HookImporter,
  whose: ImportScope,
  paths: InstallPaths,
  wanted: HookImportOptions,
) {
  const own = clientSettingsById(client.id)?.files[whose]
  const named = [...(own ? [own] : []), ...adopting.files[whose].flatMap(name => expandFolder(name, client, paths))]
  const files = [...new Set(named)].flatMap((name): ImportedHookFile[] => {
    const file = resolveClientFile(name, client, paths)
    if (!file || wanted.unwritableFiles?.includes(file)) return []
    const keepReason = wanted.keepReason ?? findSharingClient(name, client, whose, paths)
    const extraction = extractFromFile(file, adopting, { ...wanted, keepReason, whose })
    return extraction ? [{ file, client: client.id, adoption: extraction }] : []
  })
  return [...files, ...(adopting.foreign?.[whose] ?? []).flatMap(file => readUntouchedFile(file, client, paths))]
}

/** Replaces a folder by the `.json` files in it. */
function expandFolder(name: string, client: Client, paths: InstallPaths): readonly string[] {
  if (!name.endsWith('/')) return [name]
  try {
    const inside = readdirSync(resolveClientFile(name, client, paths) ?? '')
    return inside.filter(text => text.endsWith('.json')).map(text => `${name}${text}`)
  } catch {
    return []
  }
}

/** Another installed agent runs the same hooks: it would lose them. */
function findSharingClient(name: string, client: Client, whose: ImportScope, paths: InstallPaths): string | undefined {
  const other = detectClients(paths).find(
    ({ id }) => id !== client.id && hookImporterById(id)?.borrows?.[whose].includes(name),
  )
  return other && `${other.title} runs it too and would stop running it`
}

/** Unreadable files are skipped here: the step that writes them reports the problem. */
function extractFromFile(file: string, adopting: HookImporter, judging: ExtractionOptions): HookExtraction | undefined {
  try {
    const { bytes } = readSnapshot(file)
    const text = bytes ? decodeUtf8(bytes) : ''
    return text.replace(/^\ufeff/, '').trim() === '' ? undefined : extractHooks(text, adopting, judging)
  } catch (error) {
    if (error instanceof UnfitFileError || error instanceof JsoncSyntaxError) return undefined
    throw error
  }
}

function readUntouchedFile(
  { file: name, sign, why }: { readonly file: string; readonly sign: RegExp; readonly why: string },
  client: Client,
  paths: InstallPaths,
): readonly ImportedHookFile[] {
  try {
    const file = resolveClientFile(name, client, paths) ?? ''
    const { bytes } = readSnapshot(file)
    const text = bytes ? decodeUtf8(bytes) : ''
    if (!sign.test(text)) return []
    const staying: RemainingHook[] = [{ event: 'hooks', what: displayPath(file, paths), why }]
    return [{ file, client: client.id, adoption: { text, taken: [], remaining: staying } }]
  } catch {
    return []
  }
}

/** The options without the files that failed; undefined if nothing changes. */
export function excludeFailedFiles(
  wanted: HookImportOptions,
  { files, policy }: HookImportPlan,
  failed: readonly string[],
): HookImportOptions | undefined {
  if (policy === undefined) return undefined
  if (failed.includes(policy)) return { ...wanted, keepReason: `${policy} cannot be written` }
  const unfit = files.filter(file => failed.includes(file.file)).map(file => file.file)
  return unfit.length === 0 ? undefined : { ...wanted, unwritableFiles: [...(wanted.unwritableFiles ?? []), ...unfit] }
}

/** The policy with all imported hooks, file by file. */
export const addImportedHooks = (text: string, { files }: HookImportPlan, paths: InstallPaths): string =>
  files.reduce((policy, { file, adoption }) => addHooksToPolicy(policy, adoption.taken, displayPath(file, paths)), text)

/** The hooks that are added to the policy, in file order. */
export const hooksAddedToPolicy = ({ files }: HookImportPlan): readonly ExtractedHook[] =>
  files.flatMap(({ adoption }) => adoption.taken.filter(movesToPolicy))
