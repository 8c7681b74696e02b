#!/usr/bin/env node
// Last resort: plain JavaScript around the program. A crash becomes the declared failure answer, never exit 1.
// CommonJS: what Node needs for `import` takes longer than the answer.
const {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} = require('node:fs')
const { basename, dirname, isAbsolute, join, resolve } = require('node:path')

let finished = false
/** a gate's own code hangs, perhaps where nothing can end it: `exit` would wait for that */
let hanging = false
/** The time of a payload to come, and of judging it. */
const BUDGET_MS = 2000
/** A payload that keeps coming, without such a pause, may take so long. */
const INPUT_MS = 5000
const PAUSE_MS = 1000
/** Agents wait ten seconds for a hook and then make the call: the failure answer must be out before. */
const LAST_MS = 8000
/** A machine that took so long to start Node, or to load the program, does not judge before that: it answers while the agent still waits. */
const LATEST_START_MS = 5000
const LATEST_LOAD_MS = 7000
const TIMEOUT = 'no answer within'
/** What the native hook waited for a daemon, before it started this. Never so long that nothing could be judged. */
const SPENT = Math.min(Math.max(Number(process.env.SIGNALBOX_SPENT_MS) || 0, 0), 1700)
delete process.env.SIGNALBOX_SPENT_MS
/** The native hook's own id of this call, told to this very process: a daemon may have put its answer on record. Anybody else's is none. */
const [PID, CALL] = (process.env.SIGNALBOX_CALL ?? '').split('-')
delete process.env.SIGNALBOX_CALL
const ownCall = () => (PID === String(process.pid) && CALL) || undefined
/** What may be an approval, and who brought it. Nobody whom the hook starts is given it. */
function takeApproval() {
  const token = process.env.SIGNALBOX_APPROVAL
  delete process.env.SIGNALBOX_APPROVAL
  return token ? { token, pid: process.pid } : undefined
}
/** Where it was called, if that folder is deleted: the shell in between does not know it any more. */
const PLACE = process.env.SIGNALBOX_PWD
delete process.env.SIGNALBOX_PWD
/** The native hook waits for this process, and gives the declared answer when it takes too long. */
const WATCHED = process.env.SIGNALBOX_WATCHED
delete process.env.SIGNALBOX_WATCHED

/** the payload, as far as it has come */
const heard = []
/** when the last of it came, in milliseconds since the hook began */
let heardAt = 0
function hear(chunk) {
  heard.push(chunk)
  heardAt = spent()
}
const said = () => Buffer.concat(heard)
/** Reads what has come in the meantime, without waiting. True: the payload is all there. */
let readRest = () => false
function readLate() {
  try {
    return readRest()
  } catch {
    return false
  }
}

/** Milliseconds since the hook began, whichever process that was. */
const spent = () => SPENT + process.uptime() * 1000

