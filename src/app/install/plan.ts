import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { SettingsScope } from '../../clients/settings.ts'
import { launcherIn } from '../../hook/index.ts'
import { planAgentDocs } from './agent-docs/agent-docs.ts'
import { renderStarterPolicy } from './agent-docs/starter-policy.ts'
import { isOnPath } from './detect-clients.ts'
import { type FileChange, type FileProblem, isFileChanged } from './file-change.ts'
import { draftHookRemovals, draftHooks } from './import-hooks/hook-drafts.ts'
import {
  addImportedHooks,
  excludeFailedFiles,
  type HookImportPlan,
  hooksAddedToPolicy,
  planHookImport,
} from './import-hooks/import-plan.ts'
import { dataFolderOf, type InstallPaths } from './install-paths.ts'
import { decodeBase64, type InstallManifest, type ManifestEntry, manifestEntryFor } from './manifest.ts'
import type { FileDraft, InitOptions } from './program/file-draft.ts'
import { PROJECT_LAUNCHER_MARK, renderProjectLauncher } from './program/launcher-script.ts'
import { findOneShotReason, planLaunchers } from './program/launchers.ts'
import { isOwnPathShim, isShimFolderOnPath, pathShimFile, renderPathShim } from './program/path-shim.ts'
import { type ProgramCopy, planProgramCopy } from './program/program-copy.ts'
import { UnfitFileError } from './settings-file/edit-jsonc.ts'
import {
  canonicalPath,
  decodeUtf8,
  type FileSnapshot,
  isReadOnlyFile,
  readSnapshot,
} from './settings-file/file-snapshot.ts'
import { describeFileError } from './settings-file/registrations.ts'

export interface InstallPlan {
  readonly scope: SettingsScope
  readonly changes: readonly FileChange[]
  readonly problems: readonly FileProblem[]
  /** copy of the program to install */
  readonly copy: ProgramCopy | undefined
  /** why there is no native hook, so that each hook starts Node */
  readonly oneShot?: string | undefined
  readonly adoption: HookImportPlan
}

/** Plans all changes without making any. */
export function planInstall(wanted: InitOptions, paths: InstallPaths, manifest: InstallManifest): InstallPlan {
  const { scope, clients } = wanted
  const importPlan = planHookImport(wanted, paths)
  // the project's launcher looks for an installed program: install one if this user has none
  const bringsProgram = scope === 'project' && !isProgramInstalled(paths)
  const hasProgram = scope !== 'project' || bringsProgram
  const copy = hasProgram ? planProgramCopy(paths.program, paths.version, dataFolderOf(scope, paths)) : undefined
  const drafts: FileDraft[] = [
    ...(scope === 'project' ? draftProjectLauncher(paths) : []),
    ...(copy ? planLaunchers(bringsProgram ? 'user' : scope, copy, paths) : []),
    ...clients.flatMap(client => draftHooks(client, wanted, importPlan, paths)),
    ...draftHookRemovals(importPlan),
    ...draftPolicies(wanted, importPlan, paths),
    ...(scope === 'managed'
      ? []
      : clients.flatMap(client => planAgentDocs(client, scope, paths, wanted.policyInForce, manifest))),
    ...(scope === 'user' || bringsProgram ? draftPathShim(paths) : []),
  ]
  const results = dropIfLauncherForeign(
    drafts.filter(isFirstDraftOfFile).map(draft => toChangeOrProblem(draft, scope, manifest)),
    scope,
    paths,
  )
  const failed = results.flatMap(result => ('problem' in result ? [result.file] : []))
  // a hook moves from one file to another completely or not at all: plan again without the failed files
  const less = wanted.adopt && excludeFailedFiles(wanted.adopt, importPlan, failed)
  if (less) return planInstall({ ...wanted, adopt: less }, paths, manifest)
  const changes = results.flatMap(result => ('after' in result ? [result] : []))
  return {
    scope,
    changes: changes.filter(isFileChanged),
    problems: results.flatMap(result => ('problem' in result ? [result] : [])),
    copy,
    oneShot: copy && findOneShotReason(copy, paths),
    adoption: importPlan,
  }
}

/** Two agents may read the same instruction file, even by different paths. */
const isFirstDraftOfFile = ({ file, kind }: FileDraft, at: number, all: readonly FileDraft[]): boolean =>
  all.findIndex(draft => draft.kind === kind && canonicalPath(draft.file) === canonicalPath(file)) === at

function toChangeOrProblem(
  draft: FileDraft,
  scope: SettingsScope,
  manifest: InstallManifest,
): FileChange | FileProblem {
  // machine-wide files must be readable by everyone, independent of the umask
  const {
    file,
    kind,
    client,
    what,
    mode = scope === 'managed' ? 0o644 : undefined,
    taken,
    adopted,
    fallbackBytes,
  } = draft
  try {
    const found = readSnapshot(file)
    const entry = manifestEntryFor(file, manifest)
    const text = draft.bytes ? null : found.bytes && decodeUtf8(found.bytes)
    const after = draft.bytes ?? draft.nextContent?.(text, isUnchangedSinceInit(found, entry)) ?? null
    const isGoing = draft.isRemoved && isUnchangedSinceInit(found, entry)
    const bytes = isGoing ? null : after === null ? found.bytes : Buffer.from(after)
    const change = {
      file,
      real: found.real,
      before: found.bytes,
      after: bytes,
      fallbackBytes,
      mode,
      scope: draft.scope ?? scope,
      kind,
      client,
      what,
      taken,
      adopted,
    }
    if (isFileChanged(change) && isReadOnlyFile(found)) throw new UnfitFileError('is read-only')
    return change
  } catch (error) {
    const problem = describeFileError(error, file)
    return { file, client, ...problem, ...(problem.problem === 'is read-only' && { help: `chmod u+w ${file}` }) }
  }
}

