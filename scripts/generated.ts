import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Client, clients, renderPlugin } from '../src/clients/index.ts'
import { EVENT_KINDS } from '../src/engine/index.ts'
import { policyJsonSchema, testsJsonSchema } from '../src/policy/schema/json-schema.ts'
import { clientLists } from './client-lists.ts'
import { withEventNames } from './event-names.ts'
import { withPicture } from './picture.ts'
import { pluginForms } from './plugin-forms.ts'
import { clientsPage, provenSection } from './verified-clients.ts'

/** Files that are made from the sources: path → content. Written by `npm run generate`, compared by a test. */
export function generated(): Readonly<Record<string, string>> {
  return {
    'schema/signalbox.schema.json': `${JSON.stringify(policyJsonSchema(), null, 2)}\n`,
    'schema/signalbox-test.schema.json': `${JSON.stringify(testsJsonSchema(), null, 2)}\n`,
    ...Object.fromEntries(
      clients.map(client => [`docs/clients/${client.id}.md`, clientPage(client) + provenSection(client)]),
    ),
    'docs/clients.md': clientsPage(clients),
    'docs/guide/writing-a-policy.md': withEventNames('docs/guide/writing-a-policy.md', clients),
    ...Object.fromEntries(packPages()),
    ...clientLists(clients),
    ...pluginForms(),
    'plugins/opencode.mjs': renderPlugin({ command: ['signalbox'], onError: 'closed' }),
    'bin/clients.json': `${JSON.stringify(Object.fromEntries(clients.map(lastResort)), null, 2)}\n`,
    'native/clients.h': nativeClients(clients),
  }
}

/** What the last resort must know of a client when nothing else can be loaded. */
const lastResort = (client: Client) => {
  const { id, projectEnv, refusable, unnamed, failure } = client
  const unread = unreadOf(client)
  return [
    id,
    {
      ...(projectEnv && { project: projectEnv }),
      ...(isInWords(client) && { inWords: true }),
      ...(unnamed && { unnamed }),
      // the denial on stdout, for clients that ignore the exit code
      refuses: Object.fromEntries(refusable.map(name => [name, failure('closed', { name }, '{why}').stdout])),
      // the text for the person if the call passes, if the client shows it
      passes: Object.fromEntries(passedNames(client).map(name => [name, failure('open', { name }, '{why}').stdout])),
      ...(unread !== '' && { unread }),
    },
  ]
}

/** The protocol always needs a JSON answer. Other clients deny by the exit code what they cannot read. */
const isInWords = ({ failure }: Client): boolean => failure('closed', {}, '').exitCode === 0

/** The text for a payload whose event is unknown. */
const unreadOf = (client: Client): string => (isInWords(client) ? '' : client.failure('open', {}, '{why}').stdout)

/** Events that a failure denies, and events with which the client shows that a call passed unjudged. */
const passedNames = ({ refusable, eventNames, failure }: Client): readonly string[] => [
  ...refusable,
  ...[...(eventNames?.keys() ?? [])].filter(
    name => !refusable.includes(name) && /\{why\}/.test(failure('open', { name }, '{why}').stdout),
  ),
]

/** The same for the native hook, at compile time. */
function nativeClients(all: readonly Client[]): string {
  const text = (value: string | undefined): string => {
    if (value === undefined) return 'NULL'
    if (/[^ -~]|\?\?/.test(value)) throw new Error(`not plain enough for C: ${value}`)
    return JSON.stringify(value)
  }
  const words = (client: Client): string =>
    passedNames(client)
      .map(name => {
        const isRefusable = client.refusable.includes(name)
        const refuses = isRefusable ? client.failure('closed', { name }, '{why}').stdout : undefined
        const passes = client.failure('open', { name }, '{why}').stdout
        return `            {${text(name)},\n             ${text(refuses)},\n             ${text(passes)}},\n`
      })
      .join('')
  const rows = all.map(client => {
    const head = [text(client.id), text(client.projectEnv), text(client.unnamed), isInWords(client)].join(', ')
    return `    {${head},\n        ${text(unreadOf(client))},\n        (const struct words[]){\n${words(client)}            {NULL, NULL, NULL}}},\n`
  })
  return `// Written by \`npm run generate\` from src/clients/: the answers of the last resort for each client.
// clang-format off
#ifndef CLIENTS_H
#define CLIENTS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
  /** NULL in refuses: a failure denies nothing */
  const char *event, *refuses, *passes;
};

struct client {
  const char *id, *project, *unnamed;
  bool in_words;
  /** the text of a call that passes, if its event is unknown */
  const char *unread;
  const struct words *words;
};

static const struct client CLIENTS[] = {
${rows.join('')}};

#endif
`
}

