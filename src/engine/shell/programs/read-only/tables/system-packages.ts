import type { ReadOnlyCommands } from '../read-only-spec.ts'

const dnf: ReadOnlyCommands = {
  alone: '--version',
  asks: [
    {
      verbs:
        'list|info|search|repolist|provides|whatprovides|repoquery|deplist|check-update, history list|info, group list|info',
      options:
        '-q --quiet -v --verbose -C --cacheonly --installed --available --upgrades --all --recent --extras --showduplicates --enabled --disabled',
    },
  ],
}

/** `pyenv versions`: programs that choose between versions of others. */
const versionManager: ReadOnlyCommands = {
  alone: '--version -v',
  asks: [
    {
      verbs: 'ls|list|versions|version|current|which|where|whence|root|latest|ls-remote|list-all|prefix',
      options: '--bare --no-header --installed --json',
      words: 'plain',
    },
  ],
}

/** Read-only commands of package managers of systems and of further languages. None of these runs code of the project. */
export const MORE_PACKAGE_COMMANDS: Readonly<Record<string, ReadOnlyCommands>> = {
  pipdeptree: {
    asks: [
      {
        verbs: '',
        options:
          '-p --packages -r --reverse -a --all -l --local-only -u --user-only -w --warn -f --freeze --json --json-tree -d --depth -e --exclude',
        words: 'names',
      },
    ],
  },
  pipenv: {
    alone: '--version --venv --where --py',
    asks: [{ verbs: 'graph', options: '--bare --json --json-tree --reverse', words: 'none' }],
  },
  pdm: {
    alone: '--version -V',
    asks: [
      {
        verbs: 'list|show|info, python list',
        options: '--tree --graph --json --csv --markdown --freeze --fields --sort --resolve --python --where --env',
        words: 'names',
      },
    ],
  },
  conda: {
    alone: '--version -V',
    asks: [
      {
        verbs: 'list|info|search, env list, config --show|--show-sources',
        options: '-n --name --json -e --envs -a --all -f --full-name --explicit -c --channel --offline -q -v --no-pip',
        words: 'names',
      },
    ],
  },
  mvn: {
    alone: '--version -v --help -h',
    flags: '-q -B -o -ntp -X -e --quiet --batch-mode --offline --no-transfer-progress',
    asks: [
      {
        verbs:
          'dependency:tree|dependency:list|help:effective-pom|help:effective-settings|help:active-profiles|versions:display-dependency-updates',
        options: '-q -B -o -ntp -X -e -N -U',
        values: '-pl -P',
        words: 'none',
      },
    ],
  },
  dotnet: {
    alone: '--version --info --list-sdks --list-runtimes --help -h',
    asks: [
      { verbs: 'sln list, nuget list source, tool list', options: '-g --global --local --format', words: 'names' },
    ],
  },
  nuget: {
    asks: [
      {
        verbs: 'list|sources, sources list, search',
        options: '-AllVersions -Prerelease -Take -Source -Verbosity -NonInteractive',
        words: 'none',
      },
      { verbs: 'list|search', words: 'names' },
    ],
  },
  dnf,
  yum: dnf,
  pacman: {
    alone: '-V --version',
    asks: [
      {
        verbs: '-Q|-Qi|-Ql|-Qs|-Qe|-Qm|-Qn|-Qu|-Qo|-Qd|-Qt|-Qdt|-Qtd|-Qet|-Qk|-Qg|-Qii|-Si|-Ss|-Sl|-Sg|-Sii|-Fl|-F|-T',
        options: '-q --quiet -i -l -e -n -u -t --color',
        words: 'names',
      },
    ],
  },
  apk: {
    alone: '--version -V',
    asks: [
      {
        verbs: 'info|list|search|policy|version|dot|audit',
        options:
          '-v -a -e -L -d -w -r -R -s -P -I -u -q --installed --upgradable --available --all --description --contents --depends --rdepends --size --webpage',
        words: 'names',
      },
    ],
  },
  snap: {
    alone: '--version',
    asks: [
      {
        verbs: 'list|info|find|search|version|services|connections|changes|tasks|interfaces|known|model|warnings',
        options: '--all --verbose --color --unicode --abs-time',
        words: 'names',
      },
    ],
  },
  flatpak: {
    alone: '--version',
    asks: [
      {
        verbs: 'list|info|search|remotes|remote-ls|remote-info|history|ps|config',
        options:
          '-a --all --app --runtime --user --system -d --show-details --columns -m --show-metadata -r --show-ref -l --show-location -s --show-size --updates',
        words: 'names',
      },
    ],
  },
  'nix-env': {
    alone: '--version',
    asks: [
      {
        verbs: '-q|--query|-qa|-qaP',
        options: '--installed -a --available --description --json -P --attr-path -s --status --out-path --drv-path',
        words: 'names',
      },
    ],
  },
  nvm: versionManager,
  fnm: {
    alone: '--version -V',
    asks: [
      { verbs: 'list|ls|current|list-remote|ls-remote', options: '--lts --latest --sort --filter', words: 'plain' },
    ],
  },
  pyenv: versionManager,
  rbenv: versionManager,
  asdf: {
    alone: '--version version',
    asks: [
      {
        verbs: 'list|current|where|which|latest|info, list all, plugin list, plugin list all',
        options: '--all --urls --refs --no-header',
        words: 'plain',
      },
    ],
  },
  mise: {
    alone: '--version -V',
    asks: [
      {
        verbs: 'ls|list|current|where|which|latest|ls-remote|version|outdated, plugins ls',
        options: '-c --current -i --installed -g --global --json -m --missing --prefix -J',
        words: 'plain',
      },
    ],
  },
  volta: {
    alone: '--version -v',
    asks: [{ verbs: 'list|ls|which', options: '-c --current -d --default --format all', words: 'plain' }],
  },
  pod: {
    alone: '--version',
    asks: [
      {
        verbs: 'list|search, repo list, spec cat, ipc list',
        options: '--stats --simple --web-no --no-pager --verbose --count-only',
        words: 'names',
      },
    ],
  },
  deno: { alone: '--version -V', asks: [{ verbs: 'info', options: '--json', words: 'none' }] },
  cabal: {
    alone: '--version -V',
    asks: [{ verbs: 'list|info', options: '--installed --simple-output -i -v', words: 'names' }],
  },
  luarocks: {
    alone: '--version',
    asks: [
      {
        verbs: 'list|search|show|which',
        options: '--porcelain --outdated --all --local --global --mversion --deps --home',
        words: 'names',
      },
    ],
  },
  cpan: { alone: '-l -v -a -O' },
}
