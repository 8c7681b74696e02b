// The native hook under the eyes of sanitizers, valgrind and a fuzzer: `npm run test:native [-- step…]`. What is not installed is skipped, and said.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile, hostCompilers, isThere, SOURCES } from './native.mjs'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-native-'))
const SANITIZERS = [
  '-g',
  '-DPOOL=1',
  '-DSEE_CRASHES',
  '-fno-omit-frame-pointer',
  '-fsanitize=address,undefined',
  '-fno-sanitize-recover=all',
]
const FUZZ_SECONDS = process.env.FUZZ_SECONDS ?? '20'
const pure = ['text.c', 'json.c', 'reply.c'].map(name => SOURCES.find(file => file.endsWith(`/${name}`)))
const fuzzed = ['test/native/fuzz.c', ...pure]

let failed = false
const say = (what, how) => console.log(`${what.padEnd(34)} ${how}`)
function must(what, holds, why = '') {
  say(what, holds ? 'ok' : `FAILED\n${why}`)
  failed ||= !holds
}

/** With the first compiler that has them. */
function build(name, flags, sources = SOURCES) {
  const out = join(folder, name)
  let said
  for (const command of ['clang', 'gcc'].filter(isThere)) {
    const problem = compile([command], { sources, flags, out })
    if (problem === '') return out
    said ??= problem
  }
  return { said }
}

const run = (command, args, options = {}) =>
  spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options })

function warnings() {
  for (const { command, flags } of [
    ...hostCompilers(),
    ...(isThere('clang') ? [{ command: ['clang'], flags: [] }] : []),
  ]) {
    const problem = compile(command, { flags, out: join(folder, 'warned') })
    // no static library is no warning
    must(`warnings: ${[...command, ...flags].join(' ')}`, problem === '' || /cannot find -lc/.test(problem), problem)
  }
}

function sanitized() {
  const hook = build('signalbox-hook', SANITIZERS)
  if (typeof hook !== 'string') return say('sanitizers', `skipped: ${hook.said ?? 'no compiler'}`.split('\n')[0])
  // what befalls the daemon is played with the hook that agents get
  const alone = [
    '--exclude',
    'test/native/daemon-killed.timed.test.ts',
    '--exclude',
    'test/native/faults.timed.test.ts',
  ]
  const ran = run('npx', ['vitest', 'run', 'test/native', ...alone], {
    env: { ...process.env, SIGNALBOX_NATIVE: hook },
  })
  must('the tests, with sanitizers', ran.status === 0, ran.stdout + ran.stderr)
}

/** Gives what waits for it: it reads one core's time, and what is compiled meanwhile has the other. */
function fuzz() {
  const guided = build(
    'fuzz',
    ['-g', '-O1', '-DPOOL=1', '-fsanitize=fuzzer,address,undefined', '-fno-sanitize-recover=all'],
    fuzzed,
  )
  if (typeof guided === 'string') {
    const corpus = join(folder, 'corpus')
    seed(corpus)
    return aside(guided, [corpus, `-max_total_time=${FUZZ_SECONDS}`, '-max_len=1024', '-print_final_stats=1'], said => {
      must(`libFuzzer, ${FUZZ_SECONDS} s`, said.status === 0, said.stderr)
      say('', /number_of_executed_units: \d+/.exec(said.stderr)?.[0] ?? '')
    })
  }
  const alone = build('fuzz-alone', [...SANITIZERS, '-DALONE'], fuzzed)
  if (typeof alone !== 'string') return say('fuzzing', `skipped: ${alone.said ?? 'no compiler'}`.split('\n')[0])
  return aside(alone, ['2000000'], said => must('2,000,000 made-up inputs', said.status === 0, said.stderr))
}

function aside(command, args, then) {
  return new Promise(done => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', chunk => (stderr += chunk))
    child.on('error', error => done(then({ status: null, stderr: error.message })))
    child.on('close', status => done(then({ status, stderr })))
  })
}

