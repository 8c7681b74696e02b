import { resolve } from 'node:path'
import { clients } from '../../src/clients/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import type { BundleLoader } from '../../src/hook/entry/hook-process.ts'
import * as debugTrace from '../../src/hook/reply/debug-trace.ts'
import * as regex from '../../src/hook/services/regex.ts'
import * as compiler from '../../src/policy/compile/compiler.ts'
import { requireLibsql } from '../../src/store/index.ts'

const OTHERS: Readonly<Record<string, () => unknown>> = {
  './shell.cjs': () => shell,
  './regex.cjs': () => regex,
  './debug-trace.cjs': () => debugTrace,
  './compiler.cjs': () => compiler,
  './libsql.cjs': requireLibsql,
}

/** The program from its sources: what is tested is what is written. */
export const BUNDLES: BundleLoader = {
  folder: resolve(import.meta.dirname, '../../dist'),
  load: name => {
    const client = clients.find(one => name === `./client-${one.id}.cjs`)
    return client ? { client } : OTHERS[name]?.()
  },
}
