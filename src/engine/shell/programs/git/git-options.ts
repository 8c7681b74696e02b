import type { ProgramDescription } from '../../calls/program-call.ts'

/** Options with an optional value, such as `-U` and `--pretty`, never take the next word as their value. */
const logLike: ProgramDescription = {
  flags:
    '-p -u -s -q -z -b -w -R -M -C --oneline --graph --stat --patch --all --decorate --name-only --name-status --reverse --merges --follow --cached --staged --shortstat --numstat --summary --abbrev-commit --raw --check --quiet --first-parent --word-diff --color --minimal --full-index --binary --text --exit-code -U --unified --pretty --format --branches --remotes --tags --topo-order --date-order --author-date-order --full-history --simplify-merges --ancestry-path --cherry --cherry-pick --cherry-mark --left-right --left-only --right-only --boundary --parents --children --cc -c -m -W --function-context --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --find-renames --find-copies --find-copies-harder --compact-summary --dirstat --show-signature --relative-date --patience --histogram --merge-base --patch-with-stat --pickaxe-regex --pickaxe-all --abbrev --source --walk-reflogs -g --relative --diff-merges --color-moved --color-words --irreversible-delete --break-rewrites -B -D -a -i -E -F -P --regexp-ignore-case --invert-grep --all-match --extended-regexp --fixed-strings --perl-regexp --indent-heuristic --submodule --dense --sparse --count --objects --bisect --stdin --reflog --not --show-pulls --simplify-by-decoration --remove-empty',
  values:
    '-n -S -G -L --since --until --after --before --author --committer --grep --max-count --skip --date --diff-filter -l -O --inter-hunk-context --src-prefix --dst-prefix --encoding --glob --exclude --exclude-hidden --min-age --max-age --rotate-to --skip-to --diff-algorithm --stat-width --stat-name-width --stat-count --output-indicator-new --output-indicator-old --output-indicator-context --line-prefix --ws-error-highlight --anchored --find-object --word-diff-regex',
  writes: '--output',
  risks: '--ext-diff --textconv',
}

const blame: ProgramDescription = {
  flags: '-b -l -s -e -w -t -f -n -p --root --porcelain',
  values: '-L --date --since',
  reads: '-S --contents --ignore-revs-file',
  writes: '--output',
}

const pick: ProgramDescription = {
  flags: '-x -e -n -s --abort --continue --skip --quit --edit',
  values: '-m -X --strategy --mainline',
}

