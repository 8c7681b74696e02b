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
  'rev-list': logLike,
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
  checkout: {
    flags: '-f -q -t -p -l -m --force --quiet --detach --ours --theirs --track --patch --merge',
    values: '-b -B --orphan --conflict --pathspec-from-file',
  },
  branch: {
    flags:
      '-a -r -v -d -D -m -M -c -C -f -l -q -t --list --all --remotes --show-current --delete --force --move --copy --verbose --track --unset-upstream',
    values: '-u --set-upstream-to --format --sort',
  },
  shortlog: {
    ...logLike,
    flags: `${logLike.flags} -n -e -c --numbered --email`,
    values: `${logLike.values}`.replace('-n ', ''),
  },
}

/** Subcommands whose options are in `programs/rare-programs`, which is loaded when one of them is called. */
export const RARE_SUBCOMMANDS: ReadonlySet<string> = new Set(
  'blame annotate grep ls-remote clone switch restore reset clean apply am merge rebase cherry-pick revert tag config cat-file help init remote notes mv rm archive format-patch rev-parse merge-file subtree read-tree checkout-index fast-export fast-import credential-store bugreport diagnose mailsplit symbolic-ref worktree'.split(
    ' ',
  ),
)

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
