import type { ReadOnlyCommands } from '../read-only-spec.ts'

const pip: ReadOnlyCommands = {
  alone: '--version -V',
  flags: '--disable-pip-version-check --no-color --no-input -q --quiet -v --verbose',
  asks: [
    {
      verbs: 'list|show|freeze|check, index versions, config list|get|debug, cache dir|info|list',
      options:
        '-o --outdated -u --uptodate -e --editable -l --local --user --format --not-required --exclude --exclude-editable -f --files --all --pre -v --verbose -q --quiet --no-color --disable-pip-version-check',
    },
  ],
}

/** Read-only commands of package managers, compilers and similar tools. */
export const PACKAGE_COMMANDS: Readonly<Record<string, ReadOnlyCommands>> = {
  node: { alone: '--version -v --help -h --v8-options' },
  python: { alone: '--version -V -VV' },
  python3: { alone: '--version -V -VV' },
  java: { alone: '--version -version' },
  javac: { alone: '--version -version' },
  npm: {
    alone: '--version -v',
    flags: '-s --silent -g --global',
    asks: [
      {
        verbs:
          'ls|list|ll|la|view|info|show|v|outdated|explain|why|query|root|prefix|search|find|whoami|ping, pkg get, config get|list|ls, dist-tag ls, dist-tags ls, owner ls',
        options:
          '--json --long -l --parseable -p --depth --all -a -g --global --omit --include --prod --production --dev --only --link --unicode --package-lock-only -w --workspace -ws --workspaces --include-workspace-root -s --silent --no-color --color --prefer-offline --offline',
      },
      // a word may be `fix`; a name behind `fund` opens a browser
      {
        verbs: 'audit|fund',
        options: '--json --production --no-browser --workspaces',
        values: '--audit-level -w --workspace --omit',
        words: 'none',
      },
      { verbs: 'help', words: 'names' },
      // with a name, `npm run` runs that script
      { verbs: 'run|run-script', options: '--json -s --silent --no-color', words: 'none' },
    ],
  },
  pnpm: {
    alone: '--version -v',
    flags: '-r --recursive -w --workspace-root --silent',
    values: '--filter -F',
    asks: [
      {
        verbs: 'ls|list|ll|la|why|outdated|root|bin|view|info, licenses list, config get|list, store path',
        options:
          '--json --long --parseable --depth -g --global -r --recursive -P --prod -D --dev --no-optional --filter -F --format --only-projects --no-color',
      },
      { verbs: 'audit', options: '--json --prod -P --dev -D --no-optional', values: '--audit-level', words: 'none' },
    ],
  },
  // yarn treats an unknown command as a script of the project
  yarn: {
    alone: '--version -v',
    asks: [
      {
        verbs: 'why|info, config get|list, workspaces list|info',
        options: '--json --silent -s --recursive -R --all -A --depth --pattern',
      },
    ],
  },
  bun: { alone: '--version -v --revision', asks: [{ verbs: 'pm ls|hash', options: '--all' }] },
  pip,
  pip3: pip,
  uv: {
    alone: '--version -V',
    asks: [
      {
        verbs: 'pip list|show|freeze|check|tree, python list|dir, tool list, cache dir',
        options:
          '--format --outdated --exclude -e --editable --system --depth -d --invert --strict -f --files --all-versions',
      },
      // without one of these, the lock file may be written
      {
        verbs: 'tree --frozen|--locked',
        options: '--depth -d --invert --no-dev --only-dev --package --outdated --no-dedupe --all-groups --universal',
      },
      { verbs: 'version', options: '--short', values: '--output-format', words: 'none' },
    ],
  },
  poetry: {
    alone: '--version -V',
    asks: [
      {
        verbs: 'show|check|about, env info|list, config --list',
        options:
          '-t --tree -l --latest -o --outdated -a --all -T --top-level --why -p --path --full-path --no-ansi -q -v',
      },
    ],
  },
  gem: {
    alone: '--version -v',
    asks: [
      {
        verbs: 'list|info|search|environment|env|which|outdated|contents|dependency',
        options: '-l --local -r --remote -a --all -d --details -e --exact --versions --no-versions -q --quiet',
      },
    ],
  },
  bundle: {
    alone: '--version -v',
    asks: [
      {
        verbs: 'list|show|info|outdated, config list|get',
        options: '--paths --path --name-only --parseable --strict',
      },
    ],
  },
  composer: {
    alone: '--version -V',
    asks: [
      {
        verbs: 'show|info|why|depends|why-not|prohibits|outdated|licenses|validate',
        options:
          '-t --tree -D --direct -i --installed -a --all -l --latest -o --outdated -f --format -N --name-only -r --recursive --no-plugins --no-interaction -n',
      },
    ],
  },
  cargo: {
    alone: '--version -V --list -vV -Vv',
    flags: '-q --quiet -v --verbose --offline --locked --frozen',
    asks: [
      {
        verbs: 'tree|metadata|search|info|pkgid|locate-project|read-manifest|verify-project|version',
        options:
          '-i --invert -p --package -e --edges --depth --prefix --no-dedupe -d --duplicates --charset -f --format -F --features --all-features --no-default-features --target --workspace --exclude --manifest-path --locked --offline --frozen --format-version --no-deps --filter-platform --limit --registry -q --quiet -v --verbose --color --message-format',
      },
    ],
  },
  rustc: { alone: '--version -V -vV -Vv' },
  rustup: {
    alone: '--version -V',
    asks: [
      {
        verbs: 'show|which|check, toolchain list, target list, component list, override list',
        options: '-v --verbose --installed -q --quiet --toolchain',
      },
    ],
  },
  go: {
    values: '-C',
    asks: [
      {
        verbs: 'list|version|doc|help, mod graph|why|verify',
        options: '-m -json -f -e -deps -test -u -versions -retracted -find -tags -all -short -src -cmd -c -vendor -v',
      },
      // excluded: `go env -u` removes a setting
      { verbs: 'env', options: '-json -changed' },
    ],
  },
  brew: {
    alone: '--version -v --prefix --cellar --repository',
    asks: [
      {
        verbs: 'list|ls|info|deps|uses|leaves|outdated|config|desc|search|doctor',
        options:
          '--json --versions --cask --casks --formula --formulae --installed --tree -1 -l -q --quiet -v --verbose --greedy',
      },
    ],
  },
  apt: {
    asks: [
      {
        verbs: 'list|show|search|policy|depends|rdepends',
        options: '--installed --upgradable -a --all-versions -n --names-only -q',
      },
    ],
  },
  'apt-cache': {
    asks: [{ verbs: 'show|search|policy|depends|rdepends|showpkg|madison', options: '-n --names-only -q -f --full' }],
  },
  dpkg: {
    alone: '--version --print-architecture',
    asks: [{ verbs: '-l, -L, -s, -S, --list, --listfiles, --status, --search', options: '--no-pager' }],
  },
  rpm: { alone: '--version', asks: [{ verbs: '-q, -qa, -qi, -ql, -qf', options: '-a -i -l -f --last' }] },
}
