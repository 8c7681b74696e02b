import { isStdin, UNKNOWN } from '../arg.ts'
import { type Call, find, has, obscure, touch, touchAll } from '../call.ts'
import type { Description } from '../description.ts'
import { readCarried } from './carried.ts'

/** An interpreter: inline code may do anything; a file is read and run. */
const interpreter = (inline: string, values = '', more: Partial<Description> = {}): Description => ({
  ...(values === '' ? {} : { values }),
  runs: inline,
  special: call => {
    readCarried(call)
    const [file, to] = call.line.operands
    if (find(call, '-m')?.value?.text === 'json.tool' && to) touch(call, 'write', to)
    if (has(call, inline) || has(call, '-m')) return
    if (file === undefined && call.stdin !== undefined) obscure(call)
    if (file?.text === null || isStdin(file?.text)) obscure(call)
    touch(call, 'read', file)
  },
  ...more,
})

/** `perl -i -pe '…' files` edits in place. */
function readPerl(call: Call): void {
  const inline = has(call, '-e -E')
  if (has(call, '-i')) touchAll(call, 'write', call.line.operands.slice(inline ? 0 : 1))
  else if (inline) touchAll(call, 'read', call.line.operands)
  if (inline) return
  const [file] = call.line.operands
  if (file === undefined ? call.stdin !== undefined : file.text === null || isStdin(file.text)) obscure(call)
  touch(call, 'read', file)
}

function readEditor(call: Call): void {
  if (
    has(call, '-c -cmd --cmd -es -s -S -e -E') ||
    call.stdin !== undefined ||
    call.program === 'ed' ||
    call.program === 'ex'
  )
    obscure(call)
  touchAll(
    call,
    'write',
    call.line.operands.filter(arg => !(arg.text ?? '').startsWith('+')),
  )
  if (call.line.operands.some(arg => (arg.text ?? '').startsWith('+'))) obscure(call)
}

const editor: Description = { values: '-c --cmd -S -u', flags: '-e -s -E -es -R -n', special: readEditor }
const python = interpreter('-c', '-m -W -X')
const node = interpreter('-e -p --eval --print', '-C --conditions --input-type', {
  runs: '-e -p --eval --print -r --require --import --loader --experimental-loader',
  reads: '--env-file --env-file-if-exists',
  flags: '--check --test --watch -i -c',
})

export const CODE: Readonly<Record<string, Description>> = {
  perl: { flags: '-p -n -w -l -0 -a -i -s -T -W -c -v', values: '-I -F -M -m', runs: '-e -E', special: readPerl },
  ruby: { flags: '-p -n -w -l -a -i -c -v', values: '-I -r -C', runs: '-e', special: readPerl },
  python,
  python2: python,
  python3: python,
  pypy3: python,
  node,
  nodejs: node,
  tsx: node,
  deno: { special: call => (call.line.operands[0]?.text === 'eval' ? obscure(call) : undefined) },
  bun: { runs: '-e -p --eval --print -r --preload', values: '--cwd --filter', flags: '--silent', special: readCarried },
  php: interpreter('-r -B -R -E', '-d -c'),
  lua: interpreter('-e', '-l'),
  Rscript: interpreter('-e'),
  osascript: interpreter('-e', '-l'),
  ex: editor,
  ed: editor,
  vi: editor,
  vim: editor,
  nvim: editor,
  nano: editor,
  emacs: { runs: '--eval --execute -l --load -f', operands: 'write' },
  yq: {
    onlyReads: true,
    harmful: true,
    flags: '-r -P -C -M -N -e -n -j -o -p -s',
    risks: '--security-enable-system-operator',
    special: call => {
      const inPlace = has(call, '-i --inplace --in-place')
      if (has(call, '-s --split-exp')) touch(call, 'write', UNKNOWN)
      const skip = /^(eval|e|eval-all|ea)$/.test(call.line.operands[0]?.text ?? '') ? 2 : 1
      touchAll(call, inPlace ? 'write' : 'read', call.line.operands.slice(skip))
    },
  },
}