function seed(corpus) {
  mkdirSync(corpus)
  const frames = ['SBR1\0\0\0\0\x02\0\0\0\x01\0\0\0ok!', 'SBW1\0\x10\0\0', 'SBR1\x01\0\0\0\0\0\0\0\0\0\0\0']
  for (const [nth, frame] of frames.entries())
    writeFileSync(join(corpus, `frame-${nth}`), Buffer.from(`\x01${frame}`, 'latin1'))
  for (const file of readdirSync('test/captures', { recursive: true, encoding: 'utf8' })
    .filter(one => one.endsWith('.json'))
    .slice(0, 40))
    writeFileSync(
      join(corpus, file.replaceAll('/', '-')),
      `\0${readFileSync(join('test/captures', file), 'utf8').slice(0, 4000)}`,
    )
}

/** What the sanitizers cannot see: bytes that were never written. */
async function valgrind() {
  if (!isThere('valgrind')) return say('valgrind', 'skipped: not installed')
  const hook = build('data/bin/signalbox', ['-gdwarf-4', '-O1', '-DPOOL=1', '-DSEE_CRASHES'])
  if (typeof hook !== 'string') return say('valgrind', `skipped: ${hook.said ?? 'no compiler'}`.split('\n')[0])
  const state = join(folder, 'state')
  const words = [
    '-q',
    '--error-exitcode=99',
    '--leak-check=full',
    '--errors-for-leak-kinds=definite',
    '--track-fds=no',
    hook,
    'hook',
    '--client',
    'generic',
  ]
  const env = { PATH: process.env.PATH, HOME: folder, SIGNALBOX_HOME: folder, GENERIC_PROJECT_DIR: '/a/b/../c' }
  const call = JSON.stringify({ tool_name: 'Bash', cwd: '/a/\u00e9', hook_event_name: 'tool.before' })
  const ask = input =>
    new Promise(done => {
      const child = spawn('valgrind', words, { env })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
      child.on('close', status => done({ status, said }))
      child.stdin.on('error', () => {})
      child.stdin.end(input)
    })
  for (const [what, input] of Object.entries({
    call,
    cut: call.slice(0, 30),
    nothing: '',
    long: call.padEnd(300_000),
  })) {
    const { status, said } = await ask(input)
    must(`valgrind: last resort, ${what}`, status === 0, said)
  }
  mkdirSync(join(state, 'run'), { recursive: true, mode: 0o700 })
  writeFileSync(join(state, 'run/token'), `${'0'.repeat(64)}\nbuild\n\n`)
  const answer = Buffer.from('SBW1\xd0\x07\0\0SBR1\0\0\0\0\x03\0\0\0\x02\0\0\0ok\n!\n', 'latin1')
  const server = createServer(socket => socket.once('data', () => socket.end(answer)))
  await new Promise(done => server.listen(join(state, 'run/socket'), done))
  const { status, said } = await ask(call)
  must('valgrind: a daemon answers', status === 0 && said.includes('ok\n') && said.includes('!\n'), said)
  server.close()
}

/** One client through the fault table: the words are those of bin/signalbox.cjs. */
function faults() {
  const data = join(folder, 'through/bin')
  const hook = join(data, 'signalbox')
  mkdirSync(data, { recursive: true })
  cpSync('dist/native/signalbox-hook', hook)
  writeFileSync(
    `${hook}.sh`,
    `#!/bin/sh\nexec '${process.execPath}' '${join(process.cwd(), 'bin/signalbox.cjs')}' "$@"\n`,
  )
  const env = { ...process.env, FAULTS_THROUGH: hook, FAULTS_OF: 'claude-code' }
  const ran = run('npx', ['vitest', 'run', 'test/faults/failure-table.timed.test.ts'], { env })
  must('the fault table, through it', ran.status === 0, ran.stdout + ran.stderr)
}

try {
  if (hostCompilers().length === 0) {
    console.log('no C compiler: the native hook is not tested')
  } else {
    const named = process.argv.slice(2)
    const played = (name, step) => (named.length === 0 || named.includes(name) ? step() : undefined)
    const fuzzing = played('fuzz', fuzz)
    played('warnings', warnings)
    await played('valgrind', valgrind)
    await fuzzing
    // these hold the hook to its time: nothing runs beside them
    played('sanitized', sanitized)
    played('faults', faults)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
