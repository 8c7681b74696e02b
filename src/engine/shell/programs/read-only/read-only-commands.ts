import type { ReadOnlyCommands } from './read-only-spec.ts'
import { CLOUD_COMMANDS } from './tables/cloud.ts'
import { INFRASTRUCTURE_COMMANDS } from './tables/infrastructure.ts'
import { LOOKUP_COMMANDS } from './tables/lookups.ts'
import { PACKAGE_COMMANDS } from './tables/packages.ts'
import { SERVICE_COMMANDS } from './tables/services.ts'
import { SYSTEM_COMMANDS } from './tables/system.ts'
import { MORE_PACKAGE_COMMANDS } from './tables/system-packages.ts'

/** Programs of which only `--version` is known to be read-only. */
const VERSION_PROGRAMS =
  'npx bunx tsx ts-node ruby php java javac kotlin scala gradle swift gcc g++ cc clang clang++ make cmake ninja meson bazel tsc eslint prettier biome vitest jest playwright pytest ruff black mypy flake8 pylint rsync vim nvim emacs code'

const versionOnly: ReadOnlyCommands = { alone: '--version' }

export const READ_ONLY_COMMANDS: ReadonlyMap<string, ReadOnlyCommands> = new Map<string, ReadOnlyCommands>([
  ...VERSION_PROGRAMS.split(' ').map((name): [string, ReadOnlyCommands] => [name, versionOnly]),
  ...[
    PACKAGE_COMMANDS,
    MORE_PACKAGE_COMMANDS,
    SERVICE_COMMANDS,
    INFRASTRUCTURE_COMMANDS,
    CLOUD_COMMANDS,
    LOOKUP_COMMANDS,
    SYSTEM_COMMANDS,
  ].flatMap(table => Object.entries(table)),
])
