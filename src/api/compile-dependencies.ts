import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clients } from '../clients/index.ts'
import * as shell from '../engine/shell/index.ts'
import type { LazyDependencies } from '../hook/index.ts'
import * as regex from '../hook/services/regex.ts'
import * as compiler from '../policy/compile/compiler.ts'

/** The package's folder. Sources and bundles lie one or two folders below it. */
const packageFolder = (): string =>
  ['..', '../..'].map(up => fileURLToPath(new URL(up, import.meta.url))).find(hasPacks) ?? '.'

const hasPacks = (folder: string): boolean => existsSync(join(folder, 'packs/built-in.yaml'))

/** The dependencies that policies are compiled with. */
export const compileDependencies = (): LazyDependencies => ({
  clients: () => clients,
  shell: () => shell,
  regex: () => regex,
  compiler: () => compiler,
  packsDir: join(packageFolder(), 'packs'),
})
