#!/usr/bin/env node
// Last resort: plain JavaScript around the program. A crash becomes the declared failure answer, never exit 1.
// CommonJS, because loading Node's support for `import` takes longer than the answer.
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
/** a code gate hangs and may not be stoppable: `process.exit` would wait for it */
let hanging = false
/** The time limit for receiving the payload, and again for judging it. */
const BUDGET_MS = 2000
/** A payload that keeps arriving, without a pause of `PAUSE_MS`, may take this long. */
const INPUT_MS = 5000
const PAUSE_MS = 1000
/** Agents wait ten seconds for a hook and then make the call, so the failure answer must be out before. */
const LAST_MS = 8000
/** If starting Node, or loading the program, took this long, the call is not judged: the failure answer must reach the waiting agent. */
const LATEST_START_MS = 5000
const LATEST_LOAD_MS = 7000
const TIMEOUT = 'no reply within'
/** How long the native hook waited for a daemon before it started this process. Capped, so that some time to judge is left. */
const SPENT = Math.min(Math.max(Number(process.env.SIGNALBOX_SPENT_MS) || 0, 0), 1700)
delete process.env.SIGNALBOX_SPENT_MS
/** The native hook's id of this call, valid only for this process id: a daemon may already have recorded an answer for it. */
const [PID, CALL] = (process.env.SIGNALBOX_CALL ?? '').split('-')
delete process.env.SIGNALBOX_CALL
const ownCall = () => (PID === String(process.pid) && CALL) || undefined
/** Takes a possible approval token out of the environment, so that processes started by the hook do not inherit it. */
function takeApproval() {
  const token = process.env.SIGNALBOX_APPROVAL
  delete process.env.SIGNALBOX_APPROVAL
  return token ? { token, pid: process.pid } : undefined
}
/** The folder of the call if that folder was deleted: the shell in between does not know its path any more. */
const PLACE = process.env.SIGNALBOX_PWD
delete process.env.SIGNALBOX_PWD
/** Set if the native hook watches this process and gives the declared answer when it takes too long. */
const WATCHED = process.env.SIGNALBOX_WATCHED
delete process.env.SIGNALBOX_WATCHED

/** the parts of the payload received so far */
const chunks = []
/** when the last part arrived, in milliseconds since the hook began */
let receivedAt = 0
function receive(chunk) {
  chunks.push(chunk)
  receivedAt = spent()
}
const received = () => Buffer.concat(chunks)
/** Reads what has arrived, without waiting. Returns true if the payload is complete. */
let readRest = () => false
function readLate() {
  try {
    return readRest()
  } catch {
    return false
  }
}

/** Milliseconds since the hook began, including the native hook's time. */
const spent = () => SPENT + process.uptime() * 1000