/** Options after the subcommand. A `--no-…` takes no value. An option that is not listed may take the next word as its value. */
export const SUBCOMMAND_OPTIONS: Readonly<Record<string, ProgramDescription>> = {
  log: logLike,
  diff: logLike,
  show: logLike,
  whatchanged: logLike,
  'diff-tree': logLike,
  'diff-index': logLike,
  'diff-files': logLike,
  'range-diff': logLike,
  reflog: logLike,
  stash: {
    ...logLike,
    flags: `${logLike.flags} -k -u -a --keep-index --include-untracked --index`,
    values: '-m --message',
  },
  status: { flags: '-s -b -v -u -z --short --branch --porcelain --long --ignored --show-stash --verbose' },
  blame,
  annotate: blame,
  'rev-list': logLike,
  grep: {
    flags:
      '-n -i -l -v -w -c -q -E -F -P -G -h -H -I -a -r -L -o -p -W -z --cached --untracked --count --all-match --name-only --line-number --ignore-case',
    values: '-e -A -B -C -m --max-depth --max-count --threads',
    reads: '-f',
    risks: '-O --open-files-in-pager --ext-grep --textconv',
  },
  commit: {
    flags:
      '-a -v -q -s -n -e -S -u -o -i -p -z --all --amend --quiet --verbose --signoff --allow-empty --allow-empty-message --dry-run --patch --only --include --reset-author --edit --status --short --porcelain --branch --gpg-sign',
    values: '-m --message -C -c --reuse-message --reedit-message --author --date --fixup --squash --cleanup --trailer',
    reads: '-F --file -t --template --pathspec-from-file',
  },
  add: {
    flags:
      '-A -u -p -i -n -v -f -N -e --all --update --patch --interactive --dry-run --force --verbose --intent-to-add',
    values: '--chmod',
    reads: '--pathspec-from-file',
  },
  push: {
    flags:
      '-u -f -v -q -n -d --force --all --tags --mirror --delete --set-upstream --force-with-lease --dry-run --quiet --follow-tags --prune --porcelain',
    values: '-o --push-option --repo',
    runs: '--receive-pack --exec',
  },
  pull: {
    flags: '-r -q -v -f -n --rebase --ff-only --all --tags --prune --autostash --quiet --squash',
    values: '-s --strategy -X --strategy-option --depth -j',
    runs: '--upload-pack',
  },
  fetch: {
    flags: '-a -q -v -f -p -t -n --all --tags --prune --force --quiet --dry-run --unshallow',
    values: '--depth --deepen -j --jobs --refmap',
    runs: '--upload-pack',
  },
  'ls-remote': {
    flags: '-h -t -q --heads --tags --refs --quiet --exit-code',
    values: '--sort',
    runs: '--upload-pack --exec',
  },
  clone: {
    flags:
      '-l -s -q -v -n --bare --mirror --recursive --recurse-submodules --single-branch --quiet --shallow-submodules',
    values: '-b --branch -o --origin --depth --reference -j --jobs --filter --shallow-since',
    writes: '--separate-git-dir',
    runs: '-u --upload-pack -c --config --template',
  },
  checkout: {
    flags: '-f -q -t -p -l -m --force --quiet --detach --ours --theirs --track --patch --merge',
    values: '-b -B --orphan --conflict --pathspec-from-file',
  },
  switch: {
    flags: '-f -q -t -d -m --force --detach --guess --discard-changes',
    values: '-c -C --create --force-create --orphan',
  },
  restore: {
    flags: '-S -W -p -q -m --staged --worktree --patch --quiet --ours --theirs',
    values: '-s --source --pathspec-from-file',
  },
  reset: { flags: '-q -p -N --hard --soft --mixed --merge --keep --quiet --patch', values: '--pathspec-from-file' },
  clean: { flags: '-f -d -x -X -n -i -q --force --dry-run', values: '-e --exclude' },
  apply: {
    flags: '-R -3 -N -v -q --check --stat --numstat --summary --cached --index --reverse --apply --3way --reject',
    values: '-p -C --directory --whitespace --exclude --include',
  },
  am: { flags: '-s -k -3 -q -i --continue --abort --skip --quit --3way', values: '-p -C --directory --whitespace' },
  merge: {
    flags: '-q -v -e -n --ff-only --ff --squash --abort --continue --quit',
    values: '-m -s -X --strategy --strategy-option --into-name',
    reads: '-F',
  },
  rebase: {
    flags: '-i -q -v -m -f --interactive --abort --continue --skip --autostash --root --autosquash',
    values: '--onto -s -X --strategy -x --exec --empty',
  },
  'cherry-pick': pick,
  revert: pick,
  branch: {
    flags:
      '-a -r -v -d -D -m -M -c -C -f -l -q -t --list --all --remotes --show-current --delete --force --move --copy --verbose --track --unset-upstream',
    values: '-u --set-upstream-to --format --sort',
  },
  tag: {
    flags: '-a -s -d -f -l -v -n --list --delete --force --annotate --sign --verify',
    values: '-m --message -u --local-user --sort --format',
    reads: '-F --file',
  },
  config: {
    flags:
      '-l -z -e --global --local --system --worktree --list --get --get-all --get-regexp --unset --unset-all --add --replace-all --edit --bool --int --path --show-origin --null',
    values: '-f --file --blob -t --type --default --value --comment',
  },
  shortlog: {
    ...logLike,
    flags: `${logLike.flags} -n -e -c --numbered --email`,
    values: `${logLike.values}`.replace('-n ', ''),
  },
  'cat-file': {
    flags: '-e -p -t -s -z --batch --batch-check --batch-all-objects --unordered --buffer --follow-symlinks',
    values: '--path',
    risks: '--textconv --filters',
  },
  help: { flags: '-a -g -c -m -i -v --all --guides --man --info', risks: '-w --web' },
  init: {
    flags: '-q --quiet --bare --shared',
    values: '-b --initial-branch --object-format --ref-format',
    writes: '--separate-git-dir',
    runs: '--template',
  },
  remote: { flags: '-v --verbose' },
  notes: { values: '--ref -m --message -C -c', reads: '-F --file' },
  mv: { flags: '-f -k -n -v' },
  rm: { flags: '-r -f -n -q --cached --force --dry-run --quiet --ignore-unmatch', values: '--pathspec-from-file' },
  archive: { flags: '-l -v --list', values: '--format --prefix --remote', writes: '-o --output', runs: '--exec' },
  'format-patch': {
    flags: '-n -N -k -s --stdout --cover-letter',
    values: '-v --start-number --subject-prefix',
    writes: '-o --output-directory --output',
  },
  'rev-parse': {
    flags:
      '--abbrev-ref --short --show-toplevel --verify --git-dir --quiet -q --is-inside-work-tree --show-prefix --all',
  },
  'merge-file': {
    flags: '-p -q --stdout --quiet --ours --theirs --union --diff3 --zdiff3 --object-id',
    values: '-L --marker-size --diff-algorithm',
  },
  subtree: { flags: '-q -d --squash --rejoin', values: '-P --prefix -m --message -b --branch --annotate --onto' },
  'read-tree': { flags: '-m -u -i -n -v --reset', values: '--prefix --index-output' },
  'checkout-index': { flags: '-a -f -n -q -u -z --all --force --index --stdin', values: '--prefix --stage' },
  'fast-export': { writes: '--export-marks', reads: '--import-marks' },
  'fast-import': { writes: '--export-marks --export-pack-edges', reads: '--import-marks' },
  'credential-store': { writes: '--file' },
  bugreport: { writes: '-o --output-directory' },
  diagnose: { writes: '-o --output-directory' },
  mailsplit: { writes: '-o' },
  'symbolic-ref': { flags: '-q -d --quiet --delete --short --recurse', values: '-m' },
  worktree: { flags: '-f -d --force --detach --porcelain --lock', values: '-b -B --reason' },
}

