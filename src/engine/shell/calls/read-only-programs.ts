import { isHelp, isReadOnlyCommand } from '../programs/read-only/index.ts'
import { isDisplayVariable } from '../scope/variable-risk.ts'
import type { ProgramCall } from './program-call.ts'

/** The programs of `programs/read-only`. Their tables are loaded when one of them is called. */
export const READ_ONLY_PROGRAMS: ReadonlySet<string> = new Set(
  'npx bunx tsx ts-node ruby php java javac kotlin scala gradle swift gcc g++ cc clang clang++ make cmake ninja meson bazel tsc eslint prettier biome vitest jest playwright pytest ruff black mypy flake8 pylint rsync vim nvim emacs code node python python3 npm pnpm yarn bun pip pip3 uv poetry gem bundle composer cargo rustc rustup go brew apt apt-cache dpkg rpm pipdeptree pipenv pdm conda mvn dotnet nuget dnf yum pacman apk snap flatpak nix-env nvm fnm pyenv rbenv asdf mise volta pod deno cabal luarocks cpan gh glab bk docker podman kubectl helm terraform tofu systemctl journalctl crontab ulimit ip pulumi ansible-doc nomad consul vault argocd flux istioctl k9s minikube kind kustomize kubectx kubens stern docker-machine signalbox aws gcloud az gsutil bq doctl heroku fly vercel netlify wrangler firebase supabase stripe sentry-cli oci ibmcloud linode-cli dig host nslookup shellcheck cloc tokei lsb_release ifconfig curl wget http https xh psql mysql mariadb pg_isready mysqladmin redis-cli pstree traceroute mtr whois openssl service launchctl atq timedatectl hostnamectl localectl loginctl info tldr sw_vers system_profiler sysctl sensors nvidia-smi tmux screen xdpyinfo ssh perl lua nginx ffmpeg mkfs.ext4 htop'.split(
    ' ',
  ),
)

/** True if the call is a read-only command of its program, one of READ_ONLY_PROGRAMS, and the line sets nothing that could change what it does. */
export function isKnownAsReading(call: ProgramCall): boolean {
  if (call.inner.length > 0) return false
  if (call.acts.some(({ action }) => action !== 'fetch')) return false
  // most of these programs also read options from the environment
  return !setsVariables(call) && isReadOnlyCommand(call)
}

const MAX_HELP_WORDS = 6

/** True if the call, whose last word may ask for help, only prints help or a version: `git clean -h`, `docker rm --help`. It does nothing of its work. */
export function isKnownAsHelp(call: ProgramCall): boolean {
  const words = call.args.slice(1).flatMap(({ text, glob }) => (text === null || glob ? [] : [text]))
  if (words.length === 0 || words.length + 1 < call.args.length || words.length > MAX_HELP_WORDS) return false
  return !setsVariables(call) && isHelp(call.program, words)
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
