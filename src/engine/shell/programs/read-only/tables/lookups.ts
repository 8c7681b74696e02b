import type { ReadOnlyCommands } from '../read-only-spec.ts'

/** Small programs that look something up or count. Options that are not listed may write a report or run a helper. */
export const LOOKUP_COMMANDS: Readonly<Record<string, ReadOnlyCommands>> = {
  // excluded: `-f` and `-k` read files, and `-f` sends a query for every line
  dig: {
    asks: [{ verbs: '', options: '-4 -6 -b -c -h -i -m -p -q -r -t -u -v -x -y', words: 'names' }],
  },
  host: {
    asks: [{ verbs: '', options: '-4 -6 -a -A -c -C -d -i -l -m -N -p -r -R -s -t -T -U -v -V -w -W', words: 'names' }],
  },
  nslookup: {
    asks: [
      {
        verbs: '',
        options:
          '-type -ty -query -querytype -q -class -cl -debug -nodebug -d2 -nod2 -port -timeout -retry -vc -novc -recurse -norecurse -search -nosearch -version',
        words: 'names',
      },
    ],
  },
  shellcheck: {
    alone: '--version -V --help --list-optional',
    asks: [
      {
        verbs: '',
        options:
          '-a --check-sourced -C --color -e --exclude -i --include -f --format -o --enable -s --shell -S --severity -x --external-sources -P --source-path -W --wiki-link-count --norc --extended-analysis',
      },
    ],
  },
  // other options write reports and stripped copies, read options from a file, or name a program
  cloc: {
    alone: '--version --help',
    asks: [
      {
        verbs: '',
        options:
          '--json --yaml --csv --md --xml --by-file --by-file-by-lang --exclude-dir --exclude-ext --exclude-lang --include-lang --include-ext --quiet --hide-rate --max-file-size --timeout --processes --sum-one --skip-uniqueness --show-lang --show-ext --progress-rate --no-autogen --not-match-d --match-d --not-match-f --match-f --fullpath',
        words: 'names',
      },
    ],
  },
  tokei: {
    alone: '--version -V --help -h',
    asks: [
      {
        verbs: '',
        options:
          '-C --compact -c --columns -e --exclude -f --files -l --languages -o --output -s --sort -r --rsort -t --types -n --num-format --hidden --no-ignore --no-ignore-parent --no-ignore-dot --no-ignore-vcs -v --verbose',
      },
    ],
  },
  lsb_release: {
    asks: [
      {
        verbs: '',
        options: '-a --all -i --id -d --description -r --release -c --codename -s --short -v --version -h --help',
        words: 'none',
      },
    ],
  },
  // with an interface name, `ifconfig` may configure the interface
  ifconfig: { asks: [{ verbs: '', options: '-a -s -v -l', words: 'none' }] },
}
