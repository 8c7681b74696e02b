import { pathToFileURL } from 'node:url'
import type { CodeGate, Program } from '../core/index.ts'

/** The modules of code gates. One that does not load is missing here, and its gate fails as it declares. */
export async function loadCodeGates(program: Program): Promise<Record<string, CodeGate>> {
  const loaded: Record<string, CodeGate> = {}
  for (const { id, code } of program.gates) {
    if (code === undefined) continue
    const judge = await import(pathToFileURL(code).href).then(
      module => module?.default?.judge,
      () => undefined,
    )
    if (typeof judge === 'function') loaded[id] = judge
  }
  return loaded
}
