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
import { parseTomlSections, type TomlSection, tableKeyAfter } from './toml.ts'

const CONFIG_FILE = '~/.codex/config.toml'
const REQUIREMENTS_FILE = '/etc/codex/requirements.toml'
const REVIEW_HELP = 'start `codex`, then /hooks, and trust it'

export const diagnostics: ClientDiagnostics = {
  id: CLIENT_ID,
  files: [
    { path: '~/.codex/hooks.json', scope: 'user' },
    { path: '.codex/hooks.json', scope: 'project' },
  ],
  beside: [
    { path: CONFIG_FILE, scope: 'user' },
    { path: REQUIREMENTS_FILE, scope: 'managed' },
  ],
  servers: {
    files: [CONFIG_FILE, '.codex/config.toml', '/etc/codex/config.toml'],
    names: ({ text }) =>
      [...text.matchAll(/^\s*\[mcp_servers\.(["']?)([\w-]+)\1[.\]]/gm)].map(([, , name = '']) => name),
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
  broken: 'leaves the whole file out for one such entry',
  switches(around) {
    const config = around.files.find(({ path }) => path === CONFIG_FILE)
    const sections = parseTomlSections(config?.text ?? '')
    const file = config?.file ?? ''
    return [
      ...findDisabledFeature(sections, file),
      ...findManagedOnly(around.files),
      ...findUntrustedProject(sections, file, around.root),
      ...findUntrustedHooks(sections, config),
    ]
  },
  callersSince: '0.134.0',
  mcp: name => (isServerNameOnly(name) ? `${name}__.*` : undefined),
  policyMcp: serverWildcardOf,
  starts: { shell: 'user', projectEnv: [] },
  rehearsal: {
    kept: [['hooks'], ['description']],
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

function findDisabledFeature(sections: readonly TomlSection[], file: string): readonly DisablingSetting[] {
  const { entries = {} } = sections.find(({ name }) => name === 'features') ?? {}
  const off = ['hooks', 'codex_hooks'].find(key => entries[key]?.value === 'false')
  if (off === undefined) return []
  return [
    {
      id: 'HOOKS-DISABLED',
      file,
      line: entries[off]?.line ?? 1,
      saw: `\`${off} = false\` in [features]`,
      silences: ['user', 'project'],
      fix: 'codex features enable hooks',
    },
  ]
}

function findManagedOnly(files: readonly LoadedSettingsFile[]): readonly DisablingSetting[] {
  const required = files.find(({ path }) => path === REQUIREMENTS_FILE)
  const found = parseTomlSections(required?.text ?? '').flatMap(({ entries }) => entries.allow_managed_hooks_only ?? [])
  return found
    .filter(({ value }) => value === 'true')
    .map(({ line }) => ({
      id: 'HOOKS-MANAGED-ONLY',
      file: required?.file ?? '',
      line,
      saw: '`allow_managed_hooks_only` is true: only managed hooks run',
      silences: ['user', 'project'] as const,
      fix: 'ask who manages this machine to register Signalbox there',
    }))
}

function findUntrustedProject(
  sections: readonly TomlSection[],
  file: string,
  root: string,
): readonly DisablingSetting[] {
  const trusted = sections.some(
    ({ name, entries }) =>
      tableKeyAfter('projects', name) === root && entries.trust_level?.value.replace(/["']/g, '') === 'trusted',
  )
  if (trusted) return []
  return [
    {
      id: 'FOLDER-UNTRUSTED',
      file,
      saw: 'this project is not trusted: its hooks are skipped',
      silences: ['project'],
      fix: 'start `codex` here once, and trust the folder',
      waits: true,
    },
  ]
}

/** Codex runs only reviewed hooks. It stores a digest of each handler by its position in the file. */
function findUntrustedHooks(
  sections: readonly TomlSection[],
  config: LoadedSettingsFile | undefined,
): readonly DisablingSetting[] {
  // inline tables are not parsed here, so nothing is reported
  if (/^\s*(?:hooks|state|hooks\.state)\s*=\s*\{/m.test(config?.text ?? '')) return []
  const states = new Map(sections.flatMap(one => hookStateOf(one)))
  const stateOf = (hook: HookHandler) => states.get(`${hook.file}:${toSnakeCase(hook.event)}:${hook.group}:${hook.nth}`)
  const silenced = {
    file: config?.file ?? '',
    silences: ['user', 'project'] as const,
  }
  return [
    {
      ...silenced,
      id: 'HOOK-UNREVIEWED',
      saw: 'the hook was never reviewed: it is skipped in silence',
      only: hook => stateOf(hook)?.trusted_hash === undefined,
      fix: REVIEW_HELP,
      waits: true,
    },
    {
      ...silenced,
      id: 'HOOK-UNREVIEWED',
      saw: 'the hook was changed since it was reviewed: it is skipped in silence',
      only: hook => {
        const hash = stateOf(hook)?.trusted_hash?.value.replace(/["']/g, '')
        const now = trustDigestOf(hook)
        return hash !== undefined && now !== undefined && hash !== now
      },
      fix: REVIEW_HELP,
      waits: true,
    },
    {
      ...silenced,
      id: 'HOOKS-DISABLED',
      saw: 'the hook is switched off in [hooks.state]',
      only: hook => stateOf(hook)?.enabled?.value === 'false',
      fix: 'start `codex`, then /hooks, and switch it on',
    },
  ]
}

const hookStateOf = (section: TomlSection): readonly (readonly [string, TomlSection['entries']])[] => {
  const key = tableKeyAfter('hooks.state', section.name)
  return key === undefined ? [] : [[key, section.entries]]
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
  const sections = parseTomlSections(text)
  const features = sections.find(({ name }) => name === 'features')?.entries ?? {}
  // these entries continue `[features]`, the last table of `renderConfig`
  const first = Object.entries(features).filter(([key]) => /hooks$/.test(key))
  const tables = sections.flatMap(({ name, entries }) => {
    const prefix = ['hooks.state', 'projects'].find(one => name.startsWith(`${one}.`))
    const key = prefix === undefined ? undefined : tableKeyAfter(prefix, name)
    return key === undefined
      ? []
      : [`\n[${prefix}.${JSON.stringify(moved(key))}]\n${renderTomlEntries(Object.entries(entries))}`]
  })
  return renderTomlEntries(first) + tables.join('')
}

const renderTomlEntries = (entries: readonly (readonly [string, { readonly value: string }])[]): string =>
  entries.map(([key, { value }]) => `${key} = ${value}\n`).join('')

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
