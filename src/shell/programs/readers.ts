import { type Call, has, obscure, touch, touchAll } from '../call.ts'
import type { Description } from '../description.ts'
import { noteListed } from '../place.ts'
import { indexes, jobs, names, numbers, prints, prompts, sets, sums, tests, waits } from './builtins.ts'

const quiet: Description = { onlyReads: true }
const lists = (call: Call): void => noteListed(call.args, call.scope)
const files: Description = { onlyReads: true, operands: 'read' }

/**
 * `+cmd` is what a pager does first, and `!` in it runs a program. What it looks for is typed for it, so a new line in it ends
 * the search; and after `$` in a value come further options.
 */
const pager: Description = {
  onlyReads: true,
  harmful: true,
  flags: '-R -S -N -F -X -i',
  values:
    '-p --pattern -P --prompt -t --tag -T --tag-file -x --tabs -j --jump-target -z --window -b --buffers -h -y -D --color',
  writes: '-o -O --log-file --LOG-FILE',
  runs: '-k --lesskey-src --lesskey-file --lesskey-content --lesskey-context --cmd',
  special: call => {
    for (const { value } of call.line.options)
      if (value !== undefined && (value.text === null || /[$!|\p{Cc}]/u.test(value.text))) obscure(call)
    if (call.args.some(({ text }) => /^-.*\$/s.test(text ?? ''))) obscure(call)
    for (const arg of call.line.operands) {
      if (!arg.head.startsWith('+')) touch(call, 'read', arg)
      else if (arg.text === null || /[!|\p{Cc}]/u.test(arg.text)) obscure(call)
      else call.onlyReads = false
    }
  },
}

/** Each letter that has a value takes a word of its own: `-Lo 2 f` writes `f`. */
const tree: Description = {
  onlyReads: true,
  operands: 'read',
  flags: '-a -d -f -i -h',
  values: '-L -I -P --filelimit',
  writes: '-o',
  alters: '-R',
  special: call => {
    const at = call.args.findIndex(({ text, head }) => /^-[^-]*[oR]/.test(text ?? head))
    if (at === -1) return
    call.onlyReads = false
    if (!has(call, '-o')) touchAll(call, 'write', call.args.slice(at + 1))
  },
}

/** `@file` stands for the options in the file. */
const binary: Description = {
  ...files,
  runs: '--plugin',
  special: call => {
    if (call.line.operands.some(({ head }) => head.startsWith('@'))) obscure(call)
  },
}

