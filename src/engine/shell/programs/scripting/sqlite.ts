import { type Arg, literalArg } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileAction, addOpaqueAction, hasOption, type ProgramCall } from '../../calls/program-call.ts'

/** Dot commands of sqlite3 that only display. Other commands may write a file or run a program. */
const SHOW_COMMANDS = new Set(
  'schema tables dump indexes indices databases header headers mode help show stats timer width version dbinfo fullschema lint echo nullvalue separator eqp explain changes bail print prompt quit exit'.split(
    ' ',
  ),
)

const READ_STATEMENT =
  /^\s*(select|explain|values)\b|^\s*pragma\s+(\w+\.)?(\w+|\w+_(info|xinfo|list|check)\s*\([^)=]*\))\s*$|^\s*$/i
/** A function name may be quoted, and a comment may precede its parenthesis. */
const FILE_OR_CODE_FUNCTION =
  /writefile|load_extension|fts3_tokenizer|\bedit["'`\]]?\s*(\/\*[\s\S]*?\*\/\s*|--[^\n]*\n\s*)*\(/i

/** `.system`, `.shell`, `.import`, `.read`, `.load`, `.cd`, also abbreviated: their arguments are not files that they write. */
const NON_WRITING_COMMAND = /^\s*\.(sy|she|im|rea|loa|cd\b)/
const FILE_NAMING_SQL = /\battach\b|\bvacuum\s+(\w+\s+)?into\b|writefile/i

/** Possible output files: the arguments of other dot commands, and the strings in SQL that opens or writes other files. */
function fileNamesIn(text: string): readonly string[] {
  const lines = text.split('\n')
  const commands = lines.filter(
    line => /^\s*\./.test(line) && !NON_WRITING_COMMAND.test(line) && !SHOW_COMMANDS.has(verbOf(line)),
  )
  const words = commands.flatMap(line => [...line.matchAll(/"([^"]+)"|'([^']+)'|(\S+)/g)].slice(1))
  const sql = lines.filter(line => !/^\s*\./.test(line)).join('\n')
  const texts = FILE_NAMING_SQL.test(sql) ? [...sql.matchAll(/"([^"]+)"|'([^']+)'/g)] : []
  return [...words, ...texts].flatMap(([, double, single, plain]) => {
    const name = (double ?? single ?? plain ?? '').replace(/^file:(\/\/)?|\?.*$/g, '')
    return name === '' || name.startsWith('-') ? [] : [name]
  })
}

const verbOf = (line: string): string => /^\s*\.(\w*)/.exec(line)?.[1] ?? ''

/** Classifies SQL and dot commands by the first words of each statement. */
function classifySql(text: string): 'reads' | 'writes' | 'anything' {
  if (FILE_OR_CODE_FUNCTION.test(text)) return 'anything'
  let sql = ''
  for (const line of text.split('\n')) {
    const dot = /^\s*\.(\w*)/.exec(line)
    if (dot === null) sql += `${line}\n`
    else if (!SHOW_COMMANDS.has(dot[1] ?? '')) return 'anything'
  }
  return sql.split(';').every(statement => READ_STATEMENT.test(statement)) ? 'reads' : 'writes'
}

function readSqlite(call: ProgramCall): void {
  const [file, ...texts] = call.line.operands
  const given = [...texts, ...call.line.options.flatMap(({ name, value }) => (name === '-cmd' && value ? [value] : []))]
  const scripts = given.map(arg => arg.text)
  if (texts.length === 0) scripts.push(call.stdin === undefined ? 'interactive' : call.stdin)
  const found = scripts.map(text => (text === null ? 'anything' : classifySql(text)))
  if (found.includes('anything') || (texts.length === 0 && call.piped) || hasOption(call, '-init'))
    addOpaqueAction(call)
  const reads = found.every(one => one === 'reads')
  addFileAction(call, reads ? 'read' : 'write', withoutScheme(file))
  for (const text of scripts)
    if (text !== null && classifySql(text) !== 'reads')
      for (const name of fileNamesIn(text)) addFileAction(call, 'write', literalArg(name))
  // without `-readonly` the database is opened for writing, and a leftover journal is applied
  const known = call.line.options.every(({ name, kind }) => kind !== undefined && name !== '-init')
  call.onlyReads = reads && texts.length > 0 && known && hasOption(call, '-readonly')
}

/** Converts a `file:` URI to the path of the database. */
const withoutScheme = (file: Arg | undefined): Arg | undefined =>
  file?.text?.startsWith('file:') ? literalArg(file.text.replace(/^file:(\/\/)?|\?.*$/g, '')) : file

export const SQLITE_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  sqlite3: {
    harmful: true,
    flags:
      '-json -csv -header -noheader -batch -readonly -line -column -html -list -table -box -markdown -quote -bail -echo -safe -tabs -ascii',
    values: '-separator -cmd -init -nullvalue -newline -mmap -maxsize',
    special: readSqlite,
  },
}
