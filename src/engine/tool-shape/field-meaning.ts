import type { JsonObject } from '../../lib/json.ts'

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

/** Meaning by the last word of the name, in the singular or plural: `shell_command`, `targetFiles`, `new_string`. */
const BY_LAST: readonly (readonly [FieldMeaning, ReadonlySet<string>])[] = [
  ['command', set('command cmd commandline cmdline script argv')],
  ['folder', set('cwd workdir workingdirectory workingdir chdir')],
  ['path', set('path file filename filepath notebook folder dir dirpath directory')],
  ['content', set('content edit replacement diff patch patches insertion chunk newtext')],
  ['url', set('url href link uri endpoint website webpage')],
  ['code', set('code source program expression statements')],
  ['language', set('language lang interpreter kernel runtime')],
  ['id', set('id uuid pid sid timeout delay encoding limit offset')],
  [
    'prose',
    set(
      'description explanation thought query queries question prompt message title summary reason reasoning goal objective purpose instruction comment note topic label result response answer output plan todo task step search pattern regex glob status header subject branch intent term fact memory citation error needle keyword phrase choice filter',
    ),
  ],
  ['name', set('name')],
  ['text', set('text string str body data value lines markdown payload buffer bytes blob raw json html snippet')],
]

/** Meaning by the whole name, without its separators. */
const BY_NAME: ReadonlyMap<string, FieldMeaning> = new Map<string, FieldMeaning>([
  ...each('command', 'shell bash sh exec execute run commandline cmdline shellline commandlinetext commandtext'),
  ...each('args', 'parameters params argslist cmdargs commandargs options opts flags operands'),
  ...each('stdin', 'stdin standardinput input'),
  ...each('folder', 'workingdirectory workingdir directory dir folder dirpath workspacefolder'),
  ...each('env', 'env environment environmentvariables envvars'),
  ...each('background', 'background isbackground runinbackground async detached detach isasync'),
  ...each('place', 'source src destination dest dst target from to old new'),
  ...each(
    'content',
    'newstring newstr newcontent newcontents newsource codeedit codecontent filetext changes append replace replacewith repl',
  ),
  ...each('text', 'oldstring oldstr oldtext filecontents'),
  ...each('verb', 'action verb do operation op method mode kind type tool toolname fn func function functionname'),
  ...each('prose', 'oldsource filetype informationrequest'),
])

function each(field: FieldMeaning, names: string): [string, FieldMeaning][] {
  return names.split(' ').map(name => [name, field])
}

const LANGUAGES = set('javascript js typescript python py lua ruby perl php nodejs powershell pwsh applescript')

/** A field that is named after a language holds code in it: `{ python: '…' }`. */
export const isLanguageName = (name: string): boolean => LANGUAGES.has(name.toLowerCase())

/** A name in both lists (`dir`) is a `folder`: where a command runs. Without a command it counts as a path. */
export function fieldMeaningOf(name: string): FieldMeaning {
  if (/^(base64|b64)$/i.test(name)) return 'text'
  const words = splitIdentifier(withoutEncodingSuffix(name))
  if (words[0] === 'sub') return 'verb'
  const last = words.at(-1) ?? ''
  const named = BY_NAME.get(words.join(''))
  if (named !== undefined) return named
  if (isCommandName(words, last)) return 'command'
  if (words.some(word => /^(args?|arguments?|arglist)$/.test(word))) return 'args'
  return LANGUAGES.has(last)
    ? 'code'
    : (BY_LAST.find(([, names]) => names.has(last) || names.has(last.replace(/s$/, '')))?.[0] ?? 'other')
}

/** `command_string`, `cmdText`, `shell_line`, `bash_code`, `command_to_run`; not `command_id`. */
const isCommandName = (words: readonly string[], last: string): boolean =>
  words.some(word => /^(command|cmd|commandline|cmdline|shell|bash|zsh|sh|script)$/.test(word)) &&
  (/^(string|str|text|lines?|code|source|body|value|content|contents|input)$/.test(last) ||
    / to /.test(words.join(' ')))

/** An encoding at either end of a field's name: `command_base64`, `b64Content`, `cmdHex`, `encoded_script`. */
const ENCODING =
  /^(?:base64|b64|hex|encoded)(?:[_-]|(?=[A-Z]))|(?:[_-](?:base64|b64|hex|encoded)|Base64|B64|Hex|Encoded)$/
const ENCODING_FIELD = /^((transfer|content|command|text)?[_-]?encoding|encoded[_-]?as|format|codec)$/i
const ENCODINGS = /^(base[_-]?(64|32|85)(url)?|b64|hex|gzip|deflate|rot13|uu)$/i

