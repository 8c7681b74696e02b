/** What to do instead: a shell line, an agent to spawn (one of several), a tool to call. */
export type Suggest =
  | string
  | { readonly agent: string | readonly string[] }
  | { readonly tool: string; readonly path?: string }

export const suggestText = (suggest: Suggest): string => {
  if (typeof suggest === 'string') return suggest
  if ('agent' in suggest) return [suggest.agent].flat().join(' or ')
  return [suggest.tool, suggest.path].filter(Boolean).join(' ')
}
