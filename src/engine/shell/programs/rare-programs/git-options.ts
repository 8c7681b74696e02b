import type { ProgramDescription } from '../../calls/program-call.ts'

const pick: ProgramDescription = {
  flags: '-x -e -n -s --abort --continue --skip --quit --edit',
  values: '-m -X --strategy --mainline',
}

const blame: ProgramDescription = {
  flags: '-b -l -s -e -w -t -f -n -p --root --porcelain',
  values: '-L --date --since',
  reads: '-S --contents --ignore-revs-file',
  writes: '--output',
}

/** Options of git's less frequent subcommands, as in `git/git-options.ts`. */
export const RARE_GIT_OPTIONS: Readonly<Record<string, ProgramDescription>> = {
  blame,
  annotate: blame,
  grep: {
    flags:
      '-n -i -l -v -w -c -q -E -F -P -G -h -H -I -a -r -L -o -p -W -z --cached --untracked --count --all-match --name-only --line-number --ignore-case',
    values: '-e -A -B -C -m --max-depth --max-count --threads',
    reads: '-f',
    risks: '-O --open-files-in-pager --ext-grep --textconv',
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