async function hook(args) {
  let timer
  /** when the payload was all there, in milliseconds since the hook began */
  let came
  let inputEnded = () => {}
  const approval = takeApproval()
  const failWords = (why, onRecord) => {
    // on a busy machine the payload waits in the pipe while Node still starts: it says what is to be answered
    if (came === undefined) readLate()
    return lastResort(args, said().toString('utf8'), why, onRecord)
  }
  const fail = (why, onRecord) => finish(failWords(why, onRecord))
  // the native hook watches the time by itself, and leaves more of it
  const failIfLate = ms => WATCHED || spent() < ms || fail(`${TIMEOUT} ${ms / 1000} s`)
  const timeIsUp = ms => {
    if (came === undefined && readLate()) return inputEnded()
    const left = came === undefined ? Math.min(heardAt + PAUSE_MS, INPUT_MS) - spent() : 0
    if (left <= 0) fail(`${TIMEOUT} ${ms / 1000} s`)
    else timer = setTimeout(() => timeIsUp(ms), left)
  }
  // the program says how long it may take once it knows the policy: a person's own hooks have time of their own
  const answerBy = ms => {
    clearTimeout(timer)
    if (WATCHED && ms > BUDGET_MS) write(2, `\0wait ${Math.ceil(ms)}\n`)
    // a slow start takes nothing off the time to judge, as long as the agent waits
    const until = came === undefined ? ms : Math.max(ms, Math.min(came + ms, LAST_MS))
    timer = setTimeout(() => timeIsUp(ms), Math.min(Math.max(until - spent(), 0), 2 ** 31 - 1))
  }
  answerBy(BUDGET_MS)
  // whatever prints, it is no part of the reply
  console.log = console.info = console.debug = console.error
  process.on('uncaughtException', error => fail(String(error)))
  process.on('unhandledRejection', error => fail(String(error)))
  // whoever ends the process in the middle does not choose the exit code: 1 would be an approval
  process.on('exit', () => {
    if (finished) return
    const { exitCode, stdout, stderr } = failWords('the program ended without an answer')
    write(2, `${stderr}\n`)
    process.exitCode = stdout ? told(stdout, exitCode) : exitCode
  })
  for (const signal of SIGNALS) process.on(signal, () => fail(signal))
  try {
    const input = Promise.race([readInput(), new Promise(done => (inputEnded = done))])
    failIfLate(LATEST_START_MS)
    // loaded while the payload comes; what is wrong with it is told when the payload says what it was for
    const program = load('../dist/entry.cjs')
    await input
    failIfLate(LATEST_LOAD_MS)
    came = spent()
    answerBy(BUDGET_MS)
    const bytes = said()
    const text = bytes.toString('utf8')
    const { runHook } = program()
    const stuck = () => {
      hanging = true
    }
    const given = { args, text, bytes, env: process.env, cwd: here(), now: Date.now() }
    const call = { ...given, call: ownCall(), approval, answerBy, stuck }
    finish(await runHook(call))
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), error?.onRecord)
  } finally {
    clearTimeout(timer)
  }
}

