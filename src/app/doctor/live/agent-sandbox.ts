import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HeadlessLaunch, HeadlessRun, LoadedSettingsFile } from '../../../clients/diagnostics.ts'
import { type DoctorContext, type InstalledAgent, ownHooksOf } from '../context.ts'
import { parsePluginFile } from '../read/hook-file.ts'
import { resolveSettingsPath } from '../read/settings-files.ts'
import { projectPartsUsedBy } from './command-canary.ts'
import { renderSandboxSettings } from './sandbox-settings.ts'
import type { ScratchProject } from './scratch-project.ts'

/** Copies the agent's registration into a sandbox home: its settings files, without anything that would run or could be secret. */
export function setUpAgentSandbox(
  agent: InstalledAgent,
  context: DoctorContext,
  scratch: ScratchProject,
  rehearsal: HeadlessRun,
  model: string,
  prompt: string,
): HeadlessLaunch {
  const { checkup, client, files } = agent
  const { home, project } = scratch
  const stage = { home, project, model, prompt }
  const diagnosticContext = { files, root: context.root, home: context.folders.home, env: context.env }
  const launch = rehearsal.launch(stage)
  const carried = rehearsal.carried?.(diagnosticContext, stage) ?? {}
  const written = { ...carried, ...launch.files }
  for (const [path, content] of Object.entries(written)) {
    if (typeof content === 'string')
      scratch.put(join(home, path), (path in (launch.files ?? {}) ? content : '') + (carried[path] ?? ''))
  }
  const own = new Set(checkup.files.map(({ path }) => path))
  const isSettings = ({ path }: LoadedSettingsFile): boolean => own.has(path) || own.has(path.replace(/[^/]+$/, ''))
  for (const read of files.filter(file => file.scope !== 'managed' && !file.plugin && isSettings(file))) {
    const to = resolveSettingsPath(read.path, { root: project, home, env: {}, moves: client.moves })
    const more = launch.files?.[read.path.replace(/^~\//, '')]
    const text =
      checkup.shape === 'code' ? read.text : renderSandboxSettings(read.text, agent, rehearsal.preservedPaths, more)
    if (checkup.shape !== 'code' || parsePluginFile(read, checkup).hooks.length > 0) scratch.put(to, text)
  }
  for (const [path, content] of Object.entries(launch.files ?? {})) {
    const to = join(home, path)
    if (typeof content !== 'string' && !existsSync(to)) scratch.put(to, JSON.stringify(content, null, 2))
  }
  for (const path of launch.links ?? []) scratch.link(join(context.folders.home, path), join(home, path))
  for (const [path, from] of Object.entries(launch.projectLinks ?? {}))
    if (existsSync(join(project, dirname(path)))) scratch.link(join(context.folders.home, from), join(project, path))
  for (const name of ownHooksOf(agent).flatMap(projectPartsUsedBy))
    scratch.link(join(context.root, name), join(project, name))
  scratch.link(context.folders.data, join(home, '.local/share/signalbox'))
  return launch
}
