import { stringify, type TomlTable } from 'smol-toml'
import { sha256Of } from '../../lib/sha256.ts'
import {
  type ClientDiagnostics,
  type DisablingSetting,
  type HookHandler,
  isServerNameOnly,
  type LoadedSettingsFile,
  serverWildcardOf,
} from '../adapter/diagnostics.ts'
import { CLIENT_ID } from './decode.ts'
import { hasValueAtAnyDepth, lineOfSetting, parseToml, tableAt } from './toml.ts'

const CONFIG_FILE = '~/.codex/config.toml'
const REQUIREMENTS_FILE = '/etc/codex/requirements.toml'
const REVIEW_HELP = 'start `codex`, run /hooks, and trust the hook'

export const diagnostics: ClientDiagnostics = {
  id: CLIENT_ID,
  files: [
    { path: '~/.codex/hooks.json', scope: 'user' },
    { path: '.codex/hooks.json', scope: 'project' },
  ],
  relatedFiles: [
    { path: CONFIG_FILE, scope: 'user' },
    { path: REQUIREMENTS_FILE, scope: 'managed' },
  ],
  servers: {
    files: [CONFIG_FILE, '.codex/config.toml', '/etc/codex/config.toml'],
    names: ({ text }) => Object.keys(tableAt(parseToml(text), 'mcp_servers')),
  },
  shape: 'groups',
  // as of 0.166.0
  events: {
    SessionStart: 'other',
    SessionEnd: 'other',
    UserPromptSubmit: 'none',
    PreToolUse: 'tool',
    PermissionRequest: 'tool',
    PostToolUse: 'tool',
    PreCompact: 'other',
    PostCompact: 'other',
    SubagentStart: 'other',
    SubagentStop: 'other',
    Stop: 'none',
  },
  gates: ['PreToolUse'],
  types: ['command', 'mcp_tool', 'prompt', 'agent'],
  commands: ['command'],
  timeout: { keys: ['timeout'], unit: 's' },
  broken: 'ignores the whole file because of one such entry',
  switches(context) {
    const config = context.files.find(({ path }) => path === CONFIG_FILE)
    const settings = parseToml(config?.text ?? '')
    return [
      ...findDisabledFeature(settings, config),
      ...findManagedOnly(context.files),
      ...findUntrustedProject(settings, config, context.root),
      ...findUntrustedHooks(settings, config),
    ]
  },
  callersSince: '0.134.0',
  mcp: name => (isServerNameOnly(name) ? `${name}__.*` : undefined),
  policyMcp: serverWildcardOf,
  starts: { shell: 'user', projectEnv: [] },
  headlessRun: {
    preservedPaths: [['hooks'], ['description']],
    launch: ({ model, prompt }) => ({
      args: ['exec', '--skip-git-repo-check', prompt],
      env: { SCRIPTED_KEY: 'no-key' },
      files: { '.codex/config.toml': renderConfig(model) },
    }),
    carried: ({ files, root, home }, stage) => {
      const config = files.find(({ path }) => path === CONFIG_FILE)
      return config === undefined ? {} : { '.codex/config.toml': trustConfigFor(config.text, { root, home }, stage) }
    },
    call: command => ({ tool: 'exec_command', input: { cmd: command } }),
  },
}

type ConfigFile = LoadedSettingsFile | undefined

function findDisabledFeature(settings: TomlTable, config: ConfigFile): readonly DisablingSetting[] {
  const features = tableAt(settings, 'features')
  const off = ['hooks', 'codex_hooks'].find(key => features[key] === false)
  if (off === undefined) return []
  return [
    {
      id: 'HOOKS-DISABLED',
      file: config?.file ?? '',
      line: lineOfSetting(config?.text ?? '', off, false),
      found: `\`${off} = false\` in [features]`,
      silences: ['user', 'project'],
      fix: 'codex features enable hooks',
    },
  ]
}

function findManagedOnly(files: readonly LoadedSettingsFile[]): readonly DisablingSetting[] {
  const required = files.find(({ path }) => path === REQUIREMENTS_FILE)
  const key = 'allow_managed_hooks_only'
  if (!required || !hasValueAtAnyDepth(parseToml(required.text ?? ''), key, true)) return []
  return [
    {
      id: 'HOOKS-MANAGED-ONLY',
      file: required.file,
      line: lineOfSetting(required.text ?? '', key, true),
      found: '`allow_managed_hooks_only` is true: only managed hooks run',
      silences: ['user', 'project'],
      fix: 'ask the administrator of this machine to register Signalbox there',
    },
  ]
}

