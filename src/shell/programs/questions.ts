import type { Questions } from '../question.ts'
import { LOOKUPS } from './questions-lookups.ts'
import { PACKAGES } from './questions-packages.ts'
import { SERVICES } from './questions-services.ts'

/** Programs whose version is asked for, and nothing else is known of. */
const VERSIONED =
  'npx bunx tsx ts-node deno ruby perl php lua java javac kotlin scala mvn gradle dotnet swift gcc g++ cc clang clang++ make cmake ninja meson bazel tsc eslint prettier biome vitest jest playwright pytest ruff black mypy flake8 pylint aws gcloud az psql mysql redis-cli rsync curl wget vim nvim emacs tmux code'

const version: Questions = { alone: '--version' }

export const QUESTIONS: ReadonlyMap<string, Questions> = new Map<string, Questions>([
  ...VERSIONED.split(' ').map((name): [string, Questions] => [name, version]),
  ...Object.entries(PACKAGES),
  ...Object.entries(SERVICES),
  ...Object.entries(LOOKUPS),
])
