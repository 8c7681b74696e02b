import { Worker } from 'node:worker_threads'
import {
  CODE_ENDED,
  type CodeGateReply,
  type CodeGateRequest,
  capturePrints,
  describeThrown,
  runCodeGate,
} from './run-code-gate.ts'

/** A request to the process that the daemon keeps for the code gates of a policy. */
export interface CodeProcessRequest extends CodeGateRequest {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

// code that loops for ever never learns that the daemon is gone, so a thread looks for it
const WATCH = `setInterval(() => process.ppid === ${process.ppid} || process.kill(process.pid, 'SIGKILL'), 1000)`
new Worker(WATCH, { eval: true, env: {} }).unref()
process.on('disconnect', () => process.exit())
let end: string = CODE_ENDED
process.on('uncaughtExceptionMonitor', error => {
  end = describeThrown(error)
})
process.on('exit', () => process.connected && reply({ problem: end, ended: true }))

const reply = (message: CodeGateReply) => process.send?.(message)
const prints = capturePrints(printed => reply({ printed }))
process.on('message', async ({ cwd, env, ...question }: CodeProcessRequest) => {
  prints.reset()
  reply(enter(cwd, env) ?? (await runCodeGate(question)))
})

/** The code runs in the folder and with the variables of the call, as in a process of its own. */
function enter(cwd: string, env: CodeProcessRequest['env']): { readonly problem: string } | undefined {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value
  try {
    if (process.cwd() !== cwd) process.chdir(cwd)
    return undefined
  } catch (error) {
    return { problem: `its code could not run in the folder of the call: ${describeThrown(error)}` }
  }
}
