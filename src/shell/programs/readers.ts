import { obscure, touch } from '../call.ts'
import type { Description } from '../description.ts'

const quiet: Description = { onlyReads: true }
const files: Description = { onlyReads: true, operands: 'read' }

/** `+cmd` is what a pager does first, and `!` in it runs a program. */
const pager: Description = {
  onlyReads: true,
  harmful: true,
  special: call => {
    for (const arg of call.line.operands) {
      if (!arg.head.startsWith('+')) touch(call, 'read', arg)
      else if (arg.text === null || /[!|]/.test(arg.text)) obscure(call)
      else call.onlyReads = false
    }
  },
}

/** Programs that only look. */
export const READERS: Readonly<Record<string, Description>> = {
  ls: { ...files, flags: '-l -a -A -h -t -r -R -1 -d -S -F -i -s -p -G -C -x -n -g -o', values: '-I -w -T' },
  cat: { ...files, flags: '-n -b -s -A -E -T -v -e -t -u' },
  tac: files,
  head: { ...files, flags: '-q -v -z', values: '-n -c --lines --bytes' },
  tail: { ...files, flags: '-f -F -q -v -r -z --follow --retry', values: '-n -c -s --pid --lines --bytes' },
  less: {
    ...pager,
    flags: '-R -S -N -F -X -i',
    writes: '-o -O --log-file --LOG-FILE',
    runs: '-k --lesskey-src --lesskey-file --lesskey-content',
  },
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
      if (call.line.operands[0]?.text === 'cache') call.onlyReads = false
    },
  },
  wc: { ...files, flags: '-l -w -c -m -L', reads: '--files0-from' },
  sort: {
    ...files,
    flags: '-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z',
    values: '-k -t -S -T --key --field-separator --buffer-size --parallel --batch-size --sort',
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
  tree: { ...files, flags: '-a -d -f -i -h', values: '-L -I -P --filelimit', writes: '-o', alters: '-R' },
  md5sum: files,
  sha1sum: files,
  sha256sum: files,
  sha512sum: files,
  shasum: { ...files, values: '-a' },
  cksum: files,
  b2sum: files,
  base64: { ...files, flags: '-d -D', values: '-w', writes: '-o', reads: '-i' },
  diff: {
    ...files,
    flags: '-u -r -q -N -a -b -B -c -e -i -w -y -s -t --brief --recursive --unified',
    values: '-U -C -x -I -L -W --label --exclude --color',
    writes: '--output',
  },
  cmp: { ...files, flags: '-s -l -b', values: '-n -i' },
  comm: { ...files, flags: '-1 -2 -3' },
  readlink: { ...files, flags: '-f -e -m -n' },
  realpath: { ...files, values: '--relative-to --relative-base' },
  test: quiet,
  '[': quiet,
  pwd: quiet,
  echo: quiet,
  printf: { ...quiet, alters: '-v' },
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
  free: quiet,
  lsof: quiet,
  jobs: quiet,
  cd: quiet,
  pushd: quiet,
  popd: quiet,
  set: quiet,
  export: quiet,
  declare: quiet,
  typeset: quiet,
  local: quiet,
  readonly: quiet,
  unset: quiet,
  read: quiet,
  shift: quiet,
  wait: quiet,
  exit: quiet,
  return: quiet,
  break: quiet,
  continue: quiet,
  jq: {
    ...files,
    skip: 1,
    skipUnless: '-f --from-file',
    flags: '-r -c -n -s -e -S -C -M -a -j -R --raw-output --compact-output --null-input --slurp',
    values: '--indent -L',
    reads: '-f --from-file',
  },
}
