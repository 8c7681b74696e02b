#!/usr/bin/env node
// Last resort: plain JavaScript around the program. A crash becomes the declared failure answer, never exit 1.
// CommonJS: what Node needs for `import` takes longer than the answer.
const {
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  read,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
  writeSync,
} = require('node:fs')
const { basename, dirname, isAbsolute, join, resolve } = require('node:path')

let finished = false
/** a thread waits for more of the payload: `exit` would wait for it */
let waiting = false
/** a gate's own code hangs, perhaps where nothing can end it: `exit` would wait for that too */
let hanging = false
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
const said = () => Buffer.concat(heard)

async function hook(args) {
  let timer
  const approval = takeApproval()
  const fail = (why, onRecord) => finish(lastResort(args, said().toString('utf8'), why, onRecord))
  // the program says how long it may take once it knows the policy: a person's own hooks have time of their own
  const answerBy = ms => {
    clearTimeout(timer)
    if (WATCHED && ms > 2000) write(2, `\0wait ${Math.ceil(ms)}\n`)
    // since the process began; `performance` is a module to load
    const left = Math.min(ms - SPENT - process.uptime() * 1000, 2 ** 31 - 1)
    timer = setTimeout(() => fail(`${TIMEOUT} ${ms / 1000} s`), left)
  }
  answerBy(2000)
  // whatever prints, it is no part of the reply
  console.log = console.info = console.debug = console.error
  process.on('uncaughtException', error => fail(String(error)))
  process.on('unhandledRejection', error => fail(String(error)))
  // whoever ends the process in the middle does not choose the exit code: 1 would be an approval
  process.on('exit', () => {
    if (finished) return
    const { exitCode, stdout, stderr } = lastResort(
      args,
      said().toString('utf8'),
      'the program ended without an answer',
    )
    write(2, `${stderr}\n`)
    process.exitCode = stdout ? told(stdout, exitCode) : exitCode
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => fail(signal))
  try {
    const input = readInput()
    // loaded while the payload comes; what is wrong with it is told when the payload says what it was for
    const program = load('../dist/entry.cjs')
    await input
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

/**
 * `process.stdin` loads all of Node's networking. A plain read takes none of that, but only `execve` gets away from it. A file, which is what the
 * native hook leaves, is there at once: on a machine so busy that the time is over before anything is loaded, it is known what was asked.
 */
function readInput() {
  if (fstatSync(0).isFile()) return Promise.resolve(heard.push(readFileSync(0)))
  return process.execve ? readPlainly() : readStream()
}

function readPlainly() {
  const chunk = Buffer.allocUnsafe(65_536)
  return new Promise((done, fail) => {
    if (fstatSync(0).isCharacterDevice()) return done()
    const next = () => {
      waiting = true
      read(0, chunk, 0, chunk.length, null, (error, length) => {
        waiting = false
        if (error?.code === 'EAGAIN') return setTimeout(next, 1)
        if (error) return fail(error)
        if (length === 0) return done()
        heard.push(Buffer.from(chunk.subarray(0, length)))
        next()
      })
    }
    next()
  })
}

function readStream() {
  const { stdin } = process
  return new Promise((done, fail) => {
    if (stdin.isTTY) return done()
    stdin.on('data', chunk => heard.push(chunk))
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
  if (waiting || hanging) leave(code)
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

/** Where there is nothing to become, the exit waits until the client ends its payload. */
function leave(exitCode) {
  // it would warn that this is experimental, to whom the answer is for
  process.emitWarning = () => {}
  try {
    process.execve('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {})
  } catch {}
}

/** What clients call a call that is about to be made: where the table cannot be read, and for who types it by hand. */
const REFUSABLE = /^(pre_?tool_?use|before_?tool|tool\.before|permission[_.]?request)$/i

/** Without the program: deny a call where the project's posture or `--on-error` says closed, else pass with a line. */
function lastResort(args, text, why, onRecord) {
  const option = name =>
    args.find(arg => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? args[args.indexOf(name) + 1 || args.length]
  const payload = parse(text)
  const client = clientNamed(option('--client'))
  const { inWords, unnamed = inWords && 'tool.before', refuses = {}, passes = {} } = client ?? {}
  const [head] = text.slice(0, 65_536).split(/"tool(?:_input|Args|Input)"/, 1)
  const named = /"(?:hook_event_name|hookName|event)"\s*:\s*"([^"\\]+)"/.exec(head)?.[1]
  const isCall = /"tool(?:_name|Name)"/.test(head) && !/"tool(?:_result|Result)"/.test(text)
  const unsaid = isCall && unnamed ? unnamed : ''
  const event = stringIn(payload.hook_event_name) ?? option('--event') ?? named ?? unsaid
  const refusable = Object.hasOwn(refuses, event) || REFUSABLE.test(event)
  const postures = posturesFor(payload, client)
  const refused = refusable && (isClosed(postures) || option('--on-error') === 'closed')
  const [line] = why.split('\n')
  const entry = entryOf(payload, line, refused, onRecord)
  log(postures, option('--client'), entry)
  // a name that is no client's would be one in statistics
  spool(entry, client && option('--client'), event)
  const words = refused
    ? `this call could not be judged, and the policy refuses it then: ${line}. Tell the user.`
    : line
  const stderr = `signalbox: ${words}`
  if (refused && refuses[event]) return { exitCode: 0, stdout: filled(refuses[event], line), stderr }
  if (inWords) return { exitCode: 0, stdout: JSON.stringify(answerIn(refused, words, why)), stderr }
  if (!refused && Object.hasOwn(passes, event) && passes[event])
    return { exitCode: 0, stdout: filled(passes[event], line), stderr }
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

function parse(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/**
 * What the policy declared for failures. Which project the session belongs to only the store knows: one that says closed is
 * heard, if it is the client's own or encloses the place where the agent or this process is.
 */
const isClosed = postures => postures.some(one => one.word === 'closed')

function posturesFor(payload, client) {
  const { createHash } = require('node:crypto')
  const starts = [...projectFolders(client), payload.cwd, here()]
  return [...new Set(starts.flatMap(enclosing))].map(folder => {
    const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16)
    const [word, logs] = declared(join(stateFolder(), 'posture', hash)).split('\n')
    return { folder, word, logs }
  })
}

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

/** What may have been declared counts as declared. */
function declared(file) {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (!isShortage(error)) return ''
    leaveToHook()
    return 'closed'
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
