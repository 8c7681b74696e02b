import { type CompileContext, type DocumentKey, reportNoEffect } from '../context.ts'

/** `url` is a template. Warns of parts in regex or glob syntax: they are literal, and no address contains them. */
export function warnOfUrlSyntax(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  text: string,
  { host, segments }: { readonly host: string; readonly segments: readonly string[] },
): void {
  const none = (part: string, help: string): void =>
    reportNoEffect(context, holder, key, `\`${text}\` matches no address: \`${part}\` is matched literally`, { help })
  const [, pattern, named] = /^(?:\w+\?:\/\/(.*)|\w[\w-]*:([\w*].*))$/.exec(/:\d+(\/|$)/.test(text) ? '' : text) ?? []
  const strange = segments.find(part => !part.startsWith(':') && /\.\*|\.\+|[^|]\|[^|]/.test(part))
  if (/^\^|\\|\(\?|\$$/.test(text.replace(/\([^)]*\)/g, '')))
    none(text, `write \`{ regex: '${text.replace(/'/g, "''")}' }\`, or a template: \`https://host/:part/*rest\``)
  else if (pattern !== undefined) none(text, `write \`${pattern}\`: without a scheme it matches any`)
  else if (named !== undefined) none(text, `write \`${named}\``)
  else if (host !== '*' && /[*?|()+]/.test(host.replace(/^\*\./, '')))
    none(host, '`*.example.com` is any subdomain, `*` is any host; several hosts are a list')
  else if (strange !== undefined)
    none(
      strange,
      strange.includes('|')
        ? 'write a list'
        : 'write `*` for any characters in one part, `*rest` for all that follow; or remove the end',
    )
}
