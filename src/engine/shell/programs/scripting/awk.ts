import { type Arg, literalArg } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import {
  addFileAction,
  addFileActions,
  addOpaqueAction,
  findOption,
  type ProgramCall,
} from '../../calls/program-call.ts'
import { findRegexEnd } from './regex-end.ts'

const ANY_FILE: Arg = { text: null, head: '', glob: false, loose: false }

/** Replaces a string or a regular expression in the stripped program. Awk syntax does not use this character. */
const VALUE_MARK = '`'

/** The token before a slash: after a value the slash divides, after an operator it begins a regular expression. */
type TokenContext = 'operator' | 'value' | 'either'

const OPERATOR_WORDS = new Set('print printf return exit in else do delete'.split(' '))
/** Words that are a name, a keyword or a function without parentheses, depending on the awk version. */
const AMBIGUOUS_WORDS = new Set(
  'case default switch func function getline length next nextfile break continue BEGIN END BEGINFILE ENDFILE rand srand systime time int log exp sin cos atan2 sqrt tolower toupper substr index match split sub gsub gensub sprintf close fflush mktime strftime and or xor compl lshift rshift strtonum typeof isarray asort asorti patsplit delete'.split(
    ' ',
  ),
)
const STATEMENT_HEADS = new Set('if while for switch'.split(' '))

const contextAfterWord = (word: string): TokenContext =>
  OPERATOR_WORDS.has(word) ? 'operator' : AMBIGUOUS_WORDS.has(word) ? 'either' : 'value'

const unstrippedProgram = (script: string) => ({ bare: script, whole: true })
const TOKEN = /[A-Za-z_]\w*|\d[\w.]*|\.\d\w*|\+\+|--|\\\r?\n|[\s\S]/y

/**
 * The program without strings, comments and regular expressions. Null if these cannot be separated. If a slash may either divide
 * or begin an expression, returns the whole program unstripped (`whole`): a string may then be code, and a parenthesis may be
 * part of a text.
 */
function stripLiterals(script: string): { readonly bare: string; readonly whole: boolean } | null {
  const bare: string[] = []
  // for each open parenthesis: true if it belongs to a statement head such as `if (`
  const open: boolean[] = []
  let before: TokenContext = 'operator'
  let word = ''
  for (let at = 0; at < script.length; ) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(script)?.[0] ?? ''
    let end = at + token.length
    let shown = token
    if (token === '"' || (token === '/' && before === 'operator')) {
      const last = token === '"' ? findClosing(script, at, '"') : findRegexEnd(script, at + 1, '/', true)
      // the literal must end on its own line, at the same position for all awk versions
      if (last === -1 || last >= script.length || script.slice(at, last).includes('\n')) return null
      end = last + 1
      shown = VALUE_MARK
      before = 'value'
    } else if (token === '/' && before === 'either') return unstrippedProgram(script)
    else if (token === '#') {
      end = findClosing(script, at, '\n')
      // in some versions the comment continues on the next line
      if (script[end - 1] === '\\') return unstrippedProgram(script)
      shown = ''
    } else if (/^\\\r?\n$/.test(token)) shown = ' '
    else if (token === '\n') before = before === 'value' ? 'either' : before
    else if (/^\s$/.test(token)) shown = token
    else if (/^[A-Za-z_]/.test(token)) before = contextAfterWord(token)
    else if (/^[\d.]/.test(token) || token === ']') before = 'value'
    else if (token === '(') {
      open.push(STATEMENT_HEADS.has(word))
      before = 'operator'
    } else if (token === ')') before = open.pop() === true ? 'either' : 'value'
    // `$/x/` is a field in some versions and an error in others
    else before = /^([-+]{2}|[^-+*/%^!<>=|&~?:,;{}[])$/.test(token) ? 'either' : 'operator'
    if (!/^\s$/.test(token)) word = token
    bare.push(shown)
    at = end
  }
  return { bare: bare.join(''), whole: false }
}

