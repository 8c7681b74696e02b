import { type CompileContext, type DocumentKey, reportNoEffect, reportWarningAtValue } from '../context.ts'

/** `path` is a glob. Warns of a regex, `.gitignore` syntax, or a folder name without a slash: these match little or nothing. */
export function warnOfPathSyntax(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  text: string,
  isPrefix: boolean,
): void {
  const found = findPathMistake(text)
  const doubt = findPathDoubt(text)
  if (found) reportNoEffect(context, holder, key, found.message, { help: found.help })
  else if (isProbablyFolder(text, context.input.sets.registrations ?? []) && !isPrefix)
    reportWarningAtValue(context, holder, key, `\`${text}\` matches only this file itself, and nothing below it`, {
      help: `for everything in the folder write \`${text}/\``,
      folder: text,
    })
  else if (isUnlikelyAbsolutePath(text, context.input)) {
    const inProject = text.replace(/^\/+/, '')
    const folder = inProject.split('/')[0] ?? ''
    reportWarningAtValue(
      context,
      holder,
      key,
      `\`${text}\` matches what is in \`/${folder}\` of the disk, not of the project`,
      {
        help: `write \`${inProject}\``,
        folder,
      },
    )
  } else if (doubt) reportWarningAtValue(context, holder, key, doubt.message, { help: doubt.help })
}

interface PathRemark {
  readonly message: string
  readonly help: string
}

interface PathRoots {
  readonly root: string
  readonly home: string
}

function findPathMistake(text: string): PathRemark | undefined {
  const none = (why: string, help: string): PathRemark => ({ message: `\`${text}\` matches no file: ${why}`, help })
  if (text.trim() === '') return none('it is empty', 'write `**` for every file, or leave `path` out')
  if (text.startsWith('!')) return none('`!` is part of the name', `write \`not: { path: ${text.slice(1)} }\``)
  if (isSeveralPaths(text) && !text.includes('{'))
    return none('it is read as one path', `write a list: \`[${text.split(/\s*,\s*|\s+/).join(', ')}]\``)
  if (/^[A-Za-z]:[\\/]|^[\w.-]+(\\[\w.*-]+)+$/.test(text) && !REGEX_ESCAPE.test(text))
    return none('folders are separated by `/`', `write \`${text.replaceAll('\\', '/')}\``)
  if (/^file:\/\//.test(text)) return none('it is read as a path', `write \`${text.replace(/^file:\/\//, '')}\``)
  if (looksLikeRegex(text)) return none('it is a glob, not a regex', toGlob(text))
  if (/[@+?*!]\([^)]*\)/.test(text) || /\([^)]*\|[^)]*\)/.test(text))
    return none(
      'alternatives are written in braces',
      `write \`${text.replace(/[@+?*!]?\(([^)]*)\)/g, (_, inner) => `{${inner.replaceAll('|', ',')}}`)}\``,
    )
  if (/[^|]\|[^|]/.test(text))
    return none('it is read as one path', `write a list: \`[${text.split('|').join(', ')}]\``)
  if (CHARACTER_CLASS.test(text))
    return none('`[…]` is part of the name here', 'write `?` for one character, `*` for several')
  if (/\{[^{},]*\.\.[^{},]*\}/.test(text)) return none('`..` in braces is not a range', 'write `{a,b,c}`')
  if (/\{[^{}]*$|^[^{}]*\}/.test(text)) return none('its braces are not in pairs', 'write `{a,b}`')
  if (/\$\{?[A-Z_]+|%[A-Z]+%/.test(text))
    return none('variables are not replaced', 'paths are relative to the project; `~` is the home folder')
  return undefined
}

