import type { Json, JsonObject } from '../../../lib/json.ts'

/** A client's own name of a tool → the canonical one; a name nobody translates is canonical already. */
export const createToolTranslator =
  (names: Readonly<Record<string, string>>) =>
  (native: string): string =>
    Object.hasOwn(names, native) ? (names[native] ?? native) : native

type FieldNamesByTool = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The input under canonical names too; the client's own fields stay, for `input:` conditions. By canonical tool. */
export const createFieldTranslator =
  (fields: FieldNamesByTool) =>
  (tool: string, input: JsonObject): JsonObject => {
    const added: [string, Json][] = Object.entries(fields[tool] ?? {}).flatMap(([own, canonical]) => {
      const value = input[own]
      return value === undefined ? [] : [[canonical, value]]
    })
    return { ...input, ...Object.fromEntries(added) }
  }
