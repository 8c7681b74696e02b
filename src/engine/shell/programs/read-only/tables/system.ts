import { isHarmlessCurl, isHarmlessHttpie, isHarmlessWget } from '../http.ts'
import type { ReadOnlyCommands } from '../read-only-spec.ts'
import { isMysqlQuery, isPsqlQuery } from '../sql.ts'

/** Without words, or with one of these. */
const control = (verbs: string, options: string): ReadOnlyCommands => ({
  alone: '--version',
  asks: [
    { verbs: '', options: '--no-pager -a --all -l --full', words: 'none' },
    { verbs, options, words: 'names' },
  ],
})

const CONNECTION = '-h --host -p --port -U -u --user --username -d -D --socket -S'

/** Read-only commands that ask the system, another host or a database. */
export const SYSTEM_COMMANDS: Readonly<Record<string, ReadOnlyCommands>> = {
  curl: { alone: '--version -V', special: isHarmlessCurl },
  wget: { alone: '--version -V', special: isHarmlessWget },
  http: { special: isHarmlessHttpie },
  https: { special: isHarmlessHttpie },
  xh: { special: isHarmlessHttpie },
  psql: { alone: '--version -V', special: isPsqlQuery },
  mysql: { alone: '--version -V', special: isMysqlQuery },
  mariadb: { special: isMysqlQuery },
  pg_isready: {
    asks: [{ verbs: '', options: '-q --quiet', values: `${CONNECTION} -t --timeout --dbname`, words: 'none' }],
  },
  mysqladmin: {
    asks: [
      {
        verbs: 'ping|status|extended-status|version|processlist|variables',
        options: '--silent -s -v --verbose',
        values: CONNECTION,
        words: 'none',
      },
    ],
    values: CONNECTION,
  },
  'redis-cli': {
    alone: '--version -v',
    values: '-h -p -n -a -u -s --user --pass',
    flags: '--raw --no-raw --csv --json --tls --no-auth-warning -2 -3',
    asks: ['', 'upper'].map(form => {
      const verbs =
        'ping|info|ttl|pttl|get|mget|strlen|exists|type|keys|scan|sscan|hscan|zscan|llen|lrange|lindex|hget|hgetall|hkeys|hvals|hlen|hmget|hexists|scard|smembers|sismember|zcard|zrange|zrevrange|zscore|zrank|zcount|dbsize|lastsave|time|object|xlen|xrange|xinfo, client list|info|id, config get, slowlog get|len, cluster info|nodes|slots, memory usage|stats|doctor, command count|docs, role'
      return { verbs: form === 'upper' ? verbs.toUpperCase() : verbs }
    }),
  },
  pstree: {
    asks: [{ verbs: '', options: '-a -c -g -h -l -n -p -s -t -T -u -U -A -G -w -V -H -N -Z', words: 'names' }],
  },
  traceroute: { asks: [{ verbs: '', options: '-n -m -w -q -4 -6 -I -T -U -p -f -i -s -V --version', words: 'names' }] },
  mtr: {
    asks: [
      {
        verbs: '-r|--report|-rw|-rwc|-rn',
        options: '-c --report-cycles -n --no-dns -w --report-wide -4 -6 -T -u -P -i -b -z -j --json -r',
        words: 'names',
      },
    ],
  },
  whois: { asks: [{ verbs: '', options: '-H -h --host -p -I --verbose --version --help', words: 'names' }] },
  openssl: {
    asks: [{ verbs: 'dgst', options: '-sha1 -sha256 -sha384 -sha512 -md5 -r -c -hex -list', words: 'names' }],
  },
  service: { alone: '--status-all --version' },
  launchctl: { asks: [{ verbs: 'list|print|print-disabled|version|blame', words: 'names' }] },
  atq: { alone: '-V', asks: [{ verbs: '', values: '-q', words: 'none' }] },
  timedatectl: control('status|show|list-timezones|timesync-status', '--no-pager -a --all -p --property --value'),
  hostnamectl: control('status', '--json --no-pager --static --pretty --transient'),
  localectl: control('status|list-locales|list-keymaps', '--no-pager'),
  loginctl: control(
    'list-sessions|list-users|list-seats|session-status|user-status|show-session|show-user|seat-status',
    '--no-pager -p --property --value -a --all -l --full --no-legend',
  ),
  info: { alone: '--version --help', asks: [{ verbs: '', words: 'plain' }] },
  tldr: {
    alone: '--version -v',
    asks: [{ verbs: '', options: '-p --platform -l --list -L --language', words: 'plain' }],
  },
  sw_vers: {
    asks: [
      {
        verbs: '',
        options: '-productName -productVersion -buildVersion --productVersion --buildVersion',
        words: 'none',
      },
    ],
  },
  system_profiler: {
    asks: [{ verbs: '', options: '-json -xml -listDataTypes -detailLevel -timeout', words: 'plain' }],
  },
  // `name=value` and `-w` set, `-p` and `--system` read a file of settings
  sysctl: {
    alone: '-a -A --all --version',
    asks: [{ verbs: '', options: '-n --values -e --ignore -N --names -a -b', words: 'plain' }],
  },
  sensors: { asks: [{ verbs: '', options: '-f -j -u -A -v', words: 'plain' }] },
  'nvidia-smi': {
    alone: '-L -q',
    asks: [
      { verbs: '', options: '--query-gpu --query-compute-apps --format -i --id -d --display -q', words: 'names' },
      { verbs: 'topo -m', words: 'none' },
    ],
  },
  // a format may run a program: `-F '#(program)'`
  tmux: {
    alone: '-V',
    asks: [
      {
        verbs:
          'ls|list-sessions|list-windows|lsw|list-panes|lsp|list-clients|lsc|list-keys|lsk|list-buffers|lsb|has-session|has',
        options: '-a -s',
        words: 'none',
      },
    ],
  },
  screen: { alone: '-list -ls -v --version' },
  xdpyinfo: { asks: [{ verbs: '', options: '-version', values: '-display', words: 'none' }] },
  ssh: { alone: '-V -v' },
  perl: { alone: '-v --version -V' },
  lua: { alone: '-v --version' },
  nginx: { alone: '-v -V -h' },
  ffmpeg: { alone: '-version -h --help -formats -codecs -encoders -decoders' },
  'mkfs.ext4': { alone: '-V' },
  htop: { alone: '--version -V --help -h' },
}