function findClosing(script: string, from: number, end: string): number {
  for (let at = from + 1; at < script.length; at += 1) {
    if (script[at] === '\\' && end !== '\n') at += 1
    else if (script[at] === end) return at
  }
  return script.length
}

function readAwkProgram(call: ProgramCall, script: string): void {
  const program = stripLiterals(script)
  if (program === null || /system|getline|@\s*\w|(^|[^|])\|(?!\|)/.test(program.bare)) addOpaqueAction(call)
  if (program !== null && !(program.whole ? /print[\s\S]*>/.test(script) : hasRedirection(program.bare))) return
  addOpaqueAction(call)
  addFileAction(call, 'write', ANY_FILE)
}

/** True if a `>` redirects: in a `print` statement outside parentheses. Elsewhere `>` compares. */
function hasRedirection(bare: string): boolean {
  let prints = false
  let depth = 0
  for (const [token] of bare.matchAll(/\w+|[()[\];{}>]/g)) {
    if (token === 'print' || token === 'printf') {
      prints = true
      depth = 0
    } else if (token === '(' || token === '[') depth += 1
    else if (token === ')' || token === ']') depth -= 1
    else if (token === '>') {
      if (prints && depth <= 0) return true
    } else if (token === ';' || token === '{' || token === '}') prints = false
  }
  return false
}

function readAwk(call: ProgramCall): void {
  const file = findOption(call, '-f --file -E --exec')
  const files = call.line.operands.slice(file === undefined ? 1 : 0)
  addFileActions(
    call,
    'read',
    files.filter(arg => !/^\w+=/.test(arg.text ?? '')),
  )
  addFileActions(call, 'write', outputsOf(call))
  if (call.line.options.some(({ name, value }) => /^(-i|--inc)/.test(name) && mayBeInplace(value)))
    addFileActions(call, 'write', files)
  // with an unknown option, it is not certain which word is the program
  if (call.line.options.some(({ kind }) => kind === undefined)) addOpaqueAction(call)
  // `-F"$x"`: if the variable is empty, the first word is its value, and the second is the program
  const isCut = call.args.some(({ text, known }) => text === null && /^-[a-zA-Z]$/.test(known ?? ''))
  const programs = isCut ? call.line.operands.slice(0, 2) : call.line.operands.slice(0, 1)
  if (file !== undefined || programs.some(({ text }) => text === null)) addOpaqueAction(call)
  else for (const { text } of programs) readAwkProgram(call, text ?? '')
}

/** `gawk -i inplace` writes to the files it reads. */
const mayBeInplace = (value: Arg | undefined): boolean =>
  !value || value.text === null || value.text.includes('inplace')

/** gawk's `-oFILE`, `-dFILE`, `-pFILE`, `--profile=FILE`: the file is attached to the option. */
const outputsOf = ({ line }: ProgramCall): readonly Arg[] =>
  line.words.flatMap(({ text, role }) => {
    const file = role === 'option' && /^(?:-[odp]|--[dpg][a-z-]*=)(.+)$/s.exec(text ?? '')?.[1]
    return file ? [literalArg(file)] : []
  })

const awk: ProgramDescription = {
  onlyReads: true,
  harmful: true,
  flags:
    '-b -c -C -h -k -M -n -N -O -P -r -s -S -t -V --characters-as-bytes --traditional --copyright --help --csv --bignum --non-decimal-data --use-lc-numeric --optimize --no-optimize --posix --re-interval --sandbox --lint-old --version --lint -L',
  values: '-F -v --field-separator --assign',
  reads: '-f --file -E --exec',
  runs: '-l --load -i --include -e --source -W',
  // an optional file is attached to these options
  risks: '-D --debug -o -d -p -g -I --dump-variables --pretty-print --profile --gen-pot --trace',
  special: readAwk,
}

export const AWK_PROGRAMS: Readonly<Record<string, ProgramDescription>> = { awk, gawk: awk, mawk: awk, nawk: awk }
