import { parseUrlTemplate, type UrlPattern, urlRegexes } from '../../pattern/index.ts'
import { type Context, complain, type Key } from './context.ts'
import { isRegex } from './regex.ts'
import { warnOfUrl } from './url-syntax.ts'
import { items } from './value.ts'

type UrlDoc = string | { regex: string }
type Template = NonNullable<ReturnType<typeof parseUrlTemplate>>

export function urls(
  context: Context,
  holder: object,
  key: Key,
  value: UrlDoc | readonly UrlDoc[],
): readonly UrlPattern[] {
  return [...items(holder, key, value)].flatMap(([item, inner, name]): UrlPattern[] => {
    if (typeof item !== 'string') return isRegex(context, item, 'regex', item.regex) ? [{ regex: item.regex }] : []
    const template = parseUrlTemplate(item)
    if (!template)
      complain(context, inner, name, `\`${item}\` is not a url`, { help: 'write it like `https://host/:part/*rest`' })
    if (template) warnOfUrl(context, inner, name, item, template)
    const isSound =
      template &&
      isWritten(context, inner, name, template) &&
      urlRegexes(template).every(like => isRegex(context, inner, name, like))
    return isSound ? [{ template }] : []
  })
}

/** False, with a problem noted, when a part is written as no part is. */
function isWritten(context: Context, holder: object, key: Key, { host, segments }: Template): boolean {
  for (const part of [host, ...segments]) {
    const [braced, name] = /\{([^{}]*)\}/.exec(part.replace(/\(.*/, '')) ?? []
    if (braced !== undefined) {
      const help =
        braced === part && part !== host ? `write \`:${name}\`` : 'a whole part has a name: `:name`, or is any: `*`'
      complain(context, holder, key, `\`${braced}\` names no part of a url`, { help })
      return false
    }
    const [, before, like = ''] = /^(:[^(]*)\((.*)$/.exec(part) ?? []
    if (before !== undefined && !(/^:\w+$/.test(before) && like.endsWith(')'))) {
      const help = like.endsWith(')') ? 'its name is made of letters and digits' : `write \`${part})\``
      complain(context, holder, key, `\`${part}\` is not \`:name(regex)\``, { help })
      return false
    }
  }
  return true
}
