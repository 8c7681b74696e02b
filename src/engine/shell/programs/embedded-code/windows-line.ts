/** One command of PowerShell or cmd. A word is null if only running the line would show it. */
export interface WindowsCommand {
  readonly words: readonly (string | null)[]
  readonly files: readonly { readonly action: 'read' | 'write' | 'delete'; readonly path: string | null }[]
  readonly urls: readonly (string | null)[]
  /** the command certainly only reads */
  readonly onlyReads: boolean
}

const toMap = (groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(groups).flatMap(([name, words]) => words.split(' ').map(word => [word, name] as const)))

/** What a command does with the files that it names. PowerShell does not tell upper case from lower case. */
const FILE_ACTIONS = toMap({
  delete: 'remove-item ri rm del erase rd rmdir',
  write: 'set-content add-content clear-content out-file new-item ni tee-object clear-item set-item ac clc',
  read: 'get-content gc cat type',
})
const FETCHING = new Set('invoke-webrequest iwr invoke-restmethod irm curl wget start-bitstransfer'.split(' '))
/** They only read with literal words. `pwsh` loads the profile of the person, as a shell does. */
const READING = new Set(
  'get-childitem gci dir ls get-content gc cat type get-location gl pwd get-date test-path get-item gi get-itemproperty get-process gps ps get-service get-command gcm get-help get-host get-psdrive get-filehash resolve-path split-path join-path select-string sls measure-object select-object select sort-object sort format-table ft format-list fl write-output echo write-host ver whoami hostname tree vol'.split(
    ' ',
  ),
)
/** Parameters whose value is no path. They may be abbreviated. */
const VALUED =
  /^-(?:inc|exc|fil(?!e)|val|enc|itemt|dep|na|del|tot|ta|he|pat|prop|outv|errora|wid|newn|cou|fir|la|sk|meth|bod|head|cont|uri|outf|des)/i
const PATH_PARAMETER = /^-(?:p(?:a(?:t(?:h)?)?)?|lp|lit\w*|psp\w*|filep\w*)$/i

const MOST_COMMANDS = 64

/** The commands of a line of PowerShell or cmd, as far as they are literal. */
export function readWindowsLine(text: string, shell: 'powershell' | 'cmd'): readonly WindowsCommand[] {
  const commands: WindowsCommand[] = []
  for (const tokens of tokensOf(text, shell)) {
    const [first, ...rest] = tokens[0]?.text === '&' || tokens[0]?.text === '.' ? tokens.slice(1) : tokens
    if (first === undefined || commands.length >= MOST_COMMANDS) continue
    commands.push(commandOf(first, rest, shell))
  }
  return commands
}

interface Token {
  readonly text: string | null
  /** `>` or `>>` stands in front of it */
  readonly target: boolean
}

function commandOf(first: Token, rest: readonly Token[], shell: 'powershell' | 'cmd'): WindowsCommand {
  const name = (first.text ?? '').toLowerCase().replace(/\.exe$/, '')
  const words = rest.filter(({ target }) => !target).map(({ text }) => text)
  const action = FILE_ACTIONS.get(name)
  const paths = pathsOf(words, shell)
  const isFetching = FETCHING.has(name)
  const targets = rest.flatMap(({ text, target }) =>
    target ? [{ action: 'write' as const, path: posixPath(text) }] : [],
  )
  const files =
    action === undefined || isFetching ? [] : paths.map(path => ({ action: action as 'read', path: posixPath(path) }))
  return {
    words: [first.text, ...words],
    files: [...files, ...targets],
    urls: isFetching
      ? [paths.find(path => path?.includes('://')) ?? words.find(word => word?.includes('://')) ?? null]
      : [],
    onlyReads: READING.has(name) && targets.length === 0 && words.every(word => word !== null),
  }
}

/** The words that name files: values of `-Path`, and what is no parameter. */
function pathsOf(words: readonly (string | null)[], shell: 'powershell' | 'cmd'): readonly (string | null)[] {
  if (shell === 'cmd') return words.filter(word => word === null || !word.startsWith('/'))
  const named: (string | null)[] = []
  const plain: (string | null)[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? null
    if (word !== null && PATH_PARAMETER.test(word)) {
      at += 1
      named.push(words[at] ?? null)
    } else if (word !== null && VALUED.test(word)) at += 1
    else if (word === null || !word.startsWith('-')) plain.push(word)
  }
  return named.length > 0 ? named : plain
}

/** `C:\a` is `/mnt/c/a` where a POSIX shell sees it. The home folder has several names. */
function posixPath(text: string | null): string | null {
  if (text === null) return null
  const path = text
    .replace(/^(?:\$HOME|\$env:(?:USERPROFILE|HOME)|%USERPROFILE%|%HOME%)(?=$|[\\/])/i, '~')
    .replaceAll('\\', '/')
  if (/[$%]/.test(path)) return null
  return path.replace(/^([a-z]):(?=\/|$)/i, (_, drive: string) => `/mnt/${drive.toLowerCase()}`)
}

const HOME_WORD = /^(?:\$HOME|\$env:(?:USERPROFILE|HOME))(?=$|[\\/])/i
/** Characters with which PowerShell computes a word. */
const COMPUTED = /[$(){}@`[\]]/

/** Commands of the line, each as its words. */
function tokensOf(text: string, shell: 'powershell' | 'cmd'): readonly (readonly Token[])[] {
  const commands: Token[][] = [[]]
  const pattern =
    shell === 'cmd'
      ? /"([^"]*)"|()(\d?>>?(?:&\d)?)|(&&|\|\||[&|\n])|([^\s"&|>]+)/g
      : /"([^"]*)"|'((?:[^']|'')*)'|(\d?>>?(?:&\d)?)|(&&|\|\||[;|\n])|([^\s"';|>,]+)/g
  let target = false
  for (const [, double, single, redirect, separator, word] of text.slice(0, LONGEST_LINE).matchAll(pattern)) {
    if (separator !== undefined) commands.push([])
    if (redirect !== undefined) target = !/&\d$/.test(redirect)
    const found = double ?? (single === '' && redirect !== undefined ? undefined : single) ?? word
    if (separator !== undefined || redirect !== undefined || found === undefined) continue
    const plain = found.replace(HOME_WORD, '~')
    const isLiteral =
      single !== undefined ||
      (shell === 'cmd' ? !plain.replace(/%(?:USERPROFILE|HOME)%/gi, '').includes('%') : !COMPUTED.test(plain))
    const isNothing = target && /^(?:\$null|nul)$/i.test(found)
    if (!isNothing) commands.at(-1)?.push({ text: isLiteral ? plain : null, target })
    target = false
  }
  return commands.filter(tokens => tokens.length > 0)
}

const LONGEST_LINE = 16 * 1024
