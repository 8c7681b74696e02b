import { type Literal, literalAt, skip } from './literals.ts'

/** What certainly is done if the code runs: shell lines, programs with their words, and files. */
export interface EmbeddedParts {
  readonly lines: string[]
  readonly commands: (readonly string[])[]
  readonly files: { readonly action: 'read' | 'write' | 'delete'; readonly path: string }[]
}

type Kind = 'line' | 'delete' | 'delete-first' | 'write' | 'open' | 'move' | 'copy' | 'read'

/** Functions of Python, JavaScript, Perl, Ruby, PHP, Lua, R and others, by what they do with a path or a line. */
const FUNCTIONS: readonly (readonly [Kind, string])[] = [
  [
    'line',
    'os\\.system|os\\.popen|os\\.spawnlp?|subprocess\\.(?:run|call|Popen|check_call|check_output|getoutput|getstatusoutput)|pty\\.spawn|(?:execSync|spawnSync|execFileSync|execFile|spawn|exec)|(?:Kernel\\.)?system|shell_exec|passthru|popen|proc_open|os\\.execute|io\\.popen|IO\\.popen|Open3\\.\\w+|do shell script|shell|\\$`',
  ],
  [
    'delete',
    'FileUtils\\.(?:rm_rf|rm_r|rm_f|rmtree|rm|remove_dir|remove_entry_secure|remove_entry|remove_file|remove)|File\\.(?:delete|unlink)|Dir\\.(?:rmdir|delete|unlink)|remove_tree|unlink|file\\.remove|rimraf(?:\\.sync|Sync)?|delete-directory|delete-file',
  ],
  [
    'delete-first',
    '(?:shutil\\.)?rmtree|os\\.(?:remove|unlink|rmdir|removedirs)|(?:\\w+\\.|\\)\\.)?(?:rmSync|rmdirSync|unlinkSync|removeSync|emptyDirSync)|(?:fs|fsp|promises|\\)|fs\\.promises)\\.(?:rm|rmdir|unlink)|Deno\\.remove(?:Sync)?|rmdir',
  ],
  [
    'write',
    '(?:\\w+\\.|\\)\\.)?(?:writeFileSync|appendFileSync|truncateSync|createWriteStream)|(?:fs|fsp|promises|\\))\\.(?:writeFile|appendFile|truncate)|File\\.write|IO\\.write|Deno\\.write(?:Text)?File(?:Sync)?|file_put_contents|os\\.truncate',
  ],
  ['open', '(?:io\\.|codecs\\.|File\\.)?open|fopen'],
  [
    'read',
    '(?:\\w+\\.|\\)\\.)?(?:readFileSync|createReadStream)|(?:fs|fsp|promises|\\))\\.readFile|File\\.read|IO\\.read|Deno\\.read(?:Text)?File(?:Sync)?|file_get_contents',
  ],
  ['move', 'shutil\\.move|os\\.rename|os\\.replace|(?:fs|\\))\\.rename(?:Sync)?|FileUtils\\.mv|File\\.rename'],
  ['copy', 'shutil\\.copy(?:file|2|tree)?|(?:fs|\\))\\.(?:copyFileSync|cpSync|copyFile)|FileUtils\\.cp(?:_r)?'],
]

const MOST_CALLS = 64

