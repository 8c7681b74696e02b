import { pathToFileURL } from 'node:url'
import type { CodeGate, Program } from '../core/index.ts'

/** `import()` of whoever started us: inside of code that V8 keeps there is none. */
export type ImportModule = (url: string) => Promise<{ readonly default?: { readonly judge?: unknown } }>

/** The modules of code gates. One that does not load is missing here, and its gate fails as it declares. */
export async function loadCodeGates(program: Program, load: ImportModule): Promise<Record<string, CodeGate>> {
  const loaded: Record<string, CodeGate> = {}
  for (const { id, code } of program.gates) {
    if (code === undefined) continue
    const judge = await load(pathToFileURL(code).href).then(
      module => module?.default?.judge,
      () => undefined,
    )
    if (isJudge(judge)) loaded[id] = judge
  }
  return loaded
}

const isJudge = (value: unknown): value is CodeGate => typeof value === 'function'
