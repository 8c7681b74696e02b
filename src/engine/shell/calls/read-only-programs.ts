import { isReadOnlyCommand } from '../programs/read-only/index.ts'
import { isDisplayVariable } from '../scope/variable-risk.ts'
import type { ProgramCall } from './program-call.ts'

/** The programs of `programs/read-only`. Their tables are loaded when one of them is called. */
export const READ_ONLY_PROGRAMS: ReadonlySet<string> = new Set(
  'npx bunx tsx ts-node deno ruby perl php lua java javac kotlin scala mvn gradle dotnet swift gcc g++ cc clang clang++ make cmake ninja meson bazel tsc eslint prettier biome vitest jest playwright pytest ruff black mypy flake8 pylint aws gcloud az psql mysql redis-cli rsync curl wget vim nvim emacs tmux code node python python3 npm pnpm yarn bun pip pip3 uv poetry gem bundle composer cargo rustc rustup go brew apt apt-cache dpkg rpm gh glab bk docker kubectl helm terraform systemctl journalctl crontab ulimit ip dig host nslookup shellcheck cloc tokei lsb_release ifconfig'.split(
    ' ',
  ),
)

/** True if the call is a read-only command of its program, and the line sets nothing that could change what it does. */
export function isKnownAsReading(call: ProgramCall): boolean {
  if (!READ_ONLY_PROGRAMS.has(call.program) || call.acts.length > 0 || call.inner.length > 0) return false
  // most of these programs also read options from the environment
  return !setsVariables(call) && isReadOnlyCommand(call)
}

/** True if the line sets variables for the program, other than display variables. */
export const setsVariables = ({ assigns, scope }: ProgramCall): boolean =>
  scope.exported || Object.keys(assigns ?? {}).some(name => !isDisplayVariable(name))

/** Scripts that wrap other programs: a variable may name the program, as `GREP` does for `zgrep`, or add an option. */
export const WRAPPER_SCRIPTS: ReadonlySet<string> = new Set(
  'egrep fgrep zgrep zegrep zfgrep zless zmore zcat zcmp zdiff bzgrep bzegrep bzfgrep bzless bzmore bzcat bzcmp bzdiff xzgrep xzegrep xzfgrep xzless xzmore xzcat xzcmp xzdiff lzgrep lzless lzmore lzcat zstdgrep zstdless zstdcat gunzip which ldd man whatis apropos shasum ack lsb_release'.split(
    ' ',
  ),
)