function findUntrustedProject(settings: TomlTable, config: ConfigFile, root: string): readonly DisablingSetting[] {
  if (tableAt(settings, 'projects', root).trust_level === 'trusted') return []
  return [
    {
      id: 'FOLDER-UNTRUSTED',
      file: config?.file ?? '',
      found: 'this project is not trusted: its hooks are skipped',
      silences: ['project'],
      fix: 'start `codex` here once and trust the folder',
      waits: true,
    },
  ]
}

/** Codex runs only reviewed hooks. It stores a digest of each handler by its position in the file. */
function findUntrustedHooks(settings: TomlTable, config: ConfigFile): readonly DisablingSetting[] {
  const stateOf = (hook: HookHandler): TomlTable =>
    tableAt(settings, 'hooks', 'state', `${hook.file}:${toSnakeCase(hook.event)}:${hook.group}:${hook.nth}`)
  const silenced = {
    file: config?.file ?? '',
    silences: ['user', 'project'] as const,
  }
  return [
    {
      ...silenced,
      id: 'HOOK-UNREVIEWED',
      found: 'the hook was never reviewed: Codex CLI skips it silently',
      only: hook => stateOf(hook).trusted_hash === undefined,
      fix: REVIEW_HELP,
      waits: true,
    },
    {
      ...silenced,
      id: 'HOOK-UNREVIEWED',
      found: 'the hook was changed after its review: Codex CLI skips it silently',
      only: hook => {
        const hash = stateOf(hook).trusted_hash
        const now = trustDigestOf(hook)
        return hash !== undefined && now !== undefined && hash !== now
      },
      fix: REVIEW_HELP,
      waits: true,
    },
    {
      ...silenced,
      id: 'HOOKS-DISABLED',
      found: 'the hook is switched off in [hooks.state]',
      only: hook => stateOf(hook).enabled === false,
      fix: 'start `codex`, run /hooks, and switch the hook on',
    },
  ]
}

const toSnakeCase = (event: string): string => event.replace(/(?<=.)[A-Z]/g, letter => `_${letter}`).toLowerCase()

/** The digest as computed by 0.166.0 (observed through its app server). Unknown for handlers with other settings. */
export function trustDigestOf({ event, matcher, handler }: HookHandler): string | undefined {
  const { type, command, timeout = 600, ...more } = handler
  if (matcher !== undefined || Object.keys(more).length > 0) return undefined
  const normal = { event_name: toSnakeCase(event), hooks: [{ async: false, command, timeout, type }] }
  return `sha256:${sha256Of(new TextEncoder().encode(JSON.stringify(normal)))}`
}

/** The user's trust settings for the sandbox: real paths are mapped to sandbox paths. */
function trustConfigFor(
  text: string,
  real: { readonly root: string; readonly home: string },
  stage: { readonly home: string; readonly project: string },
): string {
  const moved = (key: string): string =>
    key === real.root || key.startsWith(`${real.root}/`)
      ? stage.project + key.slice(real.root.length)
      : key.startsWith(`${real.home}/`)
        ? stage.home + key.slice(real.home.length)
        : key
  const settings = parseToml(text)
  const movedKeys = (...path: readonly string[]): TomlTable =>
    Object.fromEntries(Object.entries(tableAt(settings, ...path)).map(([key, value]) => [moved(key), value]))
  const features = Object.entries(tableAt(settings, 'features')).filter(([key]) => /hooks$/.test(key))
  // the features continue `[features]`, the last table of `renderConfig`
  const trusted = { hooks: { state: movedKeys('hooks', 'state') }, projects: movedKeys('projects') }
  return `${stringify(Object.fromEntries(features))}\n${stringify(trusted)}`
}

/** Features that wait for the network. */
const ONLINE_FEATURES = ['apps', 'plugins', 'remote_plugin', 'api_key_model_discovery', 'daemon_auto_start']

const renderConfig = (model: string): string => `model = "gpt-5.1-codex"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[features]
${ONLINE_FEATURES.map(feature => `${feature} = false`).join('\n')}
`
