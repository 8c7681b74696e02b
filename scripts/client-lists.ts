import { existsSync } from 'node:fs'

interface Listed {
  readonly id: string
}

/** Lists of what stands in the clients' folders. The one in `src/clients/index.ts` is written by hand: one line makes a client. */
export const clientLists = (clients: readonly Listed[]): Readonly<Record<string, string>> => ({
  'src/clients/footprints.ts': footprintLists(clients.map(({ id }) => id)),
  'src/clients/registry.generated.ts': partLists(clients.map(({ id }) => id)),
})

const HEAD = '// Written by `npm run generate` from the list in index.ts.'
const nameOf = (id: string): string => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What must be known of every agent at every event: clients themselves are loaded when they are named. */
function footprintLists(ids: readonly string[]): string {
  const imports = ids.map(id => `import { footprint as ${nameOf(id)} } from './${id}/footprint.ts'`)
  const lines = ids.map(id => `  ${/\W/.test(id) ? `'${id}': ${nameOf(id)}` : id},`)
  return `${HEAD}
${sorted([...imports, "import type { ClientFootprint } from './client.ts'", "import { unsupportedAgents } from './other-agents.ts'"])}

/** Every client that is served, by its id. */
export const footprintsByClient: Readonly<Record<string, ClientFootprint>> = {
${lines.join('\n')}
}

/** Every agent whose footprint counts, served or not. */
export const allFootprints: readonly ClientFootprint[] = [...Object.values(footprintsByClient), ...unsupportedAgents]
`
}

/** Parts of a client that commands use and the hook never loads: its file and name, the list, its type, and the file of the type. */
const PARTS = [
  { file: 'import-hooks', name: 'hookImporter', list: 'hookImporters', type: 'HookImporter', from: 'hook-import' },
  {
    file: 'diagnostics',
    name: 'diagnostics',
    list: 'clientDiagnostics',
    type: 'ClientDiagnostics',
    from: 'diagnostics',
  },
  { file: 'settings', name: 'settings', list: 'clientSettings', type: 'ClientSettings', from: 'settings' },
  {
    file: 'transcript',
    name: 'transcriptFormat',
    list: 'transcriptFormats',
    type: 'TranscriptFormat',
    from: 'transcript',
  },
] as const

const WIDTH = 120

function partLists(ids: readonly string[]): string {
  const owners = PARTS.map(({ file }) => ids.filter(id => existsSync(`src/clients/${id}/${file}.ts`)))
  const local = (name: string, id: string) => `${name}${nameOf(id)[0]?.toUpperCase()}${nameOf(id).slice(1)}`
  const imports = PARTS.flatMap(({ file, name, type, from }, nth) => [
    `import type { ${type} } from './adapter/${from}.ts'`,
    ...(owners[nth] ?? []).map(id => `import { ${name} as ${local(name, id)} } from './${id}/${file}.ts'`),
  ])
  const lists = PARTS.map(({ name, list, type }, nth) => {
    const names = (owners[nth] ?? []).map(id => local(name, id))
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
