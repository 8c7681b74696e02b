import { LOOKUP_COMMANDS } from './lookups.ts'
import { PACKAGE_COMMANDS } from './packages.ts'
import type { ReadOnlyCommands } from './read-only-spec.ts'
import { SERVICE_COMMANDS } from './services.ts'

/** Programs of which only `--version` is known to be read-only. */
const VERSION_PROGRAMS =
  'npx bunx tsx ts-node deno ruby perl php lua java javac kotlin scala mvn gradle dotnet swift gcc g++ cc clang clang++ make cmake ninja meson bazel tsc eslint prettier biome vitest jest playwright pytest ruff black mypy flake8 pylint aws gcloud az psql mysql redis-cli rsync curl wget vim nvim emacs tmux code'

const versionOnly: ReadOnlyCommands = { alone: '--version' }

export const READ_ONLY_COMMANDS: ReadonlyMap<string, ReadOnlyCommands> = new Map<string, ReadOnlyCommands>([
  ...VERSION_PROGRAMS.split(' ').map((name): [string, ReadOnlyCommands] => [name, versionOnly]),
  ...Object.entries(PACKAGE_COMMANDS),
  ...Object.entries(SERVICE_COMMANDS),
  ...Object.entries(LOOKUP_COMMANDS),
])