/**
 * Subcommands that run a program which their words or settings name, and subcommands that this git may not have: some are packages
 * of their own, others came late. Without them the name is free for an alias.
 */
export const OPAQUE_SUBCOMMANDS = new Set(
  'archimport backfill citool cvsexportcommit cvsimport cvsserver daemon diff-pairs gui history http-backend imap-send instaweb last-modified merge-index merge-one-file p4 pickaxe quiltimport refs remote-ext remote-fd replay repo send-email shell submodule--helper svn web--browse'.split(
    ' ',
  ),
)

/** Git's subcommands that stand in no other list. Any other name is an alias, which may run anything, or a third-party program. */
export const OTHER_SUBCOMMANDS = new Set(
  'checkout--worker column commit-graph commit-tree credential credential-cache credential-cache--daemon fetch-pack fmt-merge-msg fsck-objects fsmonitor--daemon gc get-tar-commit-id hash-object http-fetch http-push index-pack init-db maintenance merge-octopus merge-ours merge-recursive merge-recursive-ours merge-recursive-theirs merge-resolve merge-subtree merge-tree mktag mktree multi-pack-index pack-redundant pack-refs prune prune-packed receive-pack remote-ftp remote-ftps remote-http remote-https repack replace request-pull rerere send-pack sh-i18n--envsubst show-index unpack-file unpack-objects update-ref update-server-info upload-archive upload-archive--writer upload-pack write-tree'.split(
    ' ',
  ),
)