const isUnchangedSinceInit = ({ bytes }: FileSnapshot, entry: ManifestEntry | undefined): boolean =>
  bytes !== null && entry !== undefined && bytes.equals(decodeBase64(entry.wrote))

const projectLauncherPath = ({ project }: InstallPaths): string | undefined =>
  project && join(project, '.signalbox', 'hook')

function draftProjectLauncher({ project }: InstallPaths): readonly FileDraft[] {
  if (!project) return []
  const file = join(project, '.signalbox', 'hook')
  const become = (text: string | null) => {
    if (text !== null && !text.includes(PROJECT_LAUNCHER_MARK))
      throw new UnfitFileError('already exists and was not written by Signalbox')
    if (!canonicalPath(file).startsWith(`${canonicalPath(project)}${sep}`))
      throw new UnfitFileError('leads out of the project')
    return renderProjectLauncher()
  }
  return [
    {
      file,
      kind: 'launcher',
      what: 'starts Signalbox for everybody in this project',
      mode: 0o755,
      nextContent: become,
    },
  ]
}

/** Registers no hook if someone else's file is at the launcher's path. */
function dropIfLauncherForeign(
  results: readonly (FileChange | FileProblem)[],
  scope: SettingsScope,
  paths: InstallPaths,
): readonly (FileChange | FileProblem)[] {
  const launcher = projectLauncherPath(paths)
  const isForeign = scope === 'project' && results.some(result => 'problem' in result && result.file === launcher)
  if (!isForeign) return results
  return results.map(result =>
    'after' in result && (result.kind === 'hooks' || result.kind === 'plugin')
      ? {
          file: result.file,
          client: result.client,
          problem: 'would start .signalbox/hook, which was not written by Signalbox',
          help: `check ${launcher}, remove it, and run this command again`,
        }
      : result,
  )
}

const isProgramInstalled = ({ data }: InstallPaths): boolean =>
  [launcherIn(data), join(data, 'current/bin/signalbox.cjs')].every(file => existsSync(file))

/** Agents are instructed to run `signalbox run -- …`: create the command if it is not on the PATH. */
function draftPathShim(paths: InstallPaths): readonly FileDraft[] {
  const file = pathShimFile(paths)
  const isThere = isOnPath('signalbox', paths.env.PATH)
  const become = (text: string | null) =>
    text === null ? (isThere ? null : renderPathShim(paths)) : isOwnPathShim(text) ? renderPathShim(paths) : null
  return isShimFolderOnPath(paths)
    ? [{ file, kind: 'launcher', what: 'the command `signalbox`', mode: 0o755, scope: 'user', nextContent: become }]
    : []
}

/** Appends imported hooks to the policy. */
function draftPolicies(wanted: InitOptions, importPlan: HookImportPlan, paths: InstallPaths): readonly FileDraft[] {
  const [starter] = draftStarterPolicy(wanted, paths)
  const { policy } = importPlan
  if (!starter || policy === undefined) return starter ? [starter] : []
  const adopted = hooksAddedToPolicy(importPlan).map(({ hook }) => hook)
  const what = `${adopted.length} of your hooks`
  const filled = (base: FileDraft | undefined): FileDraft => ({
    file: policy,
    kind: 'policy',
    what: base ? `${base.what}; ${what}` : what,
    adopted,
    nextContent: (text, ours) => addImportedHooks(base?.nextContent?.(text, ours) ?? text ?? '', importPlan, paths),
  })
  return starter.file === policy ? [filled(starter)] : [starter, filled(undefined)]
}

/** Never overwrites an existing policy. */
function draftStarterPolicy({ scope, findPolicyProblem }: InitOptions, paths: InstallPaths): readonly FileDraft[] {
  const { project, userPolicy, managedPolicy } = paths
  const file =
    scope === 'managed' ? `${paths.root ?? ''}${managedPolicy}` : project ? join(project, 'signalbox.yaml') : userPolicy
  const become = (text: string | null, ours: boolean) => {
    if (text !== null && !ours) return null
    const starter = renderStarterPolicy(
      paths.program,
      scope === 'managed' ? undefined : project,
      dataFolderOf(scope, paths),
    )
    const why = findPolicyProblem?.(starter)
    if (why !== undefined) throw new UnfitFileError(`would not load: ${why}`)
    // an unedited starter policy of an earlier version stays too: policies never change by themselves
    return text ?? starter
  }
  return [{ file, kind: 'policy', what: 'the policy: routes block, one gate only logs', nextContent: become }]
}
