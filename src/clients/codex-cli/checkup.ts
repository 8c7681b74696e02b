import { sha256Of } from '../../pattern/index.ts'
import { type Checkup, type Hooked, isServerOnly, type Read, type Switch, wholeServer } from '../checkup.ts'
import { ID } from './events.ts'
import { keyAfter, type Section, sectionsOf } from './toml.ts'

const CONFIG = '~/.codex/config.toml'
const REQUIRED = '/etc/codex/requirements.toml'
const REVIEW = 'start `codex`, then /hooks, and trust it'

export const checkup: Checkup = {
  id: ID,
  files: [
    { path: '~/.codex/hooks.json', scope: 'user' },
    { path: '.codex/hooks.json', scope: 'project' },
  ],
  beside: [
    { path: CONFIG, scope: 'user' },
    { path: REQUIRED, scope: 'managed' },
  ],
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
    const config = around.files.find(({ path }) => path === CONFIG)
    const sections = sectionsOf(config?.text ?? '')
    const file = config?.file ?? ''
    return [
      ...featureOff(sections, file),
      ...managedOnly(around.files),
      ...projectUntrusted(sections, file, around.root),
      ...untrusted(sections, config),
    ]
  },
  callersSince: '0.134.0',
  mcp: name => (isServerOnly(name) ? `${name}__.*` : undefined),
  policyMcp: wholeServer,
  starts: { shell: 'user', projectEnv: [] },
  rehearsal: {
    kept: [['hooks'], ['description']],
    launch: ({ model, prompt }) => ({
      args: ['exec', '--skip-git-repo-check', prompt],
      env: { SCRIPTED_KEY: 'no-key' },
      files: { '.codex/config.toml': configOf(model) },
    }),
    carried: ({ files, root, home }, stage) => {
      const config = files.find(({ path }) => path === CONFIG)
      return config === undefined ? {} : { '.codex/config.toml': trustIn(config.text, { root, home }, stage) }
    },
    call: command => ({ tool: 'exec_command', input: { cmd: command } }),
  },
}

function featureOff(sections: readonly Section[], file: string): readonly Switch[] {
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

function managedOnly(files: readonly Read[]): readonly Switch[] {
  const required = files.find(({ path }) => path === REQUIRED)
  const found = sectionsOf(required?.text ?? '').flatMap(({ entries }) => entries.allow_managed_hooks_only ?? [])
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

function projectUntrusted(sections: readonly Section[], file: string, root: string): readonly Switch[] {
  const trusted = sections.some(
    ({ name, entries }) =>
      keyAfter('projects', name) === root && entries.trust_level?.value.replace(/["']/g, '') === 'trusted',
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

/** It runs only what was reviewed: it remembers each handler by its place, with a digest of what stood there. */
function untrusted(sections: readonly Section[], config: Read | undefined): readonly Switch[] {
  // written in another way: who can tell
  if (/^\s*(?:hooks|state|hooks\.state)\s*=\s*\{/m.test(config?.text ?? '')) return []
  const states = new Map(sections.flatMap(one => keyOf(one)))
  const stateOf = (hook: Hooked) => states.get(`${hook.file}:${snake(hook.event)}:${hook.group}:${hook.nth}`)
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
      fix: REVIEW,
      waits: true,
    },
    {
      ...silenced,
      id: 'HOOK-UNREVIEWED',
      saw: 'the hook was changed since it was reviewed: it is skipped in silence',
      only: hook => {
        const hash = stateOf(hook)?.trusted_hash?.value.replace(/["']/g, '')
        const now = digestOf(hook)
        return hash !== undefined && now !== undefined && hash !== now
      },
      fix: REVIEW,
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

const keyOf = (section: Section): readonly (readonly [string, Section['entries']])[] => {
  const key = keyAfter('hooks.state', section.name)
  return key === undefined ? [] : [[key, section.entries]]
}

const snake = (event: string): string => event.replace(/(?<=.)[A-Z]/g, letter => `_${letter}`).toLowerCase()

/** As 0.166.0 makes it, seen by asking its app server. Of a handler with further settings it is not known. */
export function digestOf({ event, matcher, handler }: Hooked): string | undefined {
  const { type, command, timeout = 600, ...more } = handler
  if (matcher !== undefined || Object.keys(more).length > 0) return undefined
  const normal = { event_name: snake(event), hooks: [{ async: false, command, timeout, type }] }
  return `sha256:${sha256Of(new TextEncoder().encode(JSON.stringify(normal)))}`
}

/** What it was told to trust, with the places of a stage in place of the real ones. */
function trustIn(
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
  const sections = sectionsOf(text)
  const features = sections.find(({ name }) => name === 'features')?.entries ?? {}
  // `[features]` is the last table of `configOf`
  const first = Object.entries(features).filter(([key]) => /hooks$/.test(key))
  const tables = sections.flatMap(({ name, entries }) => {
    const prefix = ['hooks.state', 'projects'].find(one => name.startsWith(`${one}.`))
    const key = prefix === undefined ? undefined : keyAfter(prefix, name)
    return key === undefined ? [] : [`\n[${prefix}.${JSON.stringify(moved(key))}]\n${linesOf(Object.entries(entries))}`]
  })
  return linesOf(first) + tables.join('')
}

const linesOf = (entries: readonly (readonly [string, { readonly value: string }])[]): string =>
  entries.map(([key, { value }]) => `${key} = ${value}\n`).join('')

/** Features that wait for a network. */
const ONLINE = ['apps', 'plugins', 'remote_plugin', 'api_key_model_discovery', 'daemon_auto_start']

const configOf = (model: string): string => `model = "gpt-5.1-codex"
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
${ONLINE.map(feature => `${feature} = false`).join('\n')}
`