/** `src/ test/`, `a.ts, b.ts`; a space within a name (`User Guide/`) does not separate paths. */
const isSeveralPaths = (text: string): boolean =>
  /,\s/.test(text) || (/\s/.test(text.trim()) && text.split(/\s+/).every(word => /[/*]$|\.\w+$/.test(word)))

const REGEX_ESCAPE = /\\[.bdswBDSW/$+*?()[\]{}|^-]/
const CHARACTER_CLASS = /\[[!^]|\[(?:a-z|A-Z|0-9|\w-\w\])/

const looksLikeRegex = (text: string): boolean =>
  /^\^/.test(text) ||
  /[^/$]\$$/.test(text) ||
  REGEX_ESCAPE.test(text) ||
  /\.\+|\]\+|\)\+|\(\?/.test(text) ||
  /(^|[/(^])\.\*.*\.\*/.test(text)

/** Converts a regex to a glob where that is clear. */
function toGlob(text: string): string {
  const glob = text
    .replace(/^\^(?!\.\*)/, '')
    .replace(/^\^?\.[*+]/, '**/*')
    .replace(/\$$/, '')
    .replace(/\/\.[*+](?=\\\.)/g, '/**/*')
    .replace(/\\([./-])/g, '$1')
    .replace(/\((?:\?:)?([\w.|-]+)\)/g, (_, inner) => `{${inner.replaceAll('|', ',')}}`)
    .replace(/\/\.[*+]$/, '/')
    .replace(/\.[*+]/g, '*')
  return /[\\()[\]+^$]/.test(glob) ? 'write a glob: `dir/`, `**/*.ts`' : `write \`${glob}\``
}

/** Common top-level folders of disks. Any other first folder is probably a project folder in `.gitignore` syntax. */
const ROOT_FOLDERS = new Set(
  [
    'applications bin boot cygdrive data dev efs etc home host lib lib32 lib64 library mnt media net nix opt private proc root run sbin',
    'snap srv storage sys system tmp usr users var volumes work workspace workspaces github builds app c d',
  ].flatMap(words => words.split(' ')),
)

function isUnlikelyAbsolutePath(text: string, { root, home }: PathRoots): boolean {
  const [, first = ''] = /^\/+([^/]+)(?:\/|$)/.exec(text) ?? []
  if (first === '' || first === '.' || /[*?{]/.test(first)) return false
  const isNear = [root, home].some(folder => folder.toLowerCase().split('/')[1] === first.toLowerCase())
  return !isNear && !ROOT_FOLDERS.has(first.toLowerCase())
}

/** Known files without an extension. */
const FILES_WITHOUT_EXTENSION =
  /^(?:make|docker|container|jenkins|vagrant|proc|gem|rake|brew|cap|danger|fast|pod|pip|tilt|earth|just|caddy|guard|thor|berks|cheff?)file$|^(?:readme|license|licence|copying|notice|authors|changelog|changes|contributing|codeowners|maintainers|install|todo|version|build|workspace|owners|gradlew|mvnw|configure|artisan|cname|passwd|shadow|group|hosts|fstab|sudoers|crontab|hgrc|id_\w+|authorized_keys|known_hosts|config|credentials|head|pre-\w+|post-\w+|commit-msg)$/i
const DOT_FOLDERS =
  /^\.(?:git|github|gitlab|vscode|idea|husky|ssh|aws|azure|kube|docker|config|venv|cache|circleci|gnupg|next|nuxt|terraform|signalbox|devcontainer|storybook|yarn|local)$/

/** `src`, `packages/app`, `.github`, `**` + `/node_modules`: no extension and no wildcard in the last part, so probably a folder. */
function isProbablyFolder(text: string, registrations: readonly string[]): boolean {
  const last = text.split('/').at(-1) ?? ''
  if (text === '.' || text === '~' || DOT_FOLDERS.test(last)) return true
  // the folder of an agent's settings; any other path outside the project is taken literally
  if (registrations.some(file => file.startsWith(`${text}/`))) return true
  if (/^[/~]/.test(text)) return false
  // a script without an extension, in a folder for scripts
  const isScript = /(^|\/)(\.?bin|sbin|scripts?|hooks|tools)\/[^/]+$/.test(text)
  return /^[a-z][a-z0-9_-]*$/.test(last) && !FILES_WITHOUT_EXTENSION.test(last) && !isScript
}

/** Finds patterns that are valid but rarely intended. */
function findPathDoubt(text: string): PathRemark | undefined {
  if (/(^|\/)\.\*$/.test(text))
    return {
      message: `\`${text}\` matches only files whose name begins with a dot`,
      help: `for every file write \`${text.replace(/\.\*$/, '')}**\``,
    }
  if (/(^|\/)\.\*\.\w+$/.test(text))
    return {
      message: `\`${text}\` matches only files whose name begins with a dot`,
      help: `for every such file write \`${text.replace(/\.\*/, '**/*')}\``,
    }
  return undefined
}