/** Calls of well-known functions with a path or a shell line that the code writes out. What else the code does is not known. */
export function findCallsInCode(code: string, program: string, parts: EmbeddedParts): void {
  for (const [kind, names] of FUNCTIONS) {
    const calls = new RegExp(`(?<![\\w$-])(?:${names})(?:\\s*\\(|[ \\t]+)`, 'g')
    let count = 0
    for (const { index, 0: head } of code.matchAll(calls)) {
      count += 1
      if (count > MOST_CALLS) break
      if (kind === 'line' && !startsPrograms(head, code, program)) continue
      addCall(kind, argumentsAt(code, index + head.length), parts)
    }
  }
  findQuotedLines(code, program, parts)
  findPathMethods(code, parts)
  if (program === 'julia')
    for (const found of code.matchAll(/(?<![\w.])rm\(/g))
      addCall('delete-first', argumentsAt(code, found.index + found[0].length), parts)
  if (program === 'tclsh') findTclCommands(code, parts)
}

/** `exec` is a method of JavaScript's regular expressions, and a function of Python that runs Python. */
function startsPrograms(head: string, code: string, program: string): boolean {
  if (!/^(?:spawn|exec|execFile|shell)\b/.test(head)) return true
  if (/^(?:node|nodejs|bun|tsx|deno)$/.test(program)) return code.includes('child_process')
  return /^exec\b/.test(head) ? /^(?:perl|ruby|php|lua)/.test(program) : false
}

function argumentsAt(code: string, start: number): readonly Literal[] {
  const values: Literal[] = []
  let at = start
  while (values.length < 16) {
    const found = literalAt(code, at)
    if (found === undefined) break
    values.push(found.value)
    const next = skip(code, found.end, /\s*,\s*/y)
    if (next === found.end) break
    at = next
  }
  return values
}

function addCall(kind: Kind, values: readonly Literal[], { lines, commands, files }: EmbeddedParts): void {
  const [first, second] = values
  if (kind === 'line') {
    const words = values.flat()
    if (Array.isArray(first) || words.length > 1) {
      // `spawn('rm', [...], { shell: true })`: what follows the words is no literal
      const argv = Array.isArray(first) ? first : Array.isArray(second) ? [first, ...second] : words
      const known = argv.flatMap(word => (typeof word === 'string' ? word : []))
      if (known.length === argv.length) commands.push(known)
    } else if (typeof first === 'string') lines.push(first)
    return
  }
  const add = (action: 'read' | 'write' | 'delete', value: Literal | undefined): void => {
    for (const path of [value ?? null].flat())
      if (typeof path === 'string' && path !== '' && !/[$`]/.test(path)) files.push({ action, path })
  }
  if (kind === 'delete') for (const value of values) add('delete', value)
  else if (kind === 'delete-first') add('delete', first)
  else if (kind === 'write') add('write', first)
  else if (kind === 'read') add('read', first)
  else if (kind === 'open')
    add(
      typeof second === 'string' && /^[rwax+bt>]{1,3}$/.test(second) && /[wax+>]/.test(second) ? 'write' : 'read',
      first,
    )
  else {
    if (kind === 'move') add('delete', first)
    add('write', second)
  }
}

/** Ruby, Perl, PHP and Julia run what stands in backticks; Groovy has a method for it. */
function findQuotedLines(code: string, program: string, { lines }: EmbeddedParts): void {
  if (/^(?:perl|ruby|php|julia)/.test(program))
    for (const [, line] of code.matchAll(/`([^`$#]{1,2000})`/g)) if (line) lines.push(line)
  if (/^(?:perl|ruby)/.test(program))
    for (const [, round, curly] of code.matchAll(/(?:qx|%x)\s*(?:\(([^()$#]{1,2000})\)|\{([^{}$#]{1,2000})\})/g))
      lines.push(round ?? curly ?? '')
  for (const [, double, single] of code.matchAll(/(?:"([^"$]{1,2000})"|'([^']{1,2000})')\.execute\(\)/g))
    lines.push(double ?? single ?? '')
}

/** `Path('a').unlink()` */
function findPathMethods(code: string, { files }: EmbeddedParts): void {
  for (const { index, 0: head } of code.matchAll(/(?<![\w$.])(?:pathlib\.)?Path\(/g)) {
    const path = literalAt(code, index + head.length)
    const [, method] =
      /^\s*\)\s*\.(unlink|rmdir|write_text|write_bytes|touch|read_text|read_bytes)\(/.exec(
        code.slice(path?.end ?? code.length, (path?.end ?? 0) + 200),
      ) ?? []
    if (method === undefined || typeof path?.value !== 'string') continue
    files.push({
      action: /^(?:unlink|rmdir)$/.test(method) ? 'delete' : method.startsWith('read') ? 'read' : 'write',
      path: path.value,
    })
  }
}

/** `file delete -force /a`, `exec rm -rf /a` */
function findTclCommands(code: string, { files, commands }: EmbeddedParts): void {
  for (const [, words = ''] of code.matchAll(
    /(?:^|[;\n{])\s*file\s+delete\s+(?:-force\s+)?(?:--\s+)?([^;\n}$[]{1,2000})/g,
  ))
    for (const path of words.trim().split(/\s+/)) files.push({ action: 'delete', path })
  for (const [, words = ''] of code.matchAll(/(?:^|[;\n{])\s*exec\s+([^;\n}$[]{1,2000})/g))
    commands.push(words.trim().split(/\s+/))
}
