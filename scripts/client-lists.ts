import { existsSync } from 'node:fs'

interface Listed {
  readonly id: string
}

/** Lists of what stands in the clients' folders. The one in `src/clients/index.ts` is written by hand: one line makes a client. */
export const clientLists = (clients: readonly Listed[]): Readonly<Record<string, string>> => ({
  'src/clients/footprints.ts': knownAgents(clients.map(({ id }) => id)),
  'src/clients/registry.generated.ts': desks(clients.map(({ id }) => id)),
})

const HEAD = '// Written by `npm run generate` from the list in index.ts.'
const nameOf = (id: string): string => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What must be known of every agent at every event: clients themselves are loaded when they are named. */
function knownAgents(ids: readonly string[]): string {
  const imports = ids.map(id => `import { traces as ${nameOf(id)} } from './${id}/traces.ts'`)
  const lines = ids.map(id => `  ${/\W/.test(id) ? `'${id}': ${nameOf(id)}` : id},`)
  return `${HEAD}
${sorted([...imports, "import type { Traces } from './client.ts'", "import { others } from './others.ts'"])}

/** Every client that is served, by its id. */
export const served: Readonly<Record<string, Traces>> = {
${lines.join('\n')}
}

/** Every agent whose traces count, served or not. */
export const known: readonly Traces[] = [...Object.values(served), ...others]
`
}

/** What is asked of a client at a person's desk, never by the hook: a part, its list, its type and where that is. */
const PARTS = [
  ['adopts', 'adoptings', 'Adopting', 'adopting'],
  ['checkup', 'checkups', 'Checkup', 'checkup'],
  ['registers', 'registerings', 'Registering', 'registering'],
  ['transcribes', 'transcribings', 'Transcribing', 'transcribing'],
] as const

const WIDTH = 120

function desks(ids: readonly string[]): string {
  const owners = PARTS.map(([part]) => ids.filter(id => existsSync(`src/clients/${id}/${part}.ts`)))
  const local = (part: string, id: string) => `${part}${nameOf(id)[0]?.toUpperCase()}${nameOf(id).slice(1)}`
  const imports = PARTS.flatMap(([part, , type, file], nth) => [
    `import type { ${type} } from './${file}.ts'`,
    ...(owners[nth] ?? []).map(id => `import { ${part} as ${local(part, id)} } from './${id}/${part}.ts'`),
  ])
  const lists = PARTS.map(([part, list, type], nth) => {
    const names = (owners[nth] ?? []).map(id => local(part, id))
    const short = `export const ${list}: readonly ${type}[] = [${names.join(', ')}]`
    // as the formatter has it
    if (short.length <= WIDTH) return short
    return `export const ${list}: readonly ${type}[] = [\n${names.map(name => `  ${name},`).join('\n')}\n]`
  })
  return `${HEAD}\n${sorted(imports)}\n\n${lists.join('\n\n')}\n`
}

/** As the formatter sorts imports. */
const sorted = (imports: readonly string[]): string =>
  [...imports].sort((a, b) => (fileIn(a) < fileIn(b) ? -1 : 1)).join('\n')
const fileIn = (line: string): string => /'(.*)'/.exec(line)?.[1] ?? ''