const withoutEncodingSuffix = (name: string): string => name.replace(ENCODING, '')

/** Does this field hold an encoded form of what is run or written? */
export const isEncodedField = (record: JsonObject, name: string): boolean =>
  withoutEncodingSuffix(name) !== name || declaresEncoding(record)

export const declaresEncoding = (record: JsonObject): boolean =>
  Object.entries(record).some(
    ([name, value]) => ENCODING_FIELD.test(name) && typeof value === 'string' && ENCODINGS.test(value),
  )

/** What the words in the name of a tool, or of an input field, mean. */

/** Splits `readTextFile`, `read_text_file`, `read-text-file`, `URLFetch` into words. */
export const splitIdentifier = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(word => word !== '')

/** The name of an MCP tool follows its server's name. */
export const wordsOfToolName = (tool: string): readonly string[] => splitIdentifier(tool.split('__').at(-1) ?? '')

export const GIT_VERB = /^(add|clean|commit|push|merge|rebase|checkout|reset|restore|stash|switch|tag|revert|pull)$/
const READS =
  /^(read|get|list|ls|search|find|grep|rg|ripgrep|ag|ack|glob|stat|info|view|show|cat|head|tail|tree|describe|query|fetch|diff|count|exists|check|status|log|blame|overview)$/
const WRITES =
  /^(write|edit|create|make|put|set|save|append|insert|replace|update|patch|apply|move|mv|rename|copy|cp|delete|remove|rm|unlink|trash|link|symlink|upload|download|extract|unzip|chmod|touch|truncate|add)$/
const MORE_WRITES =
  /^(overwrite|modify|change|rewrite|prepend|mkdir|rmdir|clear|restore|undo|revert|format|fix|autofix|repair|refactor|reformat|discard|relocate|rotate|str|screenshot|export|dump|store|persist|scaffold|generate|organi[sz]e|codemod|clean|transform|sort|minify)$/
const TAKES_AWAY = /^(extract|unzip|chmod|link|symlink)$/
const DELETES = /^(delete|remove|rm|rmdir|unlink|trash|erase|clear)$/
const TAKEN_AWAY =
  /^(deletion|removal|deleted?|removed?|erased?|purged?|wiped?|(unlink|trash|destroy)(ed)?|rm|rmdir|del)s?$/
const MOVES = /^(move|mv|rename|relocate)$/
const FETCHES =
  /^(fetch|scrape|crawl|navigate|goto|browse|visit|url|urls|web|webpage|website|http|https|curl|wget|download|screenshot)$/
const RUNS = /^(run|exec|execute|eval|evaluate|invoke|launch|spawn|start)$/
const SHELLS = /^(shell|bash|zsh|sh|fish|terminal|powershell|pwsh|cmd|console|command|commands|subprocess|process)$/
const AGENTS = /^(agent|agents|subagent|subagents|skill|prompt|query|queries)$/
const SENDS = /^(write|send|type|input|interact|paste|feed|keys|keystrokes|press)$/
const RUNNING =
  /^(shell|bash|zsh|terminal|powershell|pwsh|console|process|stdin|pty|tty|term|pane|tmux|repl|keys|keystrokes)$/
/** For tools that no MCP server provides: the tool reads a file or shows it. */
const LOOKS =
  /^(open|expand|analyze|analyse|inspect|preview|lint|outline|summarize|summarise|explain|validate|verify|compare|hash|measure|scan|parse|focus|reveal|select|attach|mention|diagnostics|errors|usages|symbols|references|definition|hover|finder)$/
/** The tool's input is prose for people or for a model. */
const TALKING_VERB =
  /^(think|thinking|sequentialthinking|thought|reason|plan|planner|report|intent|memory|memories|remember|recall|chatrecall|introspect|issue|issues|ticket|comment|note|notes|ask|question|questions|message|messages|reply|respond|response|answer|say|speak|chat|post|notify|notification|email|mail|todo|todos|task|tasks|search|query|agent|agents|subagent|skill|prompt|review|discuss|handoff|delegate|completion|finish|submit|title|translate|pull|pr|oracle|librarian|consult|advise|advisor|team|goal|goals|mode|knowledge|sourcegraph|suggest|confirm|elicit|clarify|inform|human|poll|choose|display)$/
/** Changes something that the input need not show: a machine, a server, a repository, a project. */
const ACTS =
  /^(install|uninstall|deploy|undeploy|publish|unpublish|release|provision|destroy|upgrade|downgrade|push|commit|merge|rebase|cherrypick|checkout|reset|stash|rollback|build|bootstrap|configure|setup|migrate|enable|disable|toggle|create|delete|remove|restore|revert|undo)$/