function load(file) {
  try {
    const program = require(file)
    return () => program
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Who sends one of these does not choose the exit code. */
const SIGNALS = [
  'SIGTERM',
  'SIGINT',
  'SIGQUIT',
  'SIGALRM',
  'SIGUSR2',
  'SIGXCPU',
  'SIGVTALRM',
  'SIGHUP',
  'SIGPROF',
  'SIGIO',
  'SIGPWR',
  'SIGSTKFLT',
]

/**
 * Never by a read that waits: whenever time is up, or the program fails, what has come until then can still be read, at once. A file, which is
 * what the native hook leaves, and a pipe are read as they are. `process.stdin` loads all of Node's networking, but only so a socket does not wait.
 */
function readInput() {
  const stdin = fstatSync(0)
  if (stdin.isFile()) return Promise.resolve(hear(readFileSync(0)))
  // nobody types a payload
  if (stdin.isCharacterDevice()) return Promise.resolve()
  const pipe = stdin.isFIFO() ? openPipe() : undefined
  return pipe === undefined ? readStream() : readPipe(pipe)
}

/** The same pipe, opened once more so that reading it does not wait; nobody else who holds it notices. Not everywhere. */
function openPipe() {
  try {
    return openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}

/** True: that was all of it. */
function readAvailable(descriptor) {
  const chunk = Buffer.allocUnsafe(65_536)
  for (;;) {
    try {
      const length = readSync(descriptor, chunk, 0, chunk.length, null)
      if (length === 0) return true
      hear(Buffer.from(chunk.subarray(0, length)))
    } catch (error) {
      if (error.code === 'EAGAIN') return false
      throw error
    }
  }
}

function readPipe(pipe) {
  readRest = () => readAvailable(pipe)
  return new Promise((done, fail) => {
    const next = () => {
      const before = heard.length
      try {
        if (readRest()) return done()
      } catch (error) {
        return fail(error)
      }
      // who has just written writes on
      if (heard.length > before) setImmediate(next)
      else setTimeout(next, 1)
    }
    next()
  })
}

function readStream() {
  const { stdin } = process
  return new Promise((done, fail) => {
    if (stdin.isTTY) return done()
    // whoever opens it so has made it one that does not wait
    readRest = () => readAvailable(0)
    stdin.on('data', hear)
    stdin.on('end', done)
    stdin.on('error', fail)
  })
}

/** One answer, whole, then out: nothing that still runs may add to it or hold the client up. */
function finish({ exitCode, stdout, stderr }) {
  if (finished) return
  finished = true
  if (stderr) write(2, `${stderr.trimEnd()}\n`)
  const code = stdout ? told(`${stdout}\n`, exitCode) : exitCode
  if (hanging) leave(code)
  process.exit(code)
}

/** The exit code: a disk that is full must not turn a no into a yes. */
function told(stdout, exitCode) {
  if (write(1, stdout) || exitCode !== 0 || !/"(deny|block)"/.test(stdout)) return exitCode
  write(2, 'signalbox: refused, and the answer could not be written\n')
  return 2
}

/** False where it cannot be kept; that nobody reads it any more is no failure. */
function write(descriptor, text) {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') return error.code === 'EPIPE' || error.code === 'EBADF'
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
  return true
}

/** Where there is nothing to become, the exit waits for what hangs. */
function leave(exitCode) {
  // it would warn that this is experimental, to whom the answer is for
  process.emitWarning = () => {}
  try {
    process.execve('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {})
  } catch {}
}

/** What clients call a call that is about to be made: where the table cannot be read, and for who types it by hand. */
const REFUSABLE = /^(pre_?tool_?use|before_?tool|tool\.before|permission[_.]?request)$/i

/**
 * Without the program: deny a call, and what may be one, where the project's posture or `--on-error` says closed; else pass, in words that the
 * client shows. Prompts and stops always pass.
 */
function lastResort(args, text, why, onRecord) {
  const option = name =>
    args.find(arg => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? args[args.indexOf(name) + 1 || args.length]
  const payload = parse(text)
  const client = clientNamed(option('--client'))
  const { refuses = {} } = client ?? {}
  const { event, isUnknown } = eventOf(payload, text, option('--event'), client)
  const mayBeCall = isUnknown || Object.hasOwn(refuses, event) || REFUSABLE.test(event)
  const postures = posturesFor(payload, client)
  const refused = mayBeCall && (option('--on-error') === 'closed' || isClosed(postures))
  const [line] = why.split('\n')
  const entry = entryOf(payload, line, refused, onRecord)
  log(postures, option('--client'), entry)
  // a name that is no client's would be one in statistics
  spool(entry, client && option('--client'), event)
  const answer = wordsFor(client, { event, isUnknown, refused, why })
  if (mayBeCall && !refused && /^(\{\})?$/.test(answer.stdout)) countUnjudged(client && option('--client'))
  return answer
}

/** What the payload is about, though it may be cut off. Unknown: nothing tells that it is no call. */
function eventOf(payload, text, given, client) {
  const [head] = text.slice(0, 65_536).split(/"tool(?:_input|Args|Input)"/, 1)
  const named = /"(?:hook_event_name|hookName|event)"\s*:\s*"([^"\\]+)"/.exec(head)?.[1]
  const event = stringIn(payload.hook_event_name) ?? given ?? named
  if (event !== undefined) return { event, isUnknown: false }
  // only where the whole payload is there: an agent chooses what is in its input
  const isResult = ['tool_result', 'toolResult'].some(name => Object.hasOwn(Object(payload), name))
  const isCall = /"tool(?:_name|Name)"/.test(head) && !isResult
  const { inWords, unnamed = inWords && 'tool.before' } = client ?? {}
  if (isCall && unnamed) return { event: unnamed, isUnknown: false }
  // a client whose payloads never name their event names the tool of every call
  const isOther = isResult || head.includes('"prompt"') || (client?.unnamed && /^\s*\{\s*"/.test(text) && isWhole(text))
  return { event: '', isUnknown: isCall || !isOther }
}

/** How this client is told. */
function wordsFor(client, { event, isUnknown, refused, why }) {
  const { inWords, refuses = {}, passes = {}, unread } = client ?? {}
  const [line] = why.split('\n')
  const words = refused
    ? `this call could not be judged, and the policy refuses it then: ${line}. Tell the user.`
    : line
  const stderr = `signalbox: ${words}`
  if (refused && refuses[event]) return { exitCode: 0, stdout: filled(refuses[event], line), stderr }
  if (inWords) return { exitCode: 0, stdout: JSON.stringify(answerIn(refused, words, why)), stderr }
  const template = isUnknown ? unread : Object.hasOwn(passes, event) && passes[event]
  if (!refused && template) return { exitCode: 0, stdout: filled(template, line), stderr }
  return { exitCode: refused ? 2 : 0, stdout: '', stderr }
}

const stringIn = value => (typeof value === 'string' ? value : undefined)

/** The client's own words of a refusal, where the exit code is not heard. */
const filled = (template, line) => template.replaceAll('{why}', () => JSON.stringify(line).slice(1, -1))

/** A protocol that is always answered in words. */
function answerIn(refused, words, why) {
  if (refused) return { decision: 'block', reason: words }
  return {
    decision: 'approve',
    warning: why.startsWith(TIMEOUT) ? 'Hook timeout - allowing request' : `Hook error: ${words}`,
  }
}

function isWhole(text) {
  try {
    return JSON.parse(text) !== null
  } catch {
    return false
  }
}

function parse(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/**
 * What the policy declared for failures. Which project the session belongs to only the store knows: one that says closed is
 * heard, if it is the client's own or encloses the place where the agent or this process is. A policy that is newer than what was kept of it
 * is asked itself.
 */
function isClosed(postures) {
  if (postures.some(one => one.word === 'closed')) return true
  const newest = Math.max(0, ...postures.map(one => one.at))
  return (
    postures.some(({ folder, at }) => declaresClosed(join(folder, 'signalbox.yaml'), at)) ||
    declaresClosed(userFile(), newest) ||
    declaresClosed(MANAGED_FILE, newest)
  )
}

function posturesFor(payload, client) {
  const { createHash } = require('node:crypto')
  const starts = [...projectFolders(client), payload.cwd, here()]
  return [...new Set(starts.flatMap(enclosing))].map(folder => {
    const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16)
    return { folder, ...declared(join(stateFolder(), 'posture', hash)) }
  })
}

const MANAGED_FILE = '/etc/signalbox/signalbox.yaml'

/** Is it a policy of this user or of root, written after `since`, that wants calls refused on failure? */
function declaresClosed(file, since) {
  try {
    const { mtimeMs, uid } = statSync(file)
    const isOwn = uid === process.getuid?.() || uid === 0 || process.getuid === undefined
    return isOwn && Math.floor(mtimeMs) > since && saysClosed(readRegular(file))
  } catch (error) {
    if (isShortage(error)) leaveToHook()
    // one that an administrator put there, and nobody can read, refuses
    return isShortage(error) || (file === MANAGED_FILE && !['ENOENT', 'ENOTDIR'].includes(error.code))
  }
}

/** Without a parser for YAML: an `onError` that is not plainly `open`, and not in a comment, is `closed`. */
function saysClosed(text) {
  const values = text.matchAll(/onError["']?[ \t\r\n]*:[ \t\r\n]*["']?(open(?![\w-]))?/g)
  let line = 0
  let isComment = isCommentAt(text, 0)
  for (const { index, 1: open } of values) {
    for (let end = text.indexOf('\n', line); end !== -1 && end < index; end = text.indexOf('\n', line)) {
      line = end + 1
      isComment = isCommentAt(text, line)
    }
    if (!open && !isComment) return true
  }
  return text.length >= LONGEST_FILE
}

function isCommentAt(text, line) {
  const blanks = /[ \t]*/y
  blanks.lastIndex = line
  return text[line + (blanks.exec(text)?.[0].length ?? 0)] === '#'
}

/** The first megabyte; a longer policy counts as `closed`, as nobody looks at the rest. */
function readRegular(file) {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(handle).isFile()) throw new Error('not a file')
    const bytes = Buffer.alloc(LONGEST_FILE)
    let size = 0
    for (let got = 1; got > 0 && size < bytes.length; size += got)
      got = readSync(handle, bytes, size, bytes.length - size)
    return bytes.toString('utf8', 0, size)
  } finally {
    closeSync(handle)
  }
}

const LONGEST_FILE = 1 << 20

/** As the program writes them. What a crash says may hold anything, and nothing here can hide it: that stays on stderr. */
const entryOf = (payload, line, refused, onRecord = 'the hook ended without an answer of its own') => ({
  timestamp: new Date().toISOString(),
  error_type: line.startsWith(TIMEOUT) ? 'HOOK_TIMEOUT' : 'HOOK_ERROR',
  error_message: line.startsWith(TIMEOUT) ? line : onRecord,
  tool_name: typeof payload.tool_name === 'string' ? payload.tool_name.slice(0, 200) : null,
  decision: refused ? 'block' : 'approve',
  recovery_action: refused ? 'fail_closed' : 'fail_open',
})

/** The innermost project that keeps a log for this client gets a line. Nothing that goes wrong here changes the answer. */
function log(postures, client, entry) {
  try {
    const { folder, logs } = postures.find(one => one.logs) ?? {}
    const files = folder === undefined ? [] : JSON.parse(logs).filter(one => one.on.includes(client))
    for (const { errors } of files) append(folder, errors, `${JSON.stringify(entry)}\n`)
  } catch {}
}

/** An answer that is in no trail yet: whoever has the store next puts it there. */
function spool({ tool_name, error_message, decision }, client = '', event = '') {
  const at = Date.now()
  try {
    const folder = join(stateFolder(), 'spool')
    makeFolder(folder)
    if (readdirSync(folder, { withFileTypes: true }).filter(one => one.isFile()).length >= 1000) return
    const answer = { at, client: client.slice(0, 200), event: event.slice(0, 200), tool: tool_name ?? undefined }
    const text = JSON.stringify({ ...answer, decision: decision === 'block' ? 'deny' : 'pass', why: error_message })
    const name = join(folder, `${at}-${process.pid}`)
    writeFileSync(`${name}.tmp`, text, { flag: 'wx', mode: 0o600 })
    renameSync(`${name}.tmp`, `${name}.json`)
  } catch {}
}

/** The client shows nothing with this event: the next one with a place for it says how many calls passed so. */
function countUnjudged(client = 'unknown') {
  try {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = join(stateFolder(), `unjudged-${client}`)
    const handle = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    const stat = fstatSync(handle)
    if (stat.isFile() && stat.size < 65_536) writeSync(handle, '.')
  } catch {}
}

/** Folder by folder: `recursive` never ends where nothing can be made. */
function makeFolder(folder) {
  if (existsSync(folder)) return
  if (folder !== dirname(folder)) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Never through a link that leads out of the project, nor into anything but a file of its own. */
function append(folder, path, line) {
  const base = realpathSync(folder)
  let at = base
  for (const part of dirname(path).split('/')) {
    if (!existsSync(join(at, part))) mkdirSync(join(at, part))
    at = realpathSync(join(at, part))
    if (part === '..' || !`${at}/`.startsWith(`${base}/`)) return
  }
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = openSync(join(at, basename(path)), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  const stat = fstatSync(handle)
  if (stat.isFile() && stat.nlink === 1 && stat.size < 1_000_000) writeSync(handle, line)
}

function stateFolder() {
  const { HOME, SIGNALBOX_HOME, XDG_STATE_HOME } = process.env
  if (SIGNALBOX_HOME) return join(SIGNALBOX_HOME, 'state')
  const base = XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(HOME || ownHome(), '.local/state')
  return join(base, 'signalbox')
}

/** As the system has it: `os.homedir` is the same, but for an empty `HOME`. */
function ownHome() {
  try {
    return require('node:os').userInfo().homedir || '/'
  } catch {
    return '/'
  }
}

function userFile() {
  const { HOME, SIGNALBOX_HOME, XDG_CONFIG_HOME } = process.env
  if (SIGNALBOX_HOME) return join(SIGNALBOX_HOME, 'signalbox.yaml')
  const base = XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || ownHome(), '.config')
  return join(base, 'signalbox/signalbox.yaml')
}

/** By the client's own variable; of a client that nobody knows, by every one that looks like it. */
const projectFolders = client =>
  Object.keys(process.env)
    .filter(name => (client ? name === client.project : name.endsWith('_PROJECT_DIR')))
    .map(name => process.env[name])

/** The folder and all around it. The kernel takes no longer path. */
function enclosing(folder) {
  if (typeof folder !== 'string' || !isAbsolute(folder) || folder.length > 4096) return []
  const folders = [resolve(folder)]
  for (let at = folders[0]; at !== dirname(at); at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** Where this process is, even if that was deleted. */
function here() {
  try {
    return process.cwd()
  } catch {
    return PLACE || process.env.PWD || '/'
  }
}

/** What each client wants to know of, and how it is answered: written by `npm run generate`. */
function clientNamed(id) {
  try {
    const clients = require('./clients.json')
    return Object.hasOwn(clients, id) ? clients[id] : undefined
  } catch (error) {
    if (isShortage(error)) leaveToHook()
    return undefined
  }
}

/** The word, the error logs, and when it was written. What may have been declared counts as declared; what is no word was not kept. */
function declared(file) {
  try {
    const [word, logs] = readRegular(file).trim().split('\n')
    return { word, logs, at: word === 'open' || word === 'closed' ? Math.floor(statSync(file).mtimeMs) : 0 }
  } catch (error) {
    const isAbsent = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code)
    if (isShortage(error)) leaveToHook()
    return isAbsent ? { at: 0 } : { word: 'closed', at: 0 }
  }
}

const isShortage = ({ code }) => ['EMFILE', 'ENFILE', 'ENOMEM'].includes(code)

/** The native hook waits for this process, and needs less: it answers where this ends without an answer. */
function leaveToHook() {
  if (!ownCall()) return
  finished = true
  process.exit(3)
}

function missing(error) {
  process.stderr.write(`signalbox: ${error.message}\nis it built? run \`npm run build\` where it is installed\n`)
  process.exit(2)
}

async function command(argv) {
  // `signalbox demo | head` ends when the reader has seen enough
  process.stdout.on('error', error => process.exit(error.code === 'EPIPE' ? 141 : 2))
  const { main } = await import('../dist/cli.mjs').catch(missing)
  process.exitCode = await main(argv)
}

/** `signalbox stats`: the rest of the command line takes longer to load than it takes to answer. */
async function figures(argv) {
  process.stdout.on('error', error => process.exit(error.code === 'EPIPE' ? 141 : 2))
  let program
  try {
    program = require('../dist/stats.cjs')
  } catch (error) {
    return missing(error)
  }
  process.exitCode = await program.stats(argv)
}

/** `signalbox run -- npm test`: without the command line, which would only keep the command waiting. */
function start(argv) {
  let program
  try {
    program = require('../dist/run.cjs')
  } catch (error) {
    return missing(error)
  }
  return program.run(argv)
}

/** `signalbox daemon serve`: what the native hook starts. */
function serve() {
  let program
  try {
    program = require('../dist/daemon.cjs')
  } catch (error) {
    return missing(error)
  }
  program.serve().catch(error => {
    write(2, `signalbox daemon: ${error.message}\n`)
    process.exit(2)
  })
}

const argv = process.argv.slice(2)
if (argv[0] === 'hook' && !argv.includes('--help') && !argv.includes('-h')) hook(argv.slice(1))
else if (argv[0] === 'run' && argv[1] === '--' && argv.length > 2) start(argv.slice(2))
else if (argv[0] === 'daemon' && argv[1] === 'serve' && argv.length === 2) serve()
else if (argv[0] === 'stats') figures(argv.slice(1))
else command(argv)
