import type { JsonObject } from '../../lib/json.ts'

/** Fields that a text writes as tags: `<command>git push</command>`, `<parameter name="command">git push</parameter>`. */
export const taggedFields = (text: string): JsonObject =>
  Object.fromEntries(
    [...text.matchAll(/<([a-z]\w*)(?:\s[^<>]*?\b(?:name|key)=["']?([\w.-]+)[^<>]*)?>([^<]*)<\/\1>/gi)].map(
      ([, tag = '', name, inner = '']) => [name ?? tag, inner],
    ),
  )