const ROUTES = /(<!-- routes: [^>]*-->\n)[\s\S]*?(<!-- \/routes -->)/

/** The README of every pack, with the table of its routes and the picture of its gates as they are now. */
function packPages(): readonly [file: string, content: string][] {
  return readdirSync('packs').flatMap((pack): [string, string][] => {
    const readme = `packs/${pack}/README.md`
    const text = existsSync(readme) ? readFileSync(readme, 'utf8') : ''
    const made = withPicture(pack, withRoutes(pack, text))
    return made === undefined ? [] : [[readme, made]]
  })
}

function withRoutes(pack: string, text: string): string {
  if (!ROUTES.test(text)) return text
  const table = routeTable(parse(readFileSync(`packs/${pack}/pack.yaml`, 'utf8')))
  return text.replace(ROUTES, (_, begin, end) => `${begin}\n${table}\n${end}`)
}

interface RouteDoc {
  readonly message?: string
  readonly suggest?: string
  readonly needs?: { readonly command: string }
  readonly examples?: { readonly stops?: readonly string[] }
}

/** A page it stops, what it says instead (a command, or its first half-sentence), and the program without which it is silent. */
function routeTable({ gates }: { gates: Record<string, { routes?: Record<string, RouteDoc> }> }): string {
  const routes = Object.values(gates).flatMap(gate => Object.entries(gate.routes ?? {}))
  const rows = routes.flatMap(([id, { message, suggest, needs, examples }]) => {
    if (message === undefined) return []
    const instead = suggest === undefined ? message.replace(/: .*$/s, '') : `\`${suggest}\``
    return `| \`${id}\` | \`${examples?.stops?.[0]}\` | ${instead} | ${needs ? `\`${needs.command}\`` : '–'} |`
  })
  return `| route | such as | instead | needs |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

function clientPage({ id, title, unverified, capabilities, registrations, toolNames, notes = [] }: Client): string {
  const rows = EVENT_KINDS.map(kind => {
    const can = capabilities.events[kind]
    const decisions = can ? can.can.filter(decision => decision !== 'pass').join(', ') : ''
    return `| \`${kind}\` | ${decisions || '–'} | ${can?.context ? 'yes' : 'later'} | ${can?.message ? 'yes' : 'later'} |`
  })
  const callers = { marked: 'yes, by the payload', inferred: 'inferred from its calls', none: 'no' }[
    capabilities.callers
  ]
  const aliases = Object.entries(toolNames).map(([own, canonical]) => `\`${own}\` → \`${canonical}\``)
  return `# ${title}

<!-- generated by \`npm run generate\` from src/clients/${id}/ -->

\`signalbox hook --client ${id}\`

${unverified === undefined ? '' : `**Status: unverified.** ${unverified}\n\n`}| event | possible decisions | text for the agent | text for the person |
|---|---|---|---|
${rows.join('\n')}

"later" means that the text is delivered with the caller's next event that can carry it. A decision that an event does not support is
replaced by the nearest one that does not allow more; if the event cannot deny at all, the denial becomes a text.

- Subagents can be distinguished from the main agent: ${callers}.
- The exit status of shell commands is reported: ${capabilities.reportsExit ? 'yes' : 'no'}; the result of other calls: ${capabilities.reportsEnd ? 'yes' : 'no'}.
- Your own hooks can rewrite a call's input: ${rewrites(capabilities)}.
${[
  ...(registrations.length > 0
    ? [`The hook is registered in: ${registrations.map(file => `\`${file}\``).join(', ')}.`]
    : []),
  ...(aliases.length > 0 ? [`Other names of tools: ${aliases.join(', ')}.`] : []),
  ...notes,
]
  .map(line => `- ${line}\n`)
  .join('')}`
}

function rewrites({ events }: Client['capabilities']): string {
  const places = EVENT_KINDS.flatMap(kind => {
    const decisions = events[kind]?.rewrites
    return decisions ? [`\`${kind}\` with the decision ${decisions.join(' or ')}`] : []
  })
  return places.length > 0 ? `at ${places.join(', and ')}` : 'no'
}
