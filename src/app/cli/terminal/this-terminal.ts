import { createInterface } from 'node:readline'
import { allFootprints as agents } from '../../../clients/footprints.ts'
import type { Terminal } from '../command.ts'
import { findHumanDoubt } from './human-detection.ts'
import { createProcessTable } from './process-table.ts'

/** The terminal that this process was started in. */
export function createTerminal(): Terminal {
  // lazy: reading all processes takes a while, and few commands need it
  let known: { readonly doubt: string | undefined } | undefined
  const doubt = () => {
    known ??= { doubt: findHumanDoubtHere() }
    return known.doubt
  }
  return {
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    window: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
    canAsk: process.stdin.isTTY === true && process.stdout.isTTY === true,
    width: process.stdout.columns || Number(process.env.COLUMNS) || 80,
    get isPerson() {
      return doubt() === undefined
    },
    get doubt() {
      return doubt()
    },
    ask: question =>
      new Promise(done => {
        const lines = createInterface({ input: process.stdin, output: process.stdout })
        // Ctrl+C and Ctrl+D count as an empty answer
        const leaf = () => {
          process.stdout.write('\n')
          done('')
        }
        lines.once('close', leaf)
        lines.question(question, answer => {
          lines.off('close', leaf)
          lines.close()
          done(answer)
        })
      }),
  }
}

function findHumanDoubtHere(): string | undefined {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return 'there is no terminal'
  return findHumanDoubt({ pid: process.pid, table: createProcessTable(), env: process.env, agents })
}