async function hook(args) {
  let timer
  /** when the payload was complete, in milliseconds since the hook began */
  let came
  let inputEnded = () => {}
  const approval = takeApproval()
  const failWords = (why, onRecord) => {
    // on a busy machine the payload waits in the pipe while Node starts; it decides what to answer
    if (came === undefined) readLate()
    return lastResort(args, received().toString('utf8'), why, onRecord)
  }
  const fail = (why, onRecord) => finish(failWords(why, onRecord))
  // the native hook has its own time limit, which is longer
  const failIfLate = ms => WATCHED || spent() < ms || fail(`${TIMEOUT} ${ms / 1000} s`)
  const timeIsUp = ms => {
    if (came === undefined && readLate()) return inputEnded()
    const left = came === undefined ? Math.min(receivedAt + PAUSE_MS, INPUT_MS) - spent() : 0
    if (left <= 0) fail(`${TIMEOUT} ${ms / 1000} s`)
    else timer = setTimeout(() => timeIsUp(ms), left)
  }
  // the program sets its limit once it knows the policy: sub-hooks have their own time
  const answerBy = ms => {
    clearTimeout(timer)
    if (WATCHED && ms > BUDGET_MS) write(2, `\0wait ${Math.ceil(ms)}\n`)
    // a slow start does not shorten the time to judge, as long as the agent waits
    const until = came === undefined ? ms : Math.max(ms, Math.min(came + ms, LAST_MS))
    timer = setTimeout(() => timeIsUp(ms), Math.min(Math.max(until - spent(), 0), 2 ** 31 - 1))
  }
  answerBy(BUDGET_MS)
  // printed output must not become part of the reply
  console.log = console.info = console.debug = console.error
  process.on('uncaughtException', error => fail(String(error)))
  process.on('unhandledRejection', error => fail(String(error)))
  // if the process is ended midway, we still choose the exit code: agents read 1 as an approval
  process.on('exit', () => {
    if (finished) return
    const { exitCode, stdout, stderr } = failWords('the program ended without a reply')
    write(2, `${stderr}\n`)
    process.exitCode = stdout ? writeReply(stdout, exitCode) : exitCode
  })
  for (const signal of SIGNALS) process.on(signal, () => fail(signal))
  try {
    const input = Promise.race([readInput(), new Promise(done => (inputEnded = done))])
    failIfLate(LATEST_START_MS)
    // loads while the payload arrives; a load error is reported once the payload shows which event it was
    const program = load('../dist/entry.cjs')
    await input
    failIfLate(LATEST_LOAD_MS)
    came = spent()
    answerBy(BUDGET_MS)
    const bytes = received()
    const text = bytes.toString('utf8')
    const { runHook } = program()
    const stuck = () => {
      hanging = true
    }
    const given = { args, text, bytes, env: process.env, cwd: here(), now: Date.now() }
    const call = { ...given, call: ownCall(), approval, answerBy, stuck }
    const result = await runHook(call)
    if (result.requiresOneShot === undefined) finish(result)
    else fail(result.requiresOneShot, result.onRecord)
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
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

/** Signals that would end the process. They get the failure answer, so they do not choose the exit code. */
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
 * Never blocks: when time is up or the program fails, everything received so far can still be read at once. A file, which the native hook
 * passes, and a pipe are read directly. A socket is read through `process.stdin`, which loads all of Node's networking but does not block.
 */
function readInput() {
  const stdin = fstatSync(0)
  if (stdin.isFile()) return Promise.resolve(receive(readFileSync(0)))
  // a terminal: no payload is typed
  if (stdin.isCharacterDevice()) return Promise.resolve()
  const pipe = stdin.isFIFO() ? openPipe() : undefined
  return pipe === undefined ? readStream() : readPipe(pipe)
}

/** Opens the same pipe again in non-blocking mode, which does not affect its other readers. Not available on every system. */
function openPipe() {
  try {
    return openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}

/** Returns true at the end of the input. */
function readAvailable(descriptor) {
  const chunk = Buffer.allocUnsafe(65_536)
  for (;;) {
    try {
      const length = readSync(descriptor, chunk, 0, chunk.length, null)
      if (length === 0) return true
      receive(Buffer.from(chunk.subarray(0, length)))
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
      const before = chunks.length
      try {
        if (readRest()) return done()
      } catch (error) {
        return fail(error)
      }
      // after a write, more usually follows at once
      if (chunks.length > before) setImmediate(next)
      else setTimeout(next, 1)
    }
    next()
  })
}

function readStream() {
  const { stdin } = process
  return new Promise((done, fail) => {
    if (stdin.isTTY) return done()
    // `process.stdin` has set the descriptor to non-blocking
    readRest = () => readAvailable(0)
    stdin.on('data', receive)
    stdin.on('end', done)
    stdin.on('error', fail)
  })
}

/** Writes one complete answer and exits, so that running code can neither add to it nor delay the client. */
function finish({ exitCode, stdout, stderr }) {
  if (finished) return
  finished = true
  if (stderr) write(2, `${stderr.trimEnd()}\n`)
  const code = stdout ? writeReply(`${stdout}\n`, exitCode) : exitCode
  if (hanging) leave(code)
  process.exit(code)
}

/** Writes the reply and returns the exit code: a full disk must not turn a denial into an approval. */
function writeReply(stdout, exitCode) {
  if (write(1, stdout) || exitCode !== 0 || !/"(deny|block)"/.test(stdout)) return exitCode
  write(2, 'signalbox: denied, but the reply could not be written\n')
  return 2
}

/** Returns false if the text cannot be written. A closed pipe is not a failure. */
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

/** Replaces this process by a shell that exits, because `process.exit` would wait for the hanging gate. Returns if that is impossible. */
function leave(exitCode) {
  // Node would print a warning, which the agent would see
  process.emitWarning = () => {}
  try {
    process.execve('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {})
  } catch {}
}

/** Event names of a call about to be made. Used if the client table cannot be read, and for manual calls. */
const REFUSABLE = /^(pre_?tool_?use|before_?tool|tool\.before|permission[_.]?request)$/i

/**
 * The answer without the program: denies a call, or a possible call, if the project's failure mode or `--on-error` is closed; otherwise
 * passes with a message that the client shows. Prompts and stops always pass.
 */
function lastResort(args, text, why, onRecord) {
  const option = name =>
    args.find(arg => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? args[args.indexOf(name) + 1 || args.length]
  // a misspelt word is not `open`
  const isClosedByOption = args.some(arg => /^--on-error(=|$)/.test(arg)) && option('--on-error') !== 'open'
  const payload = parse(text)
  const client = clientNamed(option('--client'))
  const { refuses = {} } = client ?? {}
  const { event, isUnknown } = eventOf(payload, text, option('--event'), client)
  const mayBeCall = isUnknown || Object.hasOwn(refuses, event) || REFUSABLE.test(event)
  const failureModes = failureModesFor(payload, client)
  const refused = mayBeCall && (isClosedByOption || isClosed(failureModes))
  const [line] = why.split('\n')
  const entry = entryOf(payload, line, refused, onRecord)
  log(failureModes, option('--client'), entry)
  // an unknown client name must not appear in statistics
  spool(entry, client && option('--client'), event)
  const answer = wordsFor(client, { event, isUnknown, refused, why })
  if (mayBeCall && !refused && /^(\{\})?$/.test(answer.stdout)) countUnjudged(client && option('--client'))
  return answer
}

const CALL_FIELD = /"tool(?:_name|Name|_info|_call|Call)"/

/** The event of a payload that may be cut off. `isUnknown`: nothing shows that it is not a call. */
function eventOf(payload, text, given, client) {
  const [head] = text.slice(0, 65_536).split(/"tool(?:_input|Args|Input)"/, 1)
  const named = /"(?:hook_event_name|hookEventName|hookName|event)"\s*:\s*"([^"\\]+)"/.exec(head)?.[1]
  const event = stringIn(payload.hook_event_name) ?? given ?? named
  // some agents name no tool, or give their calls in a field of their own
  const holdsCall = CALL_FIELD.test(head) || head.length < Math.min(text.length, 65_536)
  if (event !== undefined) return { event, isUnknown: holdsCall && isUnknownCall(event, payload, client) }
  // only if the payload is complete: an agent chooses the contents of its tool input
  const isResult = ['tool_result', 'toolResult'].some(name => Object.hasOwn(Object(payload), name))
  const isCall = holdsCall && !isResult
  const { inWords, unnamed = inWords && 'tool.before' } = client ?? {}
  if (isCall && unnamed) return { event: unnamed, isUnknown: false }
  // a client whose payloads never name their event always names the tool of a call
  const isOther = isResult || head.includes('"prompt"') || (client?.unnamed && /^\s*\{\s*"/.test(text) && isWhole(text))
  return { event: '', isUnknown: isCall || !isOther }
}

/** Event names about a call of the past: there is nothing left to deny. */
const PAST = /^(post|after)|(after|denied|fail(ed|ure)?|error|result|end(ed)?|done|completed?|finished|stop(ped)?)$/i
const RESULTS = ['tool_response', 'tool_result', 'toolResult', 'tool_output', 'toolOutput', 'tool_error', 'error']

/** Whether an event that the client's table does not have is about the call it carries, and before it. */
function isUnknownCall(event, payload, client) {
  const { refuses = {}, passes = {} } = client ?? {}
  if (Object.hasOwn(refuses, event) || Object.hasOwn(passes, event) || PAST.test(event)) return false
  return !RESULTS.some(name => Object.hasOwn(Object(payload), name))
}

/** The reply in this client's format. */
function wordsFor(client, { event, isUnknown, refused, why }) {
  const { inWords, refuses = {}, passes = {}, unread } = client ?? {}
  const [line] = why.split('\n')
  const words = refused ? `this call could not be evaluated, so the policy denies it: ${line}. Tell the user.` : line
  const stderr = `signalbox: ${words}`
  // not every event of the table has a text, and an event may be called `constructor`
  const denial = Object.hasOwn(refuses, event) && refuses[event]
  if (refused && denial) return { exitCode: 0, stdout: filled(denial, line), stderr }
  if (inWords) return { exitCode: 0, stdout: JSON.stringify(answerIn(refused, words, why)), stderr }
  const template = isUnknown ? unread : Object.hasOwn(passes, event) && passes[event]
  if (!refused && template) return { exitCode: 0, stdout: filled(template, line), stderr }
  return { exitCode: refused ? 2 : 0, stdout: '', stderr }
}

const stringIn = value => (typeof value === 'string' ? value : undefined)

/** Fills the client's own denial template, for clients that ignore the exit code. */
const filled = (template, line) => template.replaceAll('{why}', () => JSON.stringify(line).slice(1, -1))

/** The reply for a protocol that always needs a JSON answer. */
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
 * The failure mode that the policy declared. Only the store knows the session's project, so every stored `closed` counts that belongs to
 * the client's project variable, or to a folder around the agent or this process. A policy file that is newer than its stored failure
 * mode is read itself.
 */
function isClosed(failureModes) {
  if (failureModes.some(one => one.word === 'closed')) return true
  const newest = Math.max(0, ...failureModes.map(one => one.at))
  return (
    failureModes.some(({ folder, at }) => declaresClosed(join(folder, 'signalbox.yaml'), at)) ||
    declaresClosed(userFile(), newest) ||
    declaresClosed(MANAGED_FILE, newest)
  )
}

function failureModesFor(payload, client) {
  const { createHash } = require('node:crypto')
  const starts = [...projectFolders(client), payload.cwd, here()]
  return [...new Set(starts.flatMap(enclosing))].map(folder => {
    const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16)
    return { folder, ...declared(join(stateFolder(), 'posture', hash)) }
  })
}

const MANAGED_FILE = '/etc/signalbox/signalbox.yaml'

/** Whether the file is a policy of this user or root, written after `since`, that denies calls on failure. */
function declaresClosed(file, since) {
  try {
    const { mtimeMs, uid } = statSync(file)
    const isOwn = uid === process.getuid?.() || uid === 0 || process.getuid === undefined
    return isOwn && Math.floor(mtimeMs) > since && saysClosed(readRegular(file))
  } catch (error) {
    if (isShortage(error)) leaveToHook()
    // an unreadable managed policy counts as closed
    return isShortage(error) || (file === MANAGED_FILE && !['ENOENT', 'ENOTDIR'].includes(error.code))
  }
}

/** Works without a YAML parser: an `onError` outside of comments that is not plainly `open` counts as `closed`. */
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

/** Reads the first megabyte. A longer policy counts as `closed`, because its rest is not read. */
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

/** An error log entry as the program writes it. A crash message may contain secrets and is not redacted here, so it goes only to stderr. */
const entryOf = (payload, line, refused, onRecord = 'the hook ended without a reply') => ({
  timestamp: new Date().toISOString(),
  error_type: line.startsWith(TIMEOUT) ? 'HOOK_TIMEOUT' : 'HOOK_ERROR',
  error_message: line.startsWith(TIMEOUT) ? line : onRecord,
  tool_name: typeof payload.tool_name === 'string' ? payload.tool_name.slice(0, 200) : null,
  decision: refused ? 'block' : 'approve',
  recovery_action: refused ? 'fail_closed' : 'fail_open',
})

/** Adds a line to the error log of the innermost project that keeps one for this client. Errors here do not change the answer. */
function log(failureModes, client, entry) {
  try {
    const { folder, logs } = failureModes.find(one => one.logs) ?? {}
    const files = folder === undefined ? [] : JSON.parse(logs).filter(one => one.on.includes(client))
    for (const { errors } of files) append(folder, errors, `${JSON.stringify(entry)}\n`)
  } catch {}
}

/** Spools an answer that is not in the audit log yet. The next process that opens the store records it. */
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

/** Counts a call that passed unjudged, if the client shows no text for this event. The next event that can show text reports the number. */
function countUnjudged(client = 'unknown') {
  try {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = join(stateFolder(), `unjudged-${client}`)
    const handle = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    const stat = fstatSync(handle)
    if (stat.isFile() && stat.size < 65_536) writeSync(handle, '.')
  } catch {}
}

/** Creates folder by folder, because Node's `recursive` never returns where nothing can be created. */
function makeFolder(folder) {
  if (existsSync(folder)) return
  if (folder !== dirname(folder)) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Never follows a link out of the project, and writes only to a regular file. */
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

/** The home folder from the system's user database. The same as `os.homedir`, except for an empty `HOME`. */
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

/** Project folders from the client's own variable; for an unknown client, from every variable with the usual suffix. */
const projectFolders = client =>
  Object.keys(process.env)
    .filter(name => (client ? name === client.project : name.endsWith('_PROJECT_DIR')))
    .map(name => process.env[name])

/** The folder and its parents. The kernel accepts no longer path. */
function enclosing(folder) {
  if (typeof folder !== 'string' || !isAbsolute(folder) || folder.length > 4096) return []
  const folders = [resolve(folder)]
  for (let at = folders[0]; at !== dirname(at); at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** The current folder, even if it was deleted. */
function here() {
  try {
    return process.cwd()
  } catch {
    return PLACE || process.env.PWD || '/'
  }
}

/** The client's entry in `clients.json`, which `npm run generate` writes: its events and how they are answered. */
function clientNamed(id) {
  try {
    const clients = require('./clients.json')
    return Object.hasOwn(clients, id) ? clients[id] : undefined
  } catch (error) {
    if (isShortage(error)) leaveToHook()
    return undefined
  }
}

/** The stored failure mode, the error logs, and the time of writing. Read errors other than a missing or forbidden file count as closed. */
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

/** If resources run out, lets the waiting native hook answer, which needs fewer: exit code 3 means no answer. */
function leaveToHook() {
  if (!ownCall()) return
  finished = true
  process.exit(3)
}

function missing(error) {
  process.stderr.write(
    `signalbox: ${error.message}\nThe program is not built. Run \`npm run build\` where it is installed\n`,
  )
  process.exit(2)
}

async function command(argv) {
  // `signalbox demo | head`: a closed pipe ends the command quietly
  process.stdout.on('error', error => process.exit(error.code === 'EPIPE' ? 141 : 2))
  const { main } = await import('../dist/cli.mjs').catch(missing)
  process.exitCode = await main(argv)
}

/** `signalbox stats`, without the rest of the command line, which takes longer to load than the answer. */
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

/** `signalbox run -- npm test`, without the command line, which would only delay the command. */
function start(argv) {
  let program
  try {
    program = require('../dist/run.cjs')
  } catch (error) {
    return missing(error)
  }
  return program.run(argv)
}

/** `signalbox daemon serve`, which the native hook starts. */
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

/** `signalbox --version`, without the command line, which takes longer to load than Node to start. */
function version() {
  if (!write(1, `${require('../package.json').version}\n`)) process.exitCode = 2
}

const argv = process.argv.slice(2)
if (argv[0] === 'hook' && !argv.includes('--help') && !argv.includes('-h')) hook(argv.slice(1))
else if (argv[0] === 'run' && argv[1] === '--' && argv.length > 2) start(argv.slice(2))
else if (argv[0] === 'daemon' && argv[1] === 'serve' && argv.length === 2) serve()
else if (argv[0] === 'stats') figures(argv.slice(1))
else if (argv.length === 1 && /^(--version|-v|-V|version)$/.test(argv[0])) version()
else command(argv)