/** The code in the input is drawn or shown, not run. */
const DRAWS = /^(mermaid|diagram|diagrams|render|chart|charts|draw|plot|widget|visualize|visualise|highlight|canvas)$/
/** About a process that already runs: its output, its end. */
const WATCHES = /^(get|read|list|show|await|wait|kill|stop|last|selection|output|status|poll|history)$/

/** The input is for a page: `browser_type { text }`. */
const PAGES = /^(browser|page)$/

const has = (words: readonly string[], wanted: RegExp): boolean => words.some(word => wanted.test(word))

/** `search_and_swap`: a name with two verbs reads only if both do. */
const hasInEachPart = (words: readonly string[], ...wanted: readonly RegExp[]): boolean =>
  words
    .join(' ')
    .split(/ (?:and|then|or) /)
    .every(part => wanted.some(pattern => has(part.split(' '), pattern)))

/** The words name reading and no writing. */
export const namesOnlyReading = (words: readonly string[]): boolean =>
  hasInEachPart(words, READS) && !namesWriting(words)
/** The same for tools that no MCP server provides: more words count. */
export const namesOnlyReadingLoosely = (words: readonly string[]): boolean =>
  hasInEachPart(words, READS, LOOKS) && !namesChange(words) && !has(words, RUNS)
/** The input is a program that calls other tools: `code_mode { code }`. */
export const namesCodeMode = (words: readonly string[]): boolean => words.join('') === 'codemode'
/** A shell line in the input is mentioned, not run. */
export const namesMessaging = (words: readonly string[]): boolean =>
  (has(words, TALKING_VERB) || / user input\b/.test(words.join(' '))) &&
  !namesCodeMode(words) &&
  (has(words, AGENTS) || !(has(words, RUNS) || has(words, SHELLS)))
export const namesWriting = (words: readonly string[]): boolean => has(words, WRITES)
/** `namesWriting` for tools that no MCP server provides: there are fewer of them, so more words count. */
export const namesChange = (words: readonly string[]): boolean => namesWriting(words) || has(words, MORE_WRITES)
export const namesRemoval = (words: readonly string[]): boolean =>
  namesDeletion(words) || namesMove(words) || has(words, TAKES_AWAY)
export const namesDeletion = (words: readonly string[]): boolean => has(words, DELETES)
/** A field that holds what is to be deleted: `{ remove: ['src/a'] }`, `filesToDelete`. */
export const namesDeletedThings = (words: readonly string[]): boolean =>
  has(words, TAKEN_AWAY) && !/^(at|by|on|count|time|date)$/.test(words.at(-1) ?? '')
export const namesMove = (words: readonly string[]): boolean => has(words, MOVES)
/** Tools that fetch a page: `fetch`, `fetch_html`, `firecrawl_scrape`, `browser_navigate`, `read_url` … */
export const namesFetch = (words: readonly string[]): boolean => has(words, FETCHES)
/** `bash`, `run_in_terminal`, `execute_command`; not `get_terminal_output`, `kill_terminal`. */
export const namesShell = (words: readonly string[]): boolean =>
  has(words, SHELLS) && !has(words, WATCHES) && (has(words, RUNS) || words.every(word => SHELLS.test(word)))
/** Text for a process that already runs: `write_bash`, `send_to_terminal`, `pty_write`, `send-keys`. */
export const namesInputToRunningProcess = (words: readonly string[]): boolean =>
  has(words, SENDS) && namesRunningProcess(words) && !has(words, WATCHES)
/**
 * A change that the input need not show: `install_extension`, `deploy_web_app`, `git_push`. `create` alone names a call of a tracker as
 * often as one that changes a project.
 */
export const namesAct = (words: readonly string[]): boolean =>
  (has(words, ACTS) && words.join() !== 'create') || words[0] === 'new'
export const namesDrawing = (words: readonly string[]): boolean => has(words, DRAWS)
/** About a shell that already runs: `bash_output { filter }`. */
export const namesWatching = (words: readonly string[]): boolean =>
  has(words, SHELLS) && has(words, WATCHES) && !has(words, RUNS)
/** A shell line in the input is looked for, or typed into a page. */
export const namesLooking = (words: readonly string[]): boolean =>
  namesOnlyReadingLoosely(words) ||
  namesWatching(words) ||
  (PAGES.test(words[0] ?? '') && !has(words, RUNS) && !has(words, SHELLS))
export const namesRunningProcess = (words: readonly string[]): boolean => has(words, RUNNING)
