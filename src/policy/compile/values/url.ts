import { parseUrlTemplate, type UrlPattern, urlRegexes } from '../../../engine/index.ts'
import { type CompileContext, type DocumentKey, reportError } from '../context.ts'
import { warnOfUrlSyntax } from '../warnings/url-syntax.ts'
import { checkRegex } from './regex.ts'
import { eachItem } from './value.ts'

type UrlDoc = string | { regex: string }
type UrlTemplate = NonNullable<ReturnType<typeof parseUrlTemplate>>

export function compileUrls(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  value: UrlDoc | readonly UrlDoc[],
): readonly UrlPattern[] {
  return [...eachItem(holder, key, value)].flatMap(([item, inner, name]): UrlPattern[] => {
    if (typeof item !== 'string') return checkRegex(context, item, 'regex', item.regex) ? [{ regex: item.regex }] : []
    const template = parseUrlTemplate(item)
    if (!template)
      reportError(context, inner, name, `\`${item}\` is not a url`, {
        help: 'write it like `https://host/:part/*rest`',
      })
    if (template) warnOfUrlSyntax(context, inner, name, item, template)
    const isSound =
      template &&
      checkTemplateParts(context, inner, name, template) &&
      urlRegexes(template).every(like => checkRegex(context, inner, name, like))
    return isSound ? [{ template }] : []
  })
}

/** Returns false and reports an error if a part of the template is invalid. */
function checkTemplateParts(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  { host, segments }: UrlTemplate,
): boolean {
  for (const part of [host, ...segments]) {
    const [braced, name] = /\{([^{}]*)\}/.exec(part.replace(/\(.*/, '')) ?? []
    if (braced !== undefined) {
      const help =
        braced === part && part !== host ? `write \`:${name}\`` : 'write `:name` or `*` for a whole part of the path'
      reportError(context, holder, key, `\`${braced}\` is not a part of a url`, { help })
      return false
    }
    const [, before, like = ''] = /^(:[^(]*)\((.*)$/.exec(part) ?? []
    if (before !== undefined && !(/^:\w+$/.test(before) && like.endsWith(')'))) {
      const help = like.endsWith(')') ? 'its name must be letters and digits' : `write \`${part})\``
      reportError(context, holder, key, `\`${part}\` is not \`:name(regex)\``, { help })
      return false
    }
  }
  return true
}
