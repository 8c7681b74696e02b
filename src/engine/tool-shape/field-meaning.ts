import { withoutEncodingSuffix } from './encoded-field.ts'
import { splitIdentifier } from './tool-name-words.ts'

/** What a field of a tool's input holds, by its name. `prose`: words for people; `other`: the name does not say. */
export type FieldMeaning =
  | 'command'
  | 'args'
  | 'stdin'
  | 'folder'
  | 'env'
  | 'background'
  | 'path'
  | 'place'
  | 'content'
  | 'text'
  | 'code'
  | 'language'
  | 'url'
  | 'verb'
  | 'id'
  | 'name'
  | 'prose'
  | 'other'

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Meaning by the last word of the name: `shell_command`, `targetFile`, `new_string`. */
const BY_LAST: readonly (readonly [FieldMeaning, ReadonlySet<string>])[] = [
  ['command', set('command commands cmd cmds commandline commandlines cmdline script scripts argv')],
  ['folder', set('cwd workdir workingdirectory workingdir chdir')],
  ['path', set('path paths file files filename filenames filepath filepaths notebook folder dir dirpath directory')],
  [
    'content',
    set('content contents edit edits replacement replacements diff diffs patch patches insertion chunk chunks newtext'),
  ],
  ['url', set('url urls href link links uri uris endpoint website webpage')],
  ['code', set('code source program expression javascript python')],
  ['language', set('language lang interpreter kernel runtime')],
  ['id', set('id ids uuid pid sid timeout delay encoding limit offset')],
  [
    'prose',
    set(
      'description explanation thought thoughts query queries question questions prompt message title summary reason reasoning goal purpose instruction instructions comment note notes topic label result response answer output plan todo todos task step steps search pattern regex glob status header subject branch intent fact facts memory citations citation error',
    ),
  ],
  ['name', set('name names')],
  ['text', set('text string str body data value lines markdown payload buffer bytes blob raw json html snippet')],
]

/** Meaning by the whole name, without its separators. */
const BY_NAME: ReadonlyMap<string, FieldMeaning> = new Map<string, FieldMeaning>([
  ...each('command', 'shell bash sh exec execute run commandline cmdline shellline commandlinetext commandtext'),
  ...each(
    'args',
    'args arguments parameters params arg argument arglist argslist cmdargs commandargs options opts flags operands',
  ),
  ...each('stdin', 'stdin standardinput input'),
  ...each('folder', 'cwd workdir workingdirectory workingdir directory dir folder dirpath workspacefolder'),
  ...each('env', 'env environment environmentvariables envvars'),
  ...each('background', 'background isbackground runinbackground async detached detach isasync'),
  ...each('place', 'source src destination dest dst target from to old new'),
  ...each(
    'content',
    'newstring newstr newcontent newcontents newsource codeedit codecontent filetext changes append replace replacewith repl',
  ),
  ...each('text', 'oldstring oldstr oldtext filecontents'),
  ...each('verb', 'action operation op method mode kind type tool toolname fn func function functionname'),
  ...each('prose', 'oldsource filetype'),
])

function each(field: FieldMeaning, names: string): [string, FieldMeaning][] {
  return names.split(' ').map(name => [name, field])
}

/** A name in both lists (`dir`) is a `folder`: where a command runs. Without a command it counts as a path. */
export function fieldMeaningOf(name: string): FieldMeaning {
  if (/^(base64|b64)$/i.test(name)) return 'text'
  const words = splitIdentifier(withoutEncodingSuffix(name))
  if (words[0] === 'sub') return 'verb'
  const last = words.at(-1) ?? ''
  const named = BY_NAME.get(words.join(''))
  if (named !== undefined) return named
  if (isCommandName(words, last)) return 'command'
  return BY_LAST.find(([, names]) => names.has(last))?.[0] ?? 'other'
}

/** `command_string`, `cmdText`, `shell_line`, `bash_code`, `command_to_run`; not `command_id`. */
const isCommandName = (words: readonly string[], last: string): boolean =>
  words.some(word => /^(command|cmd|commandline|cmdline|shell|bash|zsh|sh|script)$/.test(word)) &&
  (/^(string|str|text|lines?|code|source|body|value|content|contents|input)$/.test(last) ||
    / to /.test(words.join(' ')))
