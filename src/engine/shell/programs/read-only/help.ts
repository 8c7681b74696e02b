const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Programs that print their help for `--help` as the only word, and their version for `--version`. No builtin of a shell but `kill`. */
const PROGRAMS = toSet(
  'rm mv cp ln dd chmod chown chgrp mkdir rmdir touch cat tac head tail sort uniq wc cut paste tr tee install truncate shred split csplit ls stat df du date env timeout nice nohup stdbuf readlink realpath basename dirname mktemp sha256sum sha1sum md5sum base64 seq shuf comm join nl od fold fmt expand unexpand tsort numfmt chroot kill pkill pgrep ps top free uptime vmstat watch lsof ' +
    'tar gzip gunzip zcat bzip2 xz zstd zip unzip cpio rsync curl wget http https scp ssh-keygen openssl gpg ' +
    'sed grep egrep fgrep find xargs gawk diff patch cmp jq yq rg fd fdfind ag ack bat tree file less more ' +
    'make cmake ninja meson bazel gcc g++ cc clang clang++ ld nm objdump strip ar as gdb valgrind strace ltrace perf ' +
    'git gh glab hub svn hg node npm npx pnpm yarn bun bunx deno tsx ts-node tsc eslint prettier biome vitest jest mocha playwright cypress webpack rollup vite esbuild next nuxt turbo nx lerna ' +
    'python python3 pip pip3 pipx uv uvx poetry pipenv pdm conda mamba hatch tox nox pytest ruff black isort mypy flake8 pylint pyright bandit coverage alembic flask django-admin uvicorn gunicorn celery ' +
    'perl ruby gem bundle rails rake rspec rubocop irb php composer phpunit lua luarocks java javac kotlin kotlinc scala sbt mvn gradle ant swift dart flutter cargo rustc rustup rustfmt clippy-driver go gofmt golangci-lint dotnet nuget elixir mix erl ghc cabal stack ocaml opam nim zig julia R Rscript ' +
    'docker podman docker-compose docker-machine buildah skopeo kubectl helm kustomize k9s kind minikube k3s k3d stern argocd flux istioctl terraform tofu terragrunt tflint pulumi cdk ansible ansible-playbook ansible-vault ansible-galaxy ansible-inventory ansible-doc packer vagrant vault consul nomad aws gcloud gsutil bq az doctl heroku fly flyctl vercel netlify wrangler firebase supabase stripe sentry-cli oci ibmcloud linode-cli ' +
    'psql pg_dump pg_restore pg_dumpall createdb dropdb createuser dropuser initdb pg_ctl mysql mysqldump mysqladmin mariadb redis-cli redis-server mongosh mongo mongodump mongorestore sqlite3 sqlcmd clickhouse-client cqlsh influx ' +
    'brew port apt apt-get apt-cache dpkg rpm dnf yum zypper pacman apk snap flatpak nix nix-env emerge ' +
    'systemctl journalctl service crontab timedatectl hostnamectl loginctl shutdown ip ss sysctl iptables ufw sudo doas su useradd userdel usermod passwd mount umount fdisk parted lsblk blkid mkfs mkswap swapon rclone restic borg ' +
    'tmux screen vim nvim emacs nano code htop btop ffmpeg ffprobe convert magick identify protoc buf cloc tokei scc shellcheck shfmt hadolint actionlint yamllint pre-commit commitlint xmllint signalbox',
)

/** `docker system prune --help`: programs that print the help of a subcommand. Not those that take its name for a script of the project. */
const WITH_SUBCOMMANDS = toSet(
  'gh glab docker podman kubectl helm kustomize kind minikube argocd flux istioctl terraform tofu pulumi gcloud az npm pip pip3 pipx uv poetry pdm conda bundle gem composer rails rustup brew apt apt-get dnf yum zypper pacman snap flatpak systemctl heroku fly flyctl vercel netlify wrangler firebase supabase stripe sentry-cli doctl oci vault consul nomad ansible-vault ansible-galaxy go signalbox',
)
/** Of others only these subcommands: another may be an alias of the project or a script. */
const OWN_SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: toSet(
    'add am apply archive bisect blame branch bundle checkout cherry-pick clean clone commit config describe diff difftool fetch filter-branch format-patch fsck gc grep init log ls-files ls-remote ls-tree maintenance merge mergetool mv notes pull push range-diff rebase reflog remote repack reset restore revert rev-list rev-parse rm send-email shortlog show sparse-checkout stash status submodule subtree switch tag update-index update-ref worktree',
  ),
  cargo: toSet(
    'add bench build check clean clippy doc fetch fix fmt generate-lockfile init install locate-project login logout metadata new owner package pkgid publish remove report run rustc rustdoc search test tree uninstall update vendor verify-project version yank',
  ),
}
/** Words behind which another program may stand, which would be given the last word. */
const RUNNERS = toSet('run exec execute x dlx tool shell ssh create compose attach debug start plugin script do')

const HAS_SHORT_HELP = toSet(
  'git gh glab docker podman kubectl helm terraform tofu pip pip3 uv poetry cargo npm rustup az brew go systemctl vault consul nomad pulumi conda signalbox',
)

/** `--help` or `--version` as the only word, or the help of a subcommand. */
export function isHelp(program: string, words: readonly string[]): boolean {
  const last = words.at(-1) ?? ''
  const verbs = words.slice(0, -1)
  if (!PROGRAMS.has(program)) return false
  if (last === 'help') return program === 'aws' && verbs.length <= 2 && verbs.every(isVerb)
  if (verbs.length === 0)
    return last === '--help' || last === '--version' || (last === '-h' && HAS_SHORT_HELP.has(program))
  const isLongHelp = last === '--help' || (last === '-help' && /^(?:terraform|tofu|vault|consul|nomad)$/.test(program))
  if (!isLongHelp && !(last === '-h' && HAS_SHORT_HELP.has(program))) return false
  const own = Object.hasOwn(OWN_SUBCOMMANDS, program) ? OWN_SUBCOMMANDS[program] : undefined
  if (own !== undefined) return verbs.length === 1 && own.has(verbs[0] ?? '')
  // `docker run -h`: the name of a host
  if (last === '-h' && RUNNERS.has(verbs.at(-1) ?? '')) return false
  return WITH_SUBCOMMANDS.has(program) && verbs.every(isVerb) && !verbs.slice(0, -1).some(verb => RUNNERS.has(verb))
}

const isVerb = (word: string): boolean => /^[a-z][a-z\d:-]*$/.test(word)