/** Programs that only look. */
export const READERS: Readonly<Record<string, Description>> = {
  ls: {
    ...files,
    special: lists,
    flags: '-l -a -A -h -t -r -R -1 -d -S -F -i -s -p -G -C -x -n -g -o',
    values: '-I -w -T',
  },
  cat: { ...files, flags: '-n -b -s -A -E -T -v -e -t -u' },
  tac: files,
  pr: files,
  look: quiet,
  expr: quiet,
  numfmt: quiet,
  bc: files,
  yes: quiet,
  head: { ...files, flags: '-q -v -z', values: '-n -c --lines --bytes' },
  tail: { ...files, flags: '-f -F -q -v -r -z --follow --retry', values: '-n -c -s --pid --lines --bytes' },
  less: pager,
  more: pager,
  zless: pager,
  zmore: pager,
  bat: {
    ...files,
    flags: '-p -n -A',
    values: '-l --language --style -r --line-range --theme',
    runs: '--pager --config-file',
    alters: '--generate-config-file',
    special: call => {
      if (call.line.operands.some(({ text }) => text === 'cache')) call.onlyReads = false
    },
  },
  wc: { ...files, flags: '-l -w -c -m -L', reads: '--files0-from' },
  sort: {
    ...files,
    flags: '-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z',
    values: '-k -t -S -T --key --field-separator --buffer-size --parallel --batch-size --sort --temporary-directory',
    reads: '--files0-from --random-source',
    writes: '-o --output',
    runs: '--compress-program',
  },
  cut: { ...files, flags: '-s -n -z --complement', values: '-b -c -d -f --delimiter --fields --output-delimiter' },
  tr: { ...quiet, flags: '-c -C -d -s -t' },
  nl: { ...files, values: '-b -d -f -h -i -l -n -s -v -w' },
  od: { ...files, flags: '-v -b -c -d -o -s -x', values: '-A -j -N -t -w -S' },
  hexdump: { ...files, flags: '-C -b -c -d -o -x -v', values: '-n -s -e', reads: '-f' },
  strings: { ...files, values: '-n -t -e' },
  rev: files,
  paste: { ...files, values: '-d', flags: '-s -z' },
  join: { ...files, values: '-t -j -1 -2 -a -e -o -v' },
  fold: { ...files, values: '-w', flags: '-s -b' },
  fmt: { ...files, values: '-w' },
  column: { ...files, values: '-s -o -c -N', flags: '-t' },
  expand: { ...files, values: '-t' },
  file: { ...files, flags: '-b -i -L -z -k', reads: '-f -m', alters: '-C --compile' },
  stat: { ...files, values: '-c -f --format --printf -t' },
  du: { ...files, flags: '-s -h -a -c -k -m -x', values: '-d --max-depth --exclude' },
  df: { ...files, flags: '-h -T -i -k', values: '-t -x' },
  tree,
  md5sum: files,
  sha1sum: files,
  sha256sum: files,
  sha512sum: files,
  shasum: { ...files, values: '-a' },
  cksum: files,
  b2sum: files,
  sha224sum: files,
  sha384sum: files,
  md5: files,
  zipinfo: files,
  nm: binary,
  readelf: files,
  objdump: binary,
  size: binary,
  eza: files,
  exa: files,
  getfacl: files,
  base64: { ...files, flags: '-d -D', values: '-w -b --wrap --break', writes: '-o --output', reads: '-i --input' },
  diff: {
    ...files,
    flags: '-u -r -q -N -a -b -B -c -e -i -w -y -s -t --brief --recursive --unified --color',
    values: '-U -C -x -I -L -W --label --exclude',
    writes: '--output',
  },
  cmp: { ...files, flags: '-s -l -b', values: '-n -i' },
  comm: { ...files, flags: '-1 -2 -3' },
  readlink: { ...files, flags: '-f -e -m -n' },
  realpath: { ...files, values: '--relative-to --relative-base' },
  test: tests,
  '[': tests,
  pwd: quiet,
  echo: { ...quiet, special: lists },
  printf: prints,
  true: quiet,
  false: quiet,
  ':': quiet,
  sleep: quiet,
  seq: quiet,
  basename: quiet,
  dirname: quiet,
  date: {
    ...quiet,
    values: '-d -r -f --date',
    alters: '-s --set',
    special: call => {
      if (call.line.operands.some(arg => !arg.head.startsWith('+'))) call.onlyReads = false
    },
  },
  cal: quiet,
  whoami: quiet,
  id: quiet,
  groups: quiet,
  uname: quiet,
  hostname: {
    ...quiet,
    alters: '-F --file',
    special: call => {
      if (call.line.operands.length > 0) call.onlyReads = false
    },
  },
  which: quiet,
  whereis: quiet,
  whatis: { ...quiet, runs: '-C --config-file' },
  apropos: { ...quiet, runs: '-C --config-file' },
  help: quiet,
  dirs: quiet,
  times: quiet,
  getconf: quiet,
  getent: quiet,
  who: quiet,
  w: quiet,
  last: quiet,
  lscpu: quiet,
  lsblk: quiet,
  lsusb: quiet,
  lspci: quiet,
  lsmod: quiet,
  vmstat: quiet,
  iostat: quiet,
  netstat: quiet,
  tput: quiet,
  uuidgen: quiet,
  type: quiet,
  uptime: quiet,
  nproc: quiet,
  arch: quiet,
  tty: quiet,
  locale: quiet,
  printenv: quiet,
  ps: quiet,
  pgrep: quiet,
  top: { ...quiet, flags: '-b', values: '-n -p -d -u' },
  ss: { ...quiet, flags: '-t -u -l -n -p -a -x -s -e -i -m -o -4 -6', alters: '-K --kill', writes: '-D --diag' },
  dmesg: { ...quiet, alters: '-C -c -D -E -n --clear --read-clear --console-off --console-on --console-level' },
  man: {
    ...quiet,
    flags: '-a -f -k -K -w -W -u -l -i -I -7 --all --where --whatis --apropos',
    values: '-S -s -M -L -m -e --sections --manpath --locale',
    runs: '-P --pager -r --prompt -C --config-file -p --preprocessor -T --troff-device',
    risks: '-H --html -X --gxditview -Z --ditroff -t --troff',
  },
  free: quiet,
  lsof: { ...quiet, alters: '-D' },
  // without a count it never ends
  ping: {
    ...quiet,
    flags: '-n -q -v -4 -6 -D -O -a -d -r -R -L',
    values: '-c -i -I -l -m -M -p -Q -s -S -t -w -W -T -G -g -h -F -N',
    alters: '-f -A -b',
    special: call => {
      if (!has(call, '-c')) call.onlyReads = false
    },
  },
  jobs,
  umask: {
    ...quiet,
    special: call => {
      if (call.line.operands.length > 0) call.onlyReads = false
    },
  },
  cd: quiet,
  pushd: quiet,
  popd: quiet,
  set: sets,
  shopt: quiet,
  export: names,
  declare: names,
  typeset: names,
  local: names,
  integer: names,
  float: names,
  readonly: names,
  unset: names,
  read: names,
  shift: numbers,
  wait: waits,
  let: sums,
  getopts: indexes,
  logout: indexes,
  ulimit: indexes,
  vared: indexes,
  print: prompts,
  zstyle: indexes,
  zformat: indexes,
  getln: indexes,
  exit: numbers,
  return: numbers,
  break: numbers,
  continue: numbers,
  jq: {
    ...files,
    skip: 1,
    skipUnless: '-f --from-file',
    flags: '-r -c -n -s -e -S -C -M -a -j -R --raw-output --compact-output --null-input --slurp',
    values: '--indent -L',
    reads: '-f --from-file',
  },
}
