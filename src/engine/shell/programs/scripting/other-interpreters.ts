import { isStdin, scriptTextOf } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addOpaqueAction, findOption, forNames, type ProgramCall } from '../../calls/program-call.ts'
import { readEmbeddedRun } from '../wrappers/embedded-run.ts'
import { interpreter } from './interpreters.ts'

const readAnyWords = (call: ProgramCall): void => {
  if (call.args.length > 1 || call.stdin !== undefined) addOpaqueAction(call)
}

/** `deno eval code`, `deno repl --eval code`, `deno run -` */
function readDeno(call: ProgramCall): void {
  const [verb, file] = call.line.operands
  const isCode = /^(eval|repl|-)$/.test(verb?.text ?? '') || isStdin(file?.text)
  if (isCode || (verb === undefined && call.stdin !== undefined)) addOpaqueAction(call)
}

/** `EXEC:cmd words,option`, `SYSTEM:line`: what socat runs behind an address. */
const SOCAT_COMMAND = /^(exec|system|shell):(.*)$/is

function readSocat(call: ProgramCall): void {
  for (const { text, head } of call.args.slice(1)) {
    const [, kind = '', command = ''] = SOCAT_COMMAND.exec(text ?? head) ?? []
    if (kind === '') continue
    if (text === null || command.includes('\\')) addOpaqueAction(call)
    // options follow behind a comma
    call.inner.push({ run: { script: text === null ? null : (command.split(',')[0] ?? null) } })
  }
}

/** `nc -e /bin/sh host 1`, `ncat -c 'line' host 1`: the program talks to the other side. */
function readNetcat(call: ProgramCall): void {
  for (const { name, value } of call.line.options) {
    // in some versions `-c` takes no value
    const isLine = name === '-c' && (call.program === 'ncat' || /[\s/]|^\w*sh$/.test(value?.text ?? ' '))
    if (isLine || /^(-e|--exec|--sh-exec)$/.test(name))
      call.inner.push({ run: { script: value ? scriptTextOf(value) : null } })
    else if (name === '--lua-exec') addOpaqueAction(call)
  }
}

const netcat: ProgramDescription = {
  values: '-e -c -p -s -w -i -q -X -x -g -G -m --exec --sh-exec --lua-exec --proxy --proxy-type --source --source-port',
  flags: '-l -k -n -u -v -z -4 -6 -U -d -h -r -t -C -N --listen --keep-open --ssl --udp --verbose',
  writes: '-o --output --hex-dump',
  special: readNetcat,
}
const { values: netcatValues = '', flags: netcatFlags = '' } = netcat

/** `R -e code`, `R -f file`; without either it reads its input. */
function readR(call: ProgramCall): void {
  if (call.stdin !== undefined && findOption(call, '-f --file -e') === undefined) addOpaqueAction(call)
}

/** Interpreters that are described only as far as rules must know that they are given code. */
export const OTHER_INTERPRETERS: Readonly<Record<string, ProgramDescription>> = {
  ...forNames('csh tcsh nu xonsh elvish osh ysh wish', { inner: () => undefined, special: readAnyWords }),
  R: { runs: '-e', reads: '-f --file', flags: '--no-save --slave -q --quiet --vanilla --version', special: readR },
  Rscript: interpreter('-e'),
  tclsh: interpreter('-e'),
  expect: interpreter('-c'),
  osascript: interpreter('-e', '-l'),
  julia: interpreter('-e --eval -E --print -L --load', '-p -t -C -J --threads --procs'),
  guile: interpreter('-c -e -l'),
  elixir: interpreter('-e --eval --rpc-eval -r', '--name --sname --cookie -S -pa -pz'),
  iex: interpreter('-e --eval --rpc-eval -r', '--name --sname --cookie -S'),
  erl: { runs: '-eval -run -s' },
  groovy: interpreter('-e', '-cp --classpath'),
  ...forNames('scala scala-cli kotlin', interpreter('-e', '-cp -classpath -S')),
  ...forNames('ghci ghc runghc', interpreter('-e')),
  ...forNames('clojure clj bb', interpreter('-e --eval -x --exec', '-cp -Sdeps -m')),
  ...forNames('sbcl clisp ecl', { runs: '--eval -x --load -eval', special: readR }),
  ...forNames('racket raku swift octave crystal ocaml gnuplot', interpreter('-e --eval -x')),
  matlab: { runs: '-r -batch' },
  deno: { runs: '-c --config --import-map --preload --eval', special: readDeno },
  bun: {
    runs: '-e -p --eval --print -r --preload --require --import -c --config --tsconfig-override --env-file',
    values: '--cwd --filter',
    flags: '--silent',
    special: call => {
      readEmbeddedRun(call)
      const { operands } = call.line
      if (isStdin(operands[0]?.text) || isStdin(operands[1]?.text)) addOpaqueAction(call)
    },
  },
  socat: { special: readSocat },
  nc: netcat,
  'nc.traditional': netcat,
  netcat,
  ncat: netcat,
  // `-c` is TLS
  'nc.openbsd': { ...netcat, values: netcatValues.replace(' -c', ''), flags: `${netcatFlags} -c` },
}
