import type { Json, JsonObject } from '../../../lib/json.ts'

/** Translates a client's tool name to the canonical one; other names are returned unchanged. */
export const createToolTranslator =
  (names: Readonly<Record<string, string>>) =>
  (native: string): string =>
    Object.hasOwn(names, native) ? (names[native] ?? native) : native

type FieldNamesByTool = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Adds canonical field names to an input, by canonical tool; the client's own fields stay, for `input:` conditions. */
export const createFieldTranslator =
  (fields: FieldNamesByTool) =>
  (tool: string, input: JsonObject): JsonObject => {
    const added: [string, Json][] = Object.entries(fields[tool] ?? {}).flatMap(([own, canonical]) => {
      const value = input[own]
      return value === undefined ? [] : [[canonical, value]]
    })
    return { ...input, ...Object.fromEntries(added) }
  }
